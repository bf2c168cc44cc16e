/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the compilation units of an ELF file, by address
 */
#ifndef TPROF_CODE_UNITS_H
#define TPROF_CODE_UNITS_H

#include <elfutils/libdwfl.h>

#include "base/types.h"

/**
 * struct code_range - addresses of a compilation unit
 * @start:	first address
 * @end:	last address + 1
 * @reach:	maximum of @end over this and all preceding ranges
 * @unit:	DIE of the unit
 */
struct code_range {
	u64	start;
	u64	end;
	u64	reach;
	Dwarf_Die unit;
};

/**
 * struct code_units - the compilation units of a file; empty if all members are zero
 * @ranges:	their addresses, in order
 * @nr:		length of @ranges
 * @room:	capacity of @ranges
 * @is_listed:	@ranges is complete
 */
struct code_units {
	struct code_range *ranges;
	size_t	nr;
	size_t	room;
	bool	is_listed;
};

Dwarf_Die *code_unit_at(struct code_units *units, Dwfl_Module *module, u64 addr,
			Dwarf_Addr *bias);
void code_units_free(struct code_units *units);

#endif /* TPROF_CODE_UNITS_H */
