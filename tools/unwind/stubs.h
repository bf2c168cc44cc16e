/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the stubs of a procedure linkage table, which few linkers describe
 *
 * A call of a function of a library, or of a function of which the program chooses one at its
 * start, goes through a stub: a jump to the address in a slot. GNU ld describes stubs of programs
 * that load libraries, but not those of static ones. lld and gold describe fewer. The sections of
 * stubs have known names, and stubs have few forms.
 */
#ifndef TPROF_UNWIND_STUBS_H
#define TPROF_UNWIND_STUBS_H

#include <libelf.h>

#include "unwind/range.h"

/* .plt, .iplt, .plt.got and .plt.sec; each has two ranges before the stubs, and the stubs. */
#define STUBS_MAX_RANGES	(4 * 3)

/**
 * struct stubs - the stubs of a binary, empty if all members are zero
 * @ranges:	their code
 * @nr:		number of @ranges
 */
struct stubs {
	struct unwind_range ranges[STUBS_MAX_RANGES];
	u32	nr;
};

void stubs_open(struct stubs *stubs, Elf *elf, const void *bytes, size_t size);
bool stubs_find(const struct stubs *stubs, u64 from, u64 to, struct unwind_range *range);

#endif /* TPROF_UNWIND_STUBS_H */
