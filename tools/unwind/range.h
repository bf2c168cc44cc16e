/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - code with one rule
 */
#ifndef TPROF_UNWIND_RANGE_H
#define TPROF_UNWIND_RANGE_H

#include "unwind/table.h"

/**
 * struct unwind_range - code with one rule
 * @begin:	first address
 * @end:	address after it
 * @rule:	the rule
 * @source:	what describes it
 */
struct unwind_range {
	u64	begin;
	u64	end;
	struct tprof_lx_unwind_rule rule;
	enum unwind_source source;
};

#endif /* TPROF_UNWIND_RANGE_H */
