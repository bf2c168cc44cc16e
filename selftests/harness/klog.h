/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - what the kernel says during a test, and what of it is trouble
 *
 * It is read from the file descriptor TPROF_KMSG, which all tests share, so that
 * nothing between two of them is lost: it is the second one's. Where there is no
 * TPROF_KMSG, a test begins with what comes next.
 *
 * A line that tells of trouble is trouble, and so is any line of tprof-lx, unless the
 * test printed before that the line would come ("# expect-dmesg: TEXT"), or that memory
 * would come to an end ("# expect-oom"), which takes the stacks of those who ask for it.
 */
#ifndef TPROF_KLOG_H
#define TPROF_KLOG_H

#include <stdbool.h>

#define KLOG_LINES	4096

/**
 * struct klog - what was said
 * @fd:		log
 * @lines:	what is trouble
 * @nr_lines:	how many
 * @race:	index of the first line of a data race that is being told, or -1
 * @race_is_ours: it is in our code
 * @dropped:	the last data race that was the kernel's own, or NULL
 * @oom:	the kernel tells whom it kills for want of memory
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
int klog_tell_begin(const struct klog *klog, const char *name);
void klog_read(struct klog *klog, const char *printed);

#endif /* TPROF_KLOG_H */
