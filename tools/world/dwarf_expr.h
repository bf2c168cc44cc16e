/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - expressions of DWARF: where a value is, or what it is
 */
#ifndef TPROF_DWARF_EXPR_H
#define TPROF_DWARF_EXPR_H

#include <elfutils/libdw.h>

#include "world/frame_memory.h"

/**
 * struct dwarf_value - what an expression comes to
 * @number:	the value, or where it is in memory
 * @is_address:	which of the two
 */
struct dwarf_value {
	u64	number;
	bool	is_address;
};

bool dwarf_evaluate(const Dwarf_Op *ops, size_t nr, const struct call_frame *frame, const u64 *cfa,
		    struct dwarf_value *value);

#endif /* TPROF_DWARF_EXPR_H */
