/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - find trouble in what the kernel logs during a test
 *
 * All tests share the file descriptor TPROF_KMSG, so that no line between two
 * tests is lost: it counts for the second one. Without TPROF_KMSG, a test begins
 * at the log's end.
 *
 * A line that reports an error of the kernel is trouble, and so is any line of
 * tprof-lx. A test that expects a line prints "# expect-dmesg: TEXT". A test that
 * takes memory away prints "# expect-oom": then the stacks that the OOM killer
 * logs are no trouble.
 */
#ifndef TPROF_KLOG_H
#define TPROF_KLOG_H

#include <stdbool.h>

#define KLOG_LINES	4096

/**
 * struct klog - the kernel's log during a test
 * @fd:		/dev/kmsg
 * @lines:	lines that are trouble
 * @nr_lines:	number of @lines
 * @race:	index of the first line of the data race that is being read, or -1
 * @race_is_ours: our code is in its stacks
 * @dropped:	first line of the last data race that was the kernel's own, or NULL
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
