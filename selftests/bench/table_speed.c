// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - print how long the unwind tables of binaries take, by one thread and by two
 *
 * A line is the fastest of RUNS times. The file is in the page cache by then.
 *
 * usage: table_speed RUNS FILE...
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "perfdata/buildid.h"
#include "unwind/object.h"

/**
 * struct use - what a table has used
 * @ns:		elapsed time
 * @user:	CPU time in user mode, in seconds
 * @system:	CPU time in the kernel, in seconds
 * @faults:	page faults
 */
struct use {
	u64	ns;
	double	user;
	double	system;
	long	faults;
};

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

static struct use use_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct use){
		.ns = monotonic_ns(),
		.user = seconds(&usage.ru_utime),
		.system = seconds(&usage.ru_stime),
		.faults = usage.ru_minflt,
	};
}

static struct use make(const char *path, u32 threads, struct unwind_table *table)
{
	int fd = open_regular(path);
	struct use before = use_now(), use;

	if (fd < 0 || unwind_object_by(fd, threads, NULL, table))
		errx(1, "%s: no table", path);
	use = use_now();
	close(fd);
	return (struct use){
		.ns = use.ns - before.ns,
		.user = use.user - before.user,
		.system = use.system - before.system,
		.faults = use.faults - before.faults,
	};
}

static void measure(const char *path, u32 threads, int runs)
{
	struct use use, best = { .ns = UINT64_MAX };
	struct unwind_table table;
	double megabytes = 0;
	u32 rows = 0;

	while (runs--) {
		use = make(path, threads, &table);
		best = use.ns < best.ns ? use : best;
		megabytes = table.text_bytes / 1e6;
		rows = table.nr_rows;
		unwind_table_free(&table);
	}
	printf("%-24s %8.1f %8u %7u %8.3f %8.3f %8.3f %7ld %8.0f\n", strrchr(path, '/') + 1,
	       megabytes, rows, threads, best.ns / 1e9, best.user, best.system, best.faults,
	       megabytes * 1e9 / best.ns);
}

int main(int argc, char **argv)
{
	int i, runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1)
		errx(2, "usage: table_speed RUNS FILE...");
	printf("%-24s %8s %8s %7s %8s %8s %8s %7s %8s\n", "", "MB", "rows", "threads", "seconds",
	       "user", "system", "faults", "MB/s");
	for (i = 2; i < argc; i++) {
		if (!strchr(argv[i], '/'))
			errx(2, "%s: not a path", argv[i]);
		measure(argv[i], 1, runs);
		measure(argv[i], 2, runs);
	}
	return 0;
}
