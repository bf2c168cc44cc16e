// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - two processes on one CPU that pass a byte back and forth
 *
 * Print "PARENT CHILD", the ids of the two processes. Then read numbers from stdin. For
 * each number N, pass the byte to the child and back N times, and print how many TSC ticks
 * that took. Each time, CPU 0 switches to the child and back.
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
#include <x86intrin.h>

static int to_child[2], to_parent[2];

static void pin_to_cpu0(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "sched_setaffinity");
}

/* Return each byte to the parent until it closes its pipe. */
static void run_child(void)
{
	char byte;

	close(to_child[1]);
	while (read(to_child[0], &byte, 1) == 1 && write(to_parent[1], &byte, 1) == 1)
		;
	_exit(0);
}

static void pass_bytes(unsigned long nr)
{
	char byte = 0;

	while (nr--) {
		if (write(to_child[1], &byte, 1) != 1 || read(to_parent[0], &byte, 1) != 1)
			errx(1, "the child has ended");
	}
}

int main(void)
{
	unsigned long nr, begin;
	pid_t child;

	pin_to_cpu0();
	if (pipe(to_child) || pipe(to_parent))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		run_child();
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%d %d\n", getpid(), child);
	while (scanf("%lu", &nr) == 1) {
		begin = __rdtsc();
		pass_bytes(nr);
		printf("%llu\n", __rdtsc() - begin);
	}
	close(to_child[1]);
	waitpid(child, NULL, 0);
	return 0;
}
