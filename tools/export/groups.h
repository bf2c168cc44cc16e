/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - sums of samples with equal keys
 */
#ifndef TPROF_EXPORT_GROUPS_H
#define TPROF_EXPORT_GROUPS_H

#include "base/hash_table.h"
#include "base/types.h"

/**
 * struct group - samples with equal keys
 * @comm:	key: name of the thread; equal names are the same pointer
 * @cgroup:	key: path of the cgroup; equal paths are the same pointer
 * @host:	key: name of the host, NULL if the recording is of one; equal names are the same
 *		pointer
 * @pid:	key: the process
 * @tid:	key: the thread
 * @cpu:	key: the CPU, NO_CPU if it was not recorded
 * @event:	key: index of the event in reader.events
 * @stack:	key: the call stack
 * @tuple:	key: keys_find(), 0 without further keys
 * @samples:	number of the samples
 * @weight:	sum of their periods
 *
 * A key that a format does not use, or that was not recorded, is 0 in all its groups.
 */
struct group {
	const char *comm;
	const char *cgroup;
	const char *host;
	u32	pid;
	u32	tid;
	u32	cpu;
	u32	event;
	u32	stack;
	u32	tuple;
	u64	samples;
	u64	weight;
};

#define NO_CPU	(~0U)

/**
 * struct groups - all groups; empty if all members are zero
 * @table:	the groups, by their keys
 * @list:	the groups, in the order of their first samples
 * @room:	capacity of @list
 */
struct groups {
	struct hash_table table;
	struct group *list;
	size_t	room;
};

int groups_add(struct groups *groups, const struct group *sample, u32 *number);
void groups_clear(struct groups *groups);
void groups_free(struct groups *groups);

#endif /* TPROF_EXPORT_GROUPS_H */
