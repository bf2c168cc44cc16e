/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx fuzzing - declarations of the functions that libFuzzer calls
 *
 * With the linker's --wrap=exit, calls of exit() go to __wrap_exit(), and calls of
 * __real_exit() go to exit() in libc.
 */
#ifndef TPROF_FUZZER_H
#define TPROF_FUZZER_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/types.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__lsan_default_suppressions(void);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

/* Write @data to a file, and return its path. A fuzzer that is killed leaves no file. */
static inline char *fuzzer_file(const u8 *data, size_t len)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzzer", MFD_CLOEXEC);
		if (fd < 0)
			err(1, "memfd_create");
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, len, 0) != (ssize_t)len)
		abort();
	return path;
}

/* Discard the output, and query no debuginfod server. */
static inline void fuzzer_be_quiet(void)
{
	FILE *nowhere = fopen("/dev/null", "we");

	if (!nowhere)
		abort();
	stderr = nowhere;
	stdout = nowhere;
	unsetenv("DEBUGINFOD_URLS");
}

#endif /* TPROF_FUZZER_H */
