/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the names, events and holders of a CPU's counters
 */
#ifndef TPROF_COUNTERS_H
#define TPROF_COUNTERS_H

#include <linux/tprof_lx.h>

#include "base/types.h"

#define COUNTER_NAME_LEN	16
#define COUNTER_EVENT_LEN	48

const char *counter_name(const struct tprof_lx_row *row, char *buf, size_t len);
int counter_parse(const char *text, struct tprof_lx_row_admin *arg);
const char *counter_event(const struct tprof_lx_row *row, char *buf, size_t len);
const char *counter_state(const struct tprof_lx_row *row);
u32 counters_holders(const struct tprof_lx_row *rows, u32 nr, char *text, size_t len);

#endif /* TPROF_COUNTERS_H */
