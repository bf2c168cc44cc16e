/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - unit_ok() and its output
 *
 * Each check prints a line "ok PROGRAM: NAME", "not ok PROGRAM: NAME # FILE:LINE" or
 * "skip PROGRAM: NAME # WHY". run.sh collects these lines. main() returns unit_exit().
 */
#ifndef TPROF_UNIT_H
#define TPROF_UNIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

extern char *program_invocation_short_name;

static int unit_failed;

static inline void unit_check(bool is_ok, const char *name, const char *file,
			      int line)
{
	if (is_ok) {
		printf("ok %s: %s\n", program_invocation_short_name, name);
		return;
	}
	unit_failed++;
	printf("not ok %s: %s # %s:%d\n", program_invocation_short_name, name,
	       file, line);
}

#define unit_ok(condition, name)					\
	unit_check(condition, name, __FILE__, __LINE__)

static inline void unit_skip(const char *name, const char *why)
{
	printf("skip %s: %s # %s\n", program_invocation_short_name, name, why);
}

static inline int unit_exit(void)
{
	return unit_failed ? 1 : 0;
}

#endif /* TPROF_UNIT_H */
