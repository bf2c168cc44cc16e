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
	{ "nmi, timer", "a clock that samples by NMI or by timer interrupt" },
	{ "cycles, instructions", "events of every processor, by perf's names" },
	{ "INST_RETIRED:ANY_P", "an event of this processor, with a unit mask" },
	{ "r01c2", "unit mask and event select, in hexadecimal" },
	{ "cpu/event=0xc2,umask=1/", "the same; also cmask=, inv, eq, edge, any, config=" },
	{ "EVENT:u, EVENT:k", "user space only, the kernel only; G guests, H host" },
	{ "EVENT/period=N/u", "with its own rate: period= or freq=; random varies" },
	{ "", "the period, name= names the event in the file, cpu= limits" },
	{ "", "it to CPUs, as in cycles/cpu=0-3/" },
};

void event_help(void)
{
	size_t i;

	printf("\nevents (tprof-lx list has their names):\n");
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		printf("  %-24s %s\n", forms[i].form, forms[i].help);
}
