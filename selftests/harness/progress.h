/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a target that causes events until its test ends it
 */
#ifndef TPROF_SELFTESTS_PROGRESS_H
#define TPROF_SELFTESTS_PROGRESS_H

#include "harness/target.h"

/**
 * struct progress - what the test and its target know of each other
 * @begun:	number of events that have begun
 * @ended:	number of events that have ended
 * @is_over:	the target must end
 */
struct progress {
	__u64	begun;
	__u64	ended;
	bool	is_over;
};

extern volatile struct progress *progress;

int progress_share(void);
int count_until_over(struct target *target, __u64 cpu);

#endif /* TPROF_SELFTESTS_PROGRESS_H */
