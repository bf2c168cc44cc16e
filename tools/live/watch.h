/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - watch for the end of the command, or of all processes of -p
 *
 * One process is watched at a time. When a process of -p has ended, the next one that
 * still runs is watched, until none is left.
 */
#ifndef TPROF_WATCH_H
#define TPROF_WATCH_H

#include "base/parse.h"
#include "live/child.h"
#include "live/device.h"

/**
 * struct watch - the watched process
 * @fd:		its pidfd, readable when it has ended; -1 if no process is watched
 * @targets:	the processes of -p that are left, the watched one first; NULL if the
 *		command is watched
 */
struct watch {
	int	fd;
	struct pid_list *targets;
};

int watch_begin(struct watch *watch, const struct child *child, struct pid_list *targets);
int watch_session(struct watch *watch, const struct child *child, struct pid_list *targets,
		  const struct tprof_lx_info *info);
int watch_next(struct watch *watch);
void watch_end(struct watch *watch);

#endif /* TPROF_WATCH_H */
