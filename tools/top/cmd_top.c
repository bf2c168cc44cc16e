// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - show where the machine spends its time now
 */
#include "cli/event_help.h"
#include "cli/say.h"
#include "cli/sort_keys.h"
#include "top/top.h"

static int run(const struct command *self, int argc, char **argv)
{
	static struct top top;
	struct top_options opts;
	int status = top_options_read(&opts, self, argc, argv);

	if (status)
		return status;
	status = top_begin(&top, &opts);
	if (!status)
		status = opts.stdio ? top_print_all(&top) : top_browse(&top);
	top_end(&top);
	return status;
}

static void more_help(void)
{
	sort_keys_print();
	event_help();
}

const struct command top_command = {
	.name = "top",
	.summary = "show where the machine spends its time now",
	.operands = "",
	.text = "Samples all processes, or those of -p, and shows tables on a screen or, with --stdio\n"
		"or without a terminal, prints one every -d seconds. Samples of older intervals fade:\n"
		"in each interval, they count 1/8 less.\n",
	.more_help = more_help,
	.options = top_option_rows,
	.run = run,
};
