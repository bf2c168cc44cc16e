/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the widths of a table's columns in a line that may be too short for them
 */
#ifndef TPROF_FIT_H
#define TPROF_FIT_H

#include "base/types.h"

/**
 * struct fit - a column
 * @is_text:	it has texts, which can be shortened
 * @title:	columns of the terminal that its title takes
 * @wants:	the same of its longest content
 * @width:	what it gets
 */
struct fit {
	bool	is_text;
	u32	title;
	u32	wants;
	u32	width;
};

void fit_columns(struct fit *fits, size_t nr, size_t symbol, u32 room);

#endif /* TPROF_FIT_H */
