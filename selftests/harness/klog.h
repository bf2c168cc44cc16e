/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - find unexpected lines in the kernel's log of a test
 *
 * The environment variable TPROF_KMSG contains a file descriptor of /dev/kmsg that
 * all tests share. So no line is missed: a line that is logged between two tests
 * counts as a line of the second test. Without TPROF_KMSG, a test reads from the end
 * of the log.
 *
 * A test fails if the kernel logs an error or if tprof-lx logs any line, unless the
 * test has printed "# expect-dmesg: TEXT" and the line contains TEXT. A test that
 * exhausts memory prints "# expect-oom", so that stacks logged by the OOM killer are
 * ignored.
 */
#ifndef TPROF_KLOG_H
#define TPROF_KLOG_H

#include <stdbool.h>

#define KLOG_LINES	4096

/**
 * struct klog - the kernel's log during a test
 * @fd:		/dev/kmsg
 * @lines:	unexpected lines
 * @nr_lines:	number of @lines
 * @race:	index in @lines of the first line of the KCSAN report that is being
 *		read, or -1
 * @race_is_ours: the stacks of that report contain a function of tprof-lx
 * @dropped:	first line of the last KCSAN report that was dropped, or NULL
 * @oom:	a report of the OOM killer is being read
 */
struct klog {
	int	fd;
	char	*lines[KLOG_LINES];
	int	nr_lines;
	int	race;
	bool	race_is_ours;
	char	*dropped;
	bool	oom;
};

int klog_open(struct klog *klog);
int klog_skip(struct klog *klog);
int klog_begin_test(const struct klog *klog, const char *name);
void klog_read(struct klog *klog, const char *printed);

#endif /* TPROF_KLOG_H */
