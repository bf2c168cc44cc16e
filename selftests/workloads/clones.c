// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process with many threads that always executes the same instructions
 *
 * usage: clones NR STEPS
 *
 * NR threads, one after the other, loop STEPS times. The C library's threads would execute
 * more or fewer instructions, depending on which of them runs first. These are made by
 * clone(2), and the main thread waits for each of them in a read(2).
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define STACK_BYTES	8192
#define THREAD_FLAGS	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | \
			 CLONE_SYSVSEM)

static int done[2];

static int work(void *steps)
{
	unsigned long left = (unsigned long)steps;

	asm volatile("1:	dec	%0\n\t"
		     "jnz	1b" : "+r"(left) : : "cc");
	return syscall(SYS_write, done[1], "x", 1L) != 1;
}

int main(int argc, char **argv)
{
	unsigned long nr = argc == 3 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned long steps = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	/* The last thread may still execute its last instructions. */
	const struct timespec end = { .tv_nsec = 50000000 };
	char *stacks, byte;

	if (!nr || !steps) {
		fprintf(stderr, "usage: clones NR STEPS\n");
		return 2;
	}
	stacks = mmap(NULL, nr * STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks == MAP_FAILED || pipe(done))
		err(1, "no memory");
	while (nr--) {
		stacks += STACK_BYTES;
		if (clone(work, stacks, THREAD_FLAGS, (void *)steps) < 0)
			err(1, "clone");
		if (read(done[0], &byte, 1) != 1)
			err(1, "read");
	}
	nanosleep(&end, NULL);
	return 0;
}
