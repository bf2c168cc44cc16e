// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process that wakes another one
 *
 * usage: wakes NR
 *
 * The child, named "sleeper", waits for a byte NR times. Each time it sleeps, the parent, named
 * "waker", waits for 2 ms and writes a byte. Print "PARENT CHILD", the ids of the two.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int bytes[2];

/* Make a system call without the C library, which has no frame pointers. */
static inline __attribute__((always_inline)) long transfer(long nr, long fd, char *byte)
{
	asm volatile("" : : "r"(__builtin_frame_address(0)));
	asm volatile("syscall" : "+a"(nr) : "D"(fd), "S"(byte), "d"(1L)
		     : "memory", "rcx", "r11");
	return nr;
}

__attribute__((noipa)) static long sleeper_function(void)
{
	char byte;

	return transfer(SYS_read, bytes[0], &byte);
}

__attribute__((noipa)) static long waker_function(void)
{
	char byte = 'x';

	return transfer(SYS_write, bytes[1], &byte);
}

static void wait_2ms(void)
{
	const struct timespec time = { .tv_nsec = 2000000 };

	nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 100;
	pid_t child;

	if (pipe(bytes))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	prctl(PR_SET_NAME, child ? "waker" : "sleeper");
	for (int i = 0; i < nr; i++) {
		if (child)
			wait_2ms();
		if ((child ? waker_function() : sleeper_function()) != 1)
			err(1, "pipe");
	}
	if (!child)
		_exit(0);
	printf("%d %d\n", getpid(), child);
	waitpid(child, NULL, 0);
	return 0;
}
