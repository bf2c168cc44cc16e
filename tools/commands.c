// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the table of commands, for main() and for the manual
 */
#include "cli/command.h"

const struct command *const commands[] = {
	&record_command,
	&stat_command,
	&top_command,
	&report_command,
	&annotate_command,
	&diff_command,
	&merge_command,
	&filter_command,
	&export_command,
	&html_command,
	&push_command,
	&script_command,
	&list_command,
	&tables_command,
	&info_command,
	&control_command,
	&doctor_command,
	NULL,
};
