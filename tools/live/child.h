/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the command that is recorded
 *
 * It is forked early, when nothing is known of it but its process id, and
 * waits until the recording runs before it becomes the command.
 */
#ifndef TPROF_CHILD_H
#define TPROF_CHILD_H

#include <errno.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/types.h"

/* What shells end with when a command could not be run, and was not there. */
#define STATUS_CANNOT_RUN	126
#define STATUS_NOT_FOUND	127

/**
 * struct identity - the user whom a command runs as, and with what
 * @changed:	another one than ours
 * @uid:	its id
 * @gid:	its group
 * @name:	its name, for its other groups; empty when unknown
 * @home:	its home directory
 * @no_stdout:	its stdout is our stderr: ours carries the recording
 */
struct identity {
	bool	changed;
	uid_t	uid;
	gid_t	gid;
	char	name[64];
	char	home[256];
	bool	no_stdout;
};

/**
 * struct child - the command
 * @pid:	its process; 0 when there is none
 * @pidfd:	readable when it has ended
 * @go:		closing it unwritten makes it exit, a byte makes it run; -1 when it does
 * @failure:	the errno of exec comes here, or nothing
 * @usage:	what it used, once it was waited for
 */
struct child {
	pid_t	pid;
	int	pidfd;
	int	go;
	int	failure;
	struct rusage usage;
};

/* What a shell ends with when exec failed with @err. */
static inline int child_status(int err)
{
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

void identity_of_invoker(struct identity *identity);
int child_find(const char *command);
int child_prepare(struct child *child, char **argv, const struct identity *identity);
int child_release(struct child *child);
int child_wait(struct child *child);
void child_see_off(struct child *child);
void child_end(struct child *child, int signal);

#endif /* TPROF_CHILD_H */
