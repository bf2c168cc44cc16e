// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the help text about event names
 */
#include <stdio.h>

#include "base/types.h"
#include "cli/event_help.h"

static const struct {
	const char *form;
	const char *help;
} forms[] = {
	{ "nmi, timer", "a clock, by NMI or by timer interrupt" },
	{ "cycles, instructions", "perf's names of what every processor counts" },
	{ "INST_RETIRED:ANY_P", "an event of this processor, with its unit mask" },
	{ "r01c2", "an event select, as unit mask and event" },
	{ "cpu/event=0xc2,umask=1/", "the same; also cmask=, inv, edge, any, config=" },
	{ "EVENT:u, EVENT:k", "in user space only, in the kernel only; G guests, H hosts" },
	{ "EVENT/period=N/u", "with a rate of its own: period= or freq=; random varies" },
	{ "", "the period around that, name= is for the file" },
};

void event_help(void)
{
	size_t i;

	printf("\nevents (tprof-lx list has their names):\n");
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		printf("  %-24s %s\n", forms[i].form, forms[i].help);
}
