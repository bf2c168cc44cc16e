/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - output formats
 *
 * Each format has a file, which defines its struct report_format. A row of report_rows
 * (report_options.c) selects the format.
 */
#ifndef TPROF_REPORT_FORMAT_H
#define TPROF_REPORT_FORMAT_H

#include <stdbool.h>

struct gather;
struct report_options;

/**
 * struct report_format - an output format
 * @no_pager:	do not use a pager, not even on a terminal
 * @whole_paths: the format needs whole call paths with thread names, not entries
 * @has_sum:	@print prints the summary of all samples as well
 * @check:	checks the options; prints an error and returns an exit status; may be
 *		NULL
 * @check_profiles: checks the profiles; otherwise the same as @check
 * @print:	prints all profiles, which are sorted; returns 0, or -errno, or prints a message
 *		and returns an exit status
 */
struct report_format {
	bool	no_pager;
	bool	whole_paths;
	bool	has_sum;
	int	(*check)(const struct report_options *opts);
	int	(*check_profiles)(const struct report_options *opts, const struct gather *gather);
	int	(*print)(const struct report_options *opts, const struct gather *gather);
};

extern const struct report_format report_screen_format;
extern const struct report_format report_text_format;
extern const struct report_format report_stdio_format;
extern const struct report_format report_json_format;
extern const struct report_format report_csv_format;
extern const struct report_format report_folded_format;

#endif /* TPROF_REPORT_FORMAT_H */
