/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the command that is recorded or counted
 *
 * A child is forked before the session is set up, because the session needs the process
 * id of the command. The child execs the command after child_release().
 */
#ifndef TPROF_CHILD_H
#define TPROF_CHILD_H

#include <errno.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/types.h"

/* Maximum size of the path of a command, with the terminating zero. */
#define CHILD_PATH		4096

/* Exit status of a shell if a command cannot be run or does not exist. */
#define STATUS_CANNOT_RUN	126
#define STATUS_NOT_FOUND	127

/**
 * struct identity - the user and the stdout of a command
 * @changed:	the command runs as another user than tprof-lx
 * @uid:	the user's id
 * @gid:	the user's group
 * @name:	the user's name, for initgroups(); empty if unknown
 * @home:	the user's home directory
 * @no_stdout:	redirect the command's stdout to stderr, because tprof-lx writes
 *		its own output to stdout
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
 * @pid:	process id of the child, 0 without a command
 * @pidfd:	pidfd of the child, readable when the child has ended
 * @go:		pipe to the child: a byte lets it exec, end of file makes it exit;
 *		-1 after child_release()
 * @failure:	pipe from the child: -errno if exec failed, else end of file
 * @usage:	resource usage of the command, set by child_wait()
 */
struct child {
	pid_t	pid;
	int	pidfd;
	int	go;
	int	failure;
	struct rusage usage;
};

/* Return a shell's exit status for an exec that failed with @err. */
static inline int child_status(int err)
{
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

void identity_of_invoker(struct identity *identity);
int child_find(const char *command);
int child_locate(const char *command, char path[CHILD_PATH]);
int child_prepare(struct child *child, char **argv, const struct identity *identity);
int child_release(struct child *child);
int child_wait(struct child *child);
void child_see_off(struct child *child);
void child_end(struct child *child, int signal);

#endif /* TPROF_CHILD_H */
