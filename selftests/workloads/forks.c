// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process that forks as fast as it can
 *
 * usage: forks SECONDS
 *
 * Each child gives itself another name, maps executable memory of its own, spends a little time
 * and exits. The program prints the number of children.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mill.h"
#include "now.h"

static void child(unsigned int number)
{
	char name[16];

	snprintf(name, sizeof(name), "fork%u", number);
	prctl(PR_SET_NAME, name);
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
	    MAP_FAILED)
		_exit(1);
	_exit(mill(number, 10000) == 0);
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1.0);
	unsigned int nr = 0;
	pid_t pid;

	while (now() < end) {
		pid = fork();
		if (pid < 0)
			err(1, "fork");
		if (!pid)
			child(nr);
		waitpid(pid, NULL, 0);
		nr++;
	}
	printf("%u\n", nr);
	return 0;
}
