/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - give a number to each combination of task, CPU, time and weight that keys depend on
 */
#ifndef TPROF_SUBJECTS_H
#define TPROF_SUBJECTS_H

#include "profile/profile.h"

/**
 * struct subject - a task, a CPU, a time and a weight; members that keys and filter do not use are
 * 0
 * @number:	number of this combination, 0 if no member is used
 * @pid:	process
 * @tid:	thread
 * @cpu:	CPU
 * @slice:	start of the time slice
 * @weight:	weight of the sample
 * @comm:	name of the thread; equal names are the same pointer
 */
struct subject {
	u32	number;
	u32	pid;
	u32	tid;
	u32	cpu;
	u64	slice;
	u64	weight;
	const char *comm;
};

#define RECENT_SUBJECTS	256

/**
 * struct subjects - all combinations of task, CPU and time so far
 * @table:	the combinations
 * @recent:	cache of combinations, indexed by thread and CPU
 * @none:	the only combination if no member of struct subject is used
 * @members:	mask of SUBJECT_*: the members of struct subject that are used
 */
struct subjects {
	struct hash_table table;
	const struct subject *recent[RECENT_SUBJECTS];
	struct subject none;
	u32	members;
};

void subjects_init(struct subjects *subjects, const struct profile_keys *keys, bool needs_comm);
const struct subject *subjects_search(struct subjects *subjects, const struct sample *sample,
				      const char *comm);
void subjects_free(struct subjects *subjects);

/*
 * Find or add the combination of a sample. Return NULL if out of memory.
 *
 * @sample: only @pid, @tid, @cpu, @slice and @weight are used
 * @tasks: names of threads at the time of the sample
 */
static inline const struct subject *subjects_find(struct subjects *subjects,
						  struct task_set *tasks,
						  const struct sample *sample)
{
	if (!subjects->members)
		return &subjects->none;
	return subjects_search(subjects, sample,
			       subjects->members & SUBJECT_COMM ? tasks_name(tasks, sample->tid) :
								  NULL);
}

/* Return a sample with the members that @subject has. */
static inline struct sample subject_sample(const struct subject *subject)
{
	return (struct sample){ .pid = subject->pid, .tid = subject->tid, .cpu = subject->cpu,
				.slice = subject->slice, .weight = subject->weight };
}

#endif /* TPROF_SUBJECTS_H */
