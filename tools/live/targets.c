// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes of -p
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

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

/* Return true if this process is one of @targets, or a descendant of one. */
static bool include_this(const struct pid_list *targets)
{
	s32 pid = getpid();

	while (pid > 0) {
		if (pid_list_has(targets, pid))
			return true;
		if (procfs_parent(pid, &pid))
			break;
	}
	return false;
}

/*
 * Return true if the module stops the session when @targets and their descendants have
 * ended. An older module does not. If this process is a target itself, it would wait for
 * its own end.
 */
bool targets_end_session(const struct pid_list *targets, const struct tprof_lx_info *info)
{
	return info->features & TPROF_LX_FEATURE_ENDING && !include_this(targets);
}
