/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - evaluate DWARF expressions
 */
#ifndef TPROF_DWARF_EXPR_H
#define TPROF_DWARF_EXPR_H

#include <elfutils/libdw.h>

#include "world/frame_memory.h"

/**
 * struct dwarf_value - the result of an expression
 * @number:	the value, or the address of the value
 * @is_address:	@number is the address of the value
 */
struct dwarf_value {
	u64	number;
	bool	is_address;
};

bool dwarf_evaluate(const Dwarf_Op *ops, size_t nr, const struct call_frame *frame, const u64 *cfa,
		    struct dwarf_value *value);

#endif /* TPROF_DWARF_EXPR_H */
