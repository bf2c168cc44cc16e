/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a process that runs functions of the test, for sessions with targets
 *
 * As in common.h, a function that can fail returns -errno, and no function prints.
 */
#ifndef TPROF_SELFTESTS_TARGET_H
#define TPROF_SELFTESTS_TARGET_H

#include <sys/types.h>

#include "harness/common.h"

/**
 * struct target - a child process
 * @pid:	process id of the child
 * @key:	key of the events that its functions cause
 * @to_child:	pipe for requests
 * @to_parent:	pipe for results
 */
struct target {
	pid_t	pid;
	__u32	key;
	int	to_child[2];
	int	to_parent[2];
};

/* A function that a target runs. It returns 0 or -errno. */
typedef int (*target_function_t)(struct target *target, __u64 argument);

int target_start(struct target *target, __u32 key, int depth);
int target_ask(struct target *target, target_function_t function, __u64 argument);
int target_wait(struct target *target);
int target_do(struct target *target, target_function_t function, __u64 argument);
void target_end(struct target *target);
int target_call_kernel(struct target *target, __u64 ms);
bool process_is(pid_t pid, char state);

#endif /* TPROF_SELFTESTS_TARGET_H */
