/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - the formats that profiles are printed in
 *
 * Each is a file that defines its struct report_format, and a row of the options
 * (report_options.c) that chooses it.
 */
#ifndef TPROF_REPORT_FORMAT_H
#define TPROF_REPORT_FORMAT_H

#include <stdbool.h>

struct gather;
struct report_options;

/**
 * struct report_format - a format
 * @no_pager:	print all at once, also to a terminal
 * @whole_paths: it has whole call paths with thread names, instead of entries
 * @has_sum:	it says itself how many samples were read and what is missing
 * @check:	refuse options that it cannot take, and say why; may be NULL
 * @check_profiles: refuse what was read, and say why; may be NULL
 * @print:	print all profiles, which are in order; 0 or -errno
 *
 * What checks returns an exit status.
 */
struct report_format {
	bool	no_pager;
	bool	whole_paths;
	bool	has_sum;
	int	(*check)(const struct report_options *opts);
	int	(*check_profiles)(const struct report_options *opts, const struct gather *gather);
	int	(*print)(const struct report_options *opts, const struct gather *gather);
};

extern const struct report_format report_text_format;
extern const struct report_format report_stdio_format;
extern const struct report_format report_json_format;
extern const struct report_format report_csv_format;
extern const struct report_format report_folded_format;

#endif /* TPROF_REPORT_FORMAT_H */
