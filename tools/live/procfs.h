/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read processes, threads and mappings from /proc
 */
#ifndef TPROF_PROCFS_H
#define TPROF_PROCFS_H

#include "base/types.h"
#include "perfdata/record_make.h"

#define COMM_LEN	16

/**
 * struct process - a process and its parent
 * @pid:	its id
 * @ppid:	its parent's id
 * @wanted:	set by process_table_want()
 */
struct process {
	s32	pid;
	s32	ppid;
	bool	wanted;
};

/**
 * struct process_table - all processes
 * @all:	the processes, in no particular order
 * @nr:		number of processes
 */
struct process_table {
	struct process *all;
	size_t	nr;
};

int process_table_read(struct process_table *table);
void process_table_want(struct process_table *table, const s32 *pids, u32 nr);
void process_table_free(struct process_table *table);
s32 procfs_process_of(s32 task);
int procfs_parent(s32 pid, s32 *ppid);
int procfs_comm(s32 pid, s32 tid, char comm[COMM_LEN]);
int procfs_each_thread(s32 pid, int (*visit)(void *arg, s32 pid, s32 tid), void *arg);
bool procfs_parse_map(char *line, struct mapping *map);

#endif /* TPROF_PROCFS_H */
