// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - inject failures into system calls that change files
 *
 * A program loads this library by LD_PRELOAD. The library replaces the functions
 * below and counts their calls on regular files, and on stdout if stdout is a pipe.
 *
 * FAILING=KIND:NTH in the environment selects the NTH counted call. KIND is one of:
 * - an errno, as a number: the call fails with this errno
 * - "short": a write writes only half of its data
 * - "signal": SIGINT is raised just before the call
 *
 * FAILING_CALLS may name a file. When a process exits, the library appends the process's
 * number of counted calls to this file, unless the number is 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int nr_calls;

static bool counts(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	return S_ISREG(st.st_mode) || (fd == STDOUT_FILENO && S_ISFIFO(st.st_mode));
}

/* Count a call. Return KIND if this is the NTH call, else NULL. */
static const char *kind_of_call(void)
{
	static char kind[16];
	const char *failing = getenv("FAILING");
	int nth;

	nr_calls++;
	if (!failing || sscanf(failing, "%15[^:]:%d", kind, &nth) != 2 || nth != nr_calls)
		return NULL;
	return kind;
}

static bool fails(int fd, size_t *len)
{
	const char *kind = counts(fd) ? kind_of_call() : NULL;

	if (!kind)
		return false;
	if (!strcmp(kind, "signal")) {
		raise(SIGINT);
		return false;
	}
	if (!strcmp(kind, "short")) {
		if (len && *len > 1)
			*len /= 2;
		return false;
	}
	errno = atoi(kind);
	return true;
}

ssize_t write(int fd, const void *data, size_t len)
{
	return fails(fd, &len) ? -1 : syscall(SYS_write, fd, data, len);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return fails(fd, &len) ? -1 : syscall(SYS_pwrite64, fd, data, len, at);
}

int fallocate(int fd, int mode, off_t at, off_t len)
{
	return fails(fd, NULL) ? -1 : syscall(SYS_fallocate, fd, mode, at, len);
}

int ftruncate(int fd, off_t len)
{
	return fails(fd, NULL) ? -1 : syscall(SYS_ftruncate, fd, len);
}

__attribute__((destructor))
static void tell(void)
{
	const char *name = getenv("FAILING_CALLS");
	int fd;

	if (!name || !nr_calls)
		return;
	fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	dprintf(fd, "%d\n", nr_calls);
	close(fd);
}
