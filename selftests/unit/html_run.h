/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - run the command html, and the sums of its page
 */
#ifndef TPROF_UNIT_HTML_RUN_H
#define TPROF_UNIT_HTML_RUN_H

#include "html_page.h"

static inline int run_html(const char *option, const char *value)
{
	char *argv[] = { "html", "-i", recording, "-o", exported, (char *)option, (char *)value,
			 NULL };
	int status = html_command.run(&html_command, option ? value ? 7 : 6 : 5, argv);

	read_output();
	return status;
}

static inline bool has_sums_of_report(u32 event)
{
	struct tally sums = sums_of(0, event), wanted = report_sums(event);

	return sums.samples == wanted.samples && sums.period == wanted.period;
}

#endif /* TPROF_UNIT_HTML_RUN_H */
