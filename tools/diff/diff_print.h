/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - output formats
 */
#ifndef TPROF_DIFF_PRINT_H
#define TPROF_DIFF_PRINT_H

#include "diff/table.h"

/**
 * struct diff_format - an output format
 * @begin:	prints what is before the first table
 * @table:	prints a table
 * @end:	prints what is after the last table; may be NULL
 */
struct diff_format {
	void	(*begin)(const struct diff_options *opts, const struct side *sides);
	void	(*table)(const struct table *table);
	void	(*end)(void);
};

extern const struct diff_format diff_text_format;
extern const struct diff_format diff_json_format;

#endif /* TPROF_DIFF_PRINT_H */
