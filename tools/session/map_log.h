/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which executable mappings each process had at which time
 *
 * Records of different CPUs are not in the order of their times. So all mappings are kept with
 * their times, and chosen when a chain is walked.
 */
#ifndef TPROF_MAP_LOG_H
#define TPROF_MAP_LOG_H

#include "base/hash_table.h"
#include "perfdata/record_types.h"
#include "session/table_store.h"
#include "walk/stack_walk.h"

/**
 * struct logged_map - a mapping, or an execve(2)
 * @time:	when it was made
 * @start:	first address
 * @end:	address after it; 0 for an execve(2), which removes all earlier mappings
 * @offset:	file offset of @start
 * @file:	the file, or NULL if it has no build-id
 */
struct logged_map {
	u64	time;
	u64	start;
	u64	end;
	u64	offset;
	struct stored_table *file;
};

/**
 * struct logged_process - a process
 * @pid:	its id
 * @parent:	id of the process that it was forked from; 0 for none
 * @began:	when it was
 * @forked:	when it has forked another last; 0 for never
 * @ended:	when it exited; 0 if it has not
 * @maps:	what it has mapped, in the order of the times
 * @nr:		number of @maps
 * @room:	capacity of @maps
 */
struct logged_process {
	u32	pid;
	u32	parent;
	u64	began;
	u64	forked;
	u64	ended;
	struct logged_map *maps;
	size_t	nr;
	size_t	room;
};

/**
 * struct map_log - the mappings of all processes; empty if all members but @store are zero
 * @store:	where the files of mappings have their tables
 * @processes:	the processes, by id
 * @nr:		number of mappings in all
 * @nr_lost:	number of mappings and processes for which there was no memory
 */
struct map_log {
	struct table_store *store;
	struct hash_table processes;
	u64	nr;
	u64	nr_lost;
};

void map_log_map(struct map_log *log, u64 time, const struct map_record *record);
void map_log_fork(struct map_log *log, u64 time, u32 parent, u32 child);
void map_log_exec(struct map_log *log, u64 time, u32 pid);
void map_log_exit(struct map_log *log, u64 time, u32 pid);
void map_log_forget_ended(struct map_log *log);
u32 map_log_at(const struct map_log *log, u64 time, u32 pid, struct walk_map *maps);
void map_log_free(struct map_log *log);

#endif /* TPROF_MAP_LOG_H */
