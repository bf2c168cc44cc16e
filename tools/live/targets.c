// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes of -p
 */
#include <errno.h>
#include <signal.h>

#include "live/procfs.h"
#include "live/targets.h"

/*
 * Set @targets to the processes of @tasks. The module takes process ids only, so replace
 * a thread id by its process id.
 */
void targets_choose(struct pid_list *targets, const struct pid_list *tasks)
{
	u32 i;

	for (i = 0; i < tasks->nr; i++)
		targets->pids[i] = procfs_process_of(tasks->pids[i]);
	targets->nr = tasks->nr;
}

/* Remove ended processes. A zombie stays. */
void targets_drop_ended(struct pid_list *targets)
{
	u32 i, nr = 0;

	for (i = 0; i < targets->nr; i++) {
		if (kill(targets->pids[i], 0) == 0 || errno != ESRCH)
			targets->pids[nr++] = targets->pids[i];
	}
	targets->nr = nr;
}
