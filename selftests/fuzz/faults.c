// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - fault injection in the kernel
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/common.h"
#include "fuzz/faults.h"
#include "fuzz/module_text.h"

#define DEBUGFS		"/sys/kernel/debug/"
#define REGISTERS	DEBUGFS "tprof_lx/fail_msr_every"
#define FAILED		DEBUGFS "tprof_lx/failed_msrs"
#define NTH		"/proc/thread-self/fail-nth"
#define STACK_DEPTH	32	/* the kernel's maximum */

static const char *const kinds[] = { "failslab", "fail_page_alloc", "fail_usercopy" };

bool faults_are_possible(void)
{
	return !access(NTH, F_OK) && !access(DEBUGFS "failslab/require-start", F_OK);
}

static int set(const char *kind, const char *file, __s64 value)
{
	char path[64], text[32];

	snprintf(path, sizeof(path), DEBUGFS "%s/%s", kind, file);
	/* An address is negative as __s64, but its file takes an unsigned number. */
	snprintf(text, sizeof(text), value < -1 ? "%#llx" : "%lld", value);
	return file_write(path, text);
}

/* Fail only requests that have a return address between @begin and @end on the stack. */
static int set_range(__u64 begin, __u64 end)
{
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(kinds); i++)
		err = set(kinds[i], "stacktrace-depth", STACK_DEPTH) ?:
		      set(kinds[i], "require-start", begin) ?:
		      set(kinds[i], "require-end", end);
	return err;
}

/* Fail only requests made by kernel function @name or its callees. Return 0 or -errno. */
int faults_of_function(const char *name)
{
	__u64 begin, end;

	return kernel_symbol(name, &begin, &end) ?: set_range(begin, end);
}

/*
 * Fail only requests made by tprof-lx or its callees. Call this again after each load,
 * which changes the address.
 */
int faults_of_module(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	__u64 begin, end;
	int err;

	if (!file)
		return -errno;
	err = module_text(file, "tprof_lx", &begin, &end);
	fclose(file);
	return err ?: set_range(begin, end);
}

/* If @all is true, fail all matching requests of all threads, else stop doing so. */
int faults_of_all(bool all)
{
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(kinds); i++)
		err = set(kinds[i], "probability", all ? 100 : 0) ?:
		      set(kinds[i], "times", all ? -1 : 1);
	return err;
}

/*
 * Set up fault injection. Do not log injected failures, since they look like bugs. Fail
 * allocations that may sleep, too. Skip kinds of faults that this kernel does not have.
 * Return 0 or -errno.
 */
int faults_setup(void)
{
	static const char *const settings[][2] = {
		{ DEBUGFS "failslab/verbose", "0" },
		{ DEBUGFS "failslab/ignore-gfp-wait", "N" },
		{ DEBUGFS "fail_page_alloc/verbose", "0" },
		{ DEBUGFS "fail_page_alloc/ignore-gfp-wait", "N" },
		{ DEBUGFS "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ DEBUGFS "fail_page_alloc/min-order", "0" },
		{ DEBUGFS "fail_usercopy/verbose", "0" },
	};

	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(settings); i++) {
		err = file_write(settings[i][0], settings[i][1]);
		if (err == -ENOENT)
			err = 0;
	}
	return err;
}

/* Fail every @nth register access on all CPUs, or none if @nth is 0. */
void faults_of_registers(unsigned int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nth);
	file_write(REGISTERS, text);
}

/*
 * Return the number of injected failures of register accesses since the module was
 * loaded, or -errno.
 */
long faults_nr_of_registers(void)
{
	return file_number(FAILED);
}

/* Set up fault injection for the calling thread. */
void faults_init(struct faults *faults)
{
	faults->nr_failed = 0;
	faults->fd = open(NTH, O_RDWR | O_CLOEXEC);
}

/*
 * Fail the @nth request after this call. An injected failure may hit the write to
 * fail-nth itself, so repeat the write until it succeeds.
 */
void faults_begin(struct faults *faults, unsigned int nth)
{
	if (faults->fd < 0)
		return;
	while (dprintf(faults->fd, "%u", nth) < 0)
		;
}

/*
 * Stop fault injection. If a fault was injected, fail-nth reads as 0: count the
 * fault. Otherwise fail-nth reads as the number of requests that remain until the
 * failure.
 */
void faults_end(struct faults *faults)
{
	char text[16] = "";

	if (faults->fd < 0)
		return;
	if (pread(faults->fd, text, sizeof(text) - 1, 0) > 0)
		faults->nr_failed += !atoi(text);
	faults_begin(faults, 0);
}

void faults_free(struct faults *faults)
{
	if (faults->fd >= 0)
		close(faults->fd);
}
