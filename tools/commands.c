// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which commands there are, for who runs them and who writes about them
 */
#include "cli/command.h"

const struct command *const commands[] = {
	&record_command,
	&stat_command,
	&report_command,
	&script_command,
	&list_command,
	&info_command,
	&control_command,
	&doctor_command,
	NULL,
};
