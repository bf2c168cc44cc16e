/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - summarize samples, missing symbols and truncated call chains
 */
#ifndef TPROF_REPORT_SUM_H
#define TPROF_REPORT_SUM_H

#include "base/json.h"
#include "profile/gather.h"

/* Buffer size for report_sum_text() with all reasons. */
#define REPORT_SUM_LEN	2048

const char *report_sum_text(const struct gather *gather, char *buf, size_t len);
void report_sum_json(const struct gather *gather, struct json *json);

#endif /* TPROF_REPORT_SUM_H */
