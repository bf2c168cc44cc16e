/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - print a table of each event
 */
#ifndef TPROF_TOP_TEXT_H
#define TPROF_TOP_TEXT_H

#include "profile/gather.h"
#include "top/status.h"
#include "top/top_options.h"

void top_text_print(const struct top_options *opts, const struct status *status,
		    const struct gather *gather);

#endif /* TPROF_TOP_TEXT_H */
