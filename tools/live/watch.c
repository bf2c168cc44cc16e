// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - watch for the end of the command, or of all processes of -p
 */
#include <errno.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "live/targets.h"
#include "live/watch.h"

/* Watch the first target that still runs. */
static int watch_target(struct watch *watch)
{
	do {
		targets_drop_ended(watch->targets);
		watch->fd = -1;
		if (!watch->targets->nr)
			return -ESRCH;
		watch->fd = pidfd_open(watch->targets->pids[0], 0);
	} while (watch->fd < 0 && errno == ESRCH);
	return watch->fd < 0 ? -errno : 0;
}

/*
 * Watch the command. If there is none, remove the ended processes from @targets, and
 * watch the first one that is left. If there are no targets either, or @targets is
 * NULL, watch nothing. Return 0; -ESRCH if all targets have ended; else another -errno.
 */
int watch_begin(struct watch *watch, const struct child *child, struct pid_list *targets)
{
	*watch = (struct watch){ .fd = child->pid ? child->pidfd : -1,
				 .targets = child->pid ? NULL : targets };
	return child->pid || !targets || !targets->nr ? 0 : watch_target(watch);
}

/*
 * Watch for the end of a session: if the module does not stop it when the processes of -p
 * and their descendants have ended, watch the processes. Without @targets, others may come, so
 * watch nothing but the command. Return the same as watch_begin().
 */
int watch_session(struct watch *watch, const struct child *child, struct pid_list *targets,
		  const struct tprof_lx_info *info)
{
	bool is_stopped = targets && targets_end_session(targets, info);

	return watch_begin(watch, child, is_stopped ? NULL : targets);
}

/*
 * The watched process has ended: watch the next one. Return 0; -ESRCH if there is none;
 * else another -errno.
 */
int watch_next(struct watch *watch)
{
	struct pid_list *targets = watch->targets;

	if (!targets)
		return -ESRCH;
	close(watch->fd);
	/* Remove the process here: targets_drop_ended() would keep a zombie. */
	targets->pids[0] = targets->pids[--targets->nr];
	return watch_target(watch);
}

void watch_end(struct watch *watch)
{
	if (watch->targets && watch->fd >= 0)
		close(watch->fd);
}
