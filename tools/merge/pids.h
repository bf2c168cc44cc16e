/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - numbers of processes and threads that are unique in the output
 *
 * A number stays as it is until another recording has it, too. Then that one gets the next
 * free number in steps of PIDS_STEP, above all numbers that Linux has.
 */
#ifndef TPROF_MERGE_PIDS_H
#define TPROF_MERGE_PIDS_H

#include "base/hash_table.h"

/* The kernel's PID_MAX_LIMIT. */
#define PIDS_STEP	(4U << 20)

#define PIDS_RECENT	1024

/**
 * struct pid_owner - a number in the output
 * @number:	the number
 * @source:	the recording that has it
 * @pid:	its number in that recording
 */
struct pid_owner {
	u32	number;
	u32	source;
	u32	pid;
};

/**
 * struct pids - all numbers in the output; empty if all members are zero
 * @owners:	struct pid_owner, by number
 * @recent:	cache of @owners
 * @nr_changed:	number of processes and threads that have another number in the output
 * @err:	-ENOMEM, or -EOVERFLOW if there was no number left for @failed; else 0
 * @failed:	a number in a recording
 */
struct pids {
	struct hash_table owners;
	struct pid_owner recent[PIDS_RECENT];
	u64	nr_changed;
	int	err;
	u32	failed;
};

u32 pids_map(struct pids *pids, u32 source, u32 pid);
void pids_free(struct pids *pids);

#endif /* TPROF_MERGE_PIDS_H */
