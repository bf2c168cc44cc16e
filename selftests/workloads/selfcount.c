// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program that counts the instructions and branches of a function
 *
 * usage: selfcount BACKEND [LOOPS]
 *
 * An example of <tprof-lx/rdpmc.h>. BACKEND is intel or amd. Print the instructions and
 * branches of a loop of LOOPS iterations (1000), of which each has two instructions, one of
 * them a branch, and the instructions that a read of both counters needs.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tprof-lx/rdpmc.h"

/**
 * struct counts - what the counters had counted at some time
 * @insns:	instructions in user mode
 * @branches:	branches in user mode
 */
struct counts {
	__u64 insns;
	__u64 branches;
};

static struct tprof_lx_counter insns, branches;

static void call(int fd, unsigned long command, void *arg, const char *what)
{
	if (ioctl(fd, command, arg))
		err(1, "%s", what);
}

/* Add an event that counts this thread in user mode, and map its page. */
static struct tprof_lx_counter add_counter(int fd, const char *backend, __u64 config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = config,
		.exclude_kernel = 1,
	};
	struct tprof_lx_event event = {
		.size = sizeof(event),
		.flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE,
		.attr = (unsigned long)&attr,
	};
	struct tprof_lx_counter counter;

	strncpy(event.backend, backend, sizeof(event.backend) - 1);
	call(fd, TPROF_LX_IOC_EVENT, &event, "EVENT");
	errno = -tprof_lx_counter_map(&counter, fd, event.index);
	if (errno)
		err(1, "mmap");
	return counter;
}

/* Start to count this thread. */
static void begin(const char *backend)
{
	struct tprof_lx_target self = {
		.size = sizeof(self),
		.flags = TPROF_LX_TARGET_THREAD,
	};
	struct tprof_lx_mask all = { .size = sizeof(all), .mask = ~0U };
	int fd = open("/dev/" TPROF_LX_DEVICE_NAME, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(1, "/dev/" TPROF_LX_DEVICE_NAME);
	insns = add_counter(fd, backend, PERF_COUNT_HW_INSTRUCTIONS);
	branches = add_counter(fd, backend, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	call(fd, TPROF_LX_IOC_ATTACH, &self, "ATTACH");
	call(fd, TPROF_LX_IOC_START, &all, "START");
}

static inline void read_counts(struct counts *counts)
{
	tprof_lx_counter_read(&insns, &counts->insns);
	tprof_lx_counter_read(&branches, &counts->branches);
}

static inline void run_loop(unsigned long loops)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops));
}

/* Count @loops iterations between two reads of both counters. */
static void count_loop(unsigned long loops, struct counts *counts)
{
	struct counts before, after;

	read_counts(&before);
	run_loop(loops);
	read_counts(&after);
	counts->insns = after.insns - before.insns;
	counts->branches = after.branches - before.branches;
}

int main(int argc, char **argv)
{
	unsigned long loops = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	struct counts one, more;

	if (argc < 2 || argc > 3 || !loops) {
		fprintf(stderr, "usage: selfcount BACKEND [LOOPS]\n");
		return 2;
	}
	begin(argv[1]);
	/* The first call has page faults. */
	count_loop(1, &one);
	count_loop(1, &one);
	count_loop(1 + loops, &more);
	printf("%llu instructions, %llu branches, %llu instructions for a read\n",
	       more.insns - one.insns, more.branches - one.branches, one.insns - 2);
	return 0;
}
