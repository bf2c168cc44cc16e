/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - counts by thread
 *
 * As in common.h, a function that can fail returns -errno, and no function prints.
 */
#ifndef TPROF_SELFTESTS_TALLY_H
#define TPROF_SELFTESTS_TALLY_H

#include "harness/common.h"
#include "harness/target.h"

#define MAX_THREADS	(TPROF_LX_MAX_EXITED + 1024)

/* tally_count_in_threads() needs a multiple of it. */
#define THREADS_AT_ONCE	20

/**
 * struct tally_list - counts of an event by thread
 * @arg:	argument of THREADS, with its results
 * @threads:	threads
 * @listed:	sum of the values of @threads
 */
struct tally_list {
	struct tprof_lx_threads	arg;
	struct tprof_lx_thread	threads[MAX_THREADS];
	__u64			listed;
};

int tally_add(int fd, const char *backend, struct perf_event_attr *attr, __u32 flags);
void attr_reads(struct perf_event_attr *attr, __u32 key);
int tally_add_reads(int fd, __u32 key, __u32 flags);
int tally_list(int fd, __u32 event, struct tally_list *list);
bool tally_adds_up(int fd, __u32 event, struct tally_list *list);

/* For target_do() */
int tally_count(struct target *target, __u64 nr);
int tally_count_in_threads(struct target *target, __u64 nr);

#endif
