// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the command that is recorded or counted
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"
#include "live/child.h"

/*
 * Set @identity to the user that ran sudo. Without sudo, leave it unchanged.
 */
void identity_of_invoker(struct identity *identity)
{
	const char *uid_text = getenv("SUDO_UID");
	const char *gid_text = getenv("SUDO_GID");
	struct passwd *user;
	u64 uid, gid;

	if (geteuid() != 0 || !uid_text || !gid_text || parse_u64(uid_text, &uid) ||
	    parse_u64(gid_text, &gid) || !uid || uid >= (uid_t)-1 || gid >= (gid_t)-1)
		return;
	identity->changed = true;
	identity->uid = uid;
	identity->gid = gid;
	user = getpwuid(uid);
	if (!user)
		return;
	snprintf(identity->name, sizeof(identity->name), "%s", user->pw_name);
	snprintf(identity->home, sizeof(identity->home), "%s", user->pw_dir);
}

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode) || access(path, X_OK))
		return -EACCES;
	return 0;
}

/*
 * Find the file of a command: @command is a path, or a name to look up in $PATH. Return 0 and
 * set @path, or return -errno. Even if this returns 0, execvp() may fail.
 */
int child_locate(const char *command, char path[CHILD_PATH])
{
	const char *dir = getenv("PATH") ?: "/bin:/usr/bin";	/* default of execvp() */
	int err = -ENOENT;
	size_t len;

	if (strchr(command, '/')) {
		snprintf(path, CHILD_PATH, "%s", command);
		err = check_file(command);
		/*
		 * On NFS, root may have no access to a file that another user can run. If
		 * root cannot look up @command, assume that it exists.
		 */
		return err == -EACCES && !geteuid() && access(command, F_OK) ? 0 : err;
	}
	for (; dir && err; dir = *dir ? dir + 1 : NULL) {
		len = strcspn(dir, ":");
		if (snprintf(path, CHILD_PATH, "%.*s/%s", (int)(len ? len : 1), len ? dir : ".",
			     command) < CHILD_PATH)
			err = check_file(path) == 0 ? 0 : -ENOENT;
		dir += len;
	}
	return err;
}

/* Check that a command exists: if it was mistyped, tprof-lx must not overwrite a file. */
int child_find(const char *command)
{
	char path[CHILD_PATH];

	return child_locate(command, path);
}

static int become(const struct identity *identity)
{
	if (!identity->changed)
		return 0;
	if (identity->name[0] ? initgroups(identity->name, identity->gid) :
				setgroups(1, &identity->gid))
		return -errno;
	if (setgid(identity->gid) || setuid(identity->uid))
		return -errno;
	if (identity->name[0]) {
		setenv("HOME", identity->home, 1);
		setenv("USER", identity->name, 1);
		setenv("LOGNAME", identity->name, 1);
	}
	return 0;
}

/* In the child: wait for child_release(), then exec. Do not return. */
static void run_child(int go, int failure, char **argv, const struct identity *identity)
{
	char byte;
	int err;

	if (read(go, &byte, 1) != 1)
		_exit(STATUS_CANNOT_RUN);
	err = become(identity);
	if (!err && identity->no_stdout && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		err = -errno;
	if (!err) {
		execvp(argv[0], argv);
		err = -errno;
	}
	/* If write() fails, the parent has ended and does not need the error. */
	if (write(failure, &err, sizeof(err)) != sizeof(err))
		_exit(STATUS_CANNOT_RUN);
	_exit(child_status(err));
}

static void close_pair(int pair[2])
{
	close(pair[0]);
	close(pair[1]);
}

/*
 * Fork a child that waits for child_release() before it execs the command. Call this
 * before blocking signals and dropping capabilities: the command inherits the signal
 * mask and the capabilities.
 */
int child_prepare(struct child *child, char **argv, const struct identity *identity)
{
	int go[2], failure[2], err;

	/* With SIGCHLD ignored, wait4() would return no exit status. */
	signal(SIGCHLD, SIG_DFL);
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failure, O_CLOEXEC)) {
		err = -errno;
		close_pair(go);
		return err;
	}
	child->pid = fork();
	if (child->pid == 0) {
		close(go[1]);
		run_child(go[0], failure[1], argv, identity);
	}
	err = child->pid < 0 ? -errno : 0;
	close(go[0]);
	close(failure[1]);
	child->go = go[1];
	child->failure = failure[0];
	child->pidfd = err ? -1 : pidfd_open(child->pid, 0);
	if (!err && child->pidfd < 0)
		err = -errno;
	if (err) {
		close(child->go);
		close(child->failure);
		child->pid = 0;
	}
	return err;
}

/* Let the child exec the command. Return 0, or -errno if exec failed. */
int child_release(struct child *child)
{
	int err = 0, failure;

	if (write(child->go, "", 1) != 1)
		err = -errno;
	close(child->go);
	child->go = -1;
	if (read(child->failure, &failure, sizeof(failure)) == sizeof(failure))
		err = failure;
	close(child->failure);
	return err;
}

/* Wait until the command ends. Return its exit status as a shell reports it. */
int child_wait(struct child *child)
{
	int status;

	while (wait4(child->pid, &status, 0, &child->usage) < 0) {
		if (errno != EINTR)
			return STATUS_CANNOT_RUN;
	}
	close(child->pidfd);
	child->pid = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * Wait for the command to end. If child_release() was not called, make the child
 * exit first. If @child has no command, do nothing.
 */
void child_see_off(struct child *child)
{
	if (!child->pid)
		return;
	if (child->go >= 0)
		close(child->go);
	child_wait(child);
}

/* Send @signal to the command. */
void child_end(struct child *child, int signal)
{
	pidfd_send_signal(child->pidfd, signal, NULL, 0);
}
