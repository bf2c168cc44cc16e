/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - numbers in the order of first use
 */
#ifndef TPROF_EXPORT_NUMBERING_H
#define TPROF_EXPORT_NUMBERING_H

#include "base/types.h"

/**
 * struct numbering - new numbers of things that have numbers; empty if all members are zero
 * @numbers:	new numbers, from 1, by old numbers; 0 if there is none yet
 * @room:	capacity of @numbers
 * @nr:		number of new numbers
 */
struct numbering {
	u32	*numbers;
	size_t	room;
	u32	nr;
};

int numbering_find(struct numbering *numbering, size_t old, u32 *number);
void numbering_free(struct numbering *numbering);

#endif /* TPROF_EXPORT_NUMBERING_H */
