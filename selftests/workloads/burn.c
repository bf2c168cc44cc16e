// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program that makes the kernel spend time
 *
 * usage: burn task|irqs_off|softirq|hardirq SECONDS
 *
 * It prints the number of nanoseconds spent in tprof_lx_burn_<context>.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../modules/tprof_lx_burn.h"
#include "now.h"

static const char *const contexts[] = {
	[TPROF_LX_BURN_TASK]		= "task",
	[TPROF_LX_BURN_IRQS_OFF]	= "irqs_off",
	[TPROF_LX_BURN_SOFTIRQ]		= "softirq",
	[TPROF_LX_BURN_HARDIRQ]		= "hardirq",
};

static int find_context(const char *name)
{
	for (int i = 0; i < TPROF_LX_BURN_CONTEXTS; i++)
		if (!strcmp(contexts[i], name))
			return i;
	return -1;
}

int main(int argc, char **argv)
{
	struct tprof_lx_burn burn = { .usecs = TPROF_LX_BURN_MAX_USECS };
	unsigned long long spent = 0;
	int fd, context;
	double end;

	context = argc == 3 ? find_context(argv[1]) : -1;
	if (context < 0) {
		fprintf(stderr, "usage: burn task|irqs_off|softirq|hardirq SECONDS\n");
		return 2;
	}
	fd = open(TPROF_LX_BURN_DEVICE, O_RDWR);
	if (fd < 0) {
		perror(TPROF_LX_BURN_DEVICE);
		return 1;
	}
	burn.context = context;
	for (end = now() + atof(argv[2]); now() < end; spent += burn.spent_ns) {
		if (ioctl(fd, TPROF_LX_BURN_IOC_BURN, &burn)) {
			perror("burn");
			return 1;
		}
	}
	printf("%llu\n", spent);
	return 0;
}
