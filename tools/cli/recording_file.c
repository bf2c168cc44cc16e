// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - open the file of a new recording
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/recording_file.h"
#include "cli/say.h"

/*
 * Rename a regular file to PATH.old, unless it is empty. Return 1 if the file was
 * renamed; 0 if there is nothing to keep; else -errno.
 */
static int keep_old(const char *path)
{
	struct stat st;
	char *old;
	int ret = 1;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	if (rename(path, old))
		ret = -errno;
	free(old);
	return ret;
}

/*
 * Open the output. This process may be root, in a directory where other users can create
 * files. It must not overwrite a file elsewhere through a link that another user made:
 * - if keep_old() renamed the old file, O_EXCL refuses any file that was created since;
 * - otherwise, O_NOFOLLOW refuses a symlink, unless the user chose @path. An empty file, a
 *   FIFO or a device at @path is opened as it is.
 */
static int open_file(const char *path, bool is_chosen)
{
	int fd, flags = is_chosen ? 0 : O_NOFOLLOW;
	int kept = keep_old(path);

	if (kept < 0)
		return kept;
	if (kept)
		flags = O_EXCL;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0600);
	return fd < 0 ? -errno : fd;
}

/*
 * Open the output @path, or stdout for "-". Set *@pipe if it needs the format of a pipe. Return a
 * file descriptor, or -errno; -ENOTTY if stdout is a terminal.
 */
int recording_file_open(const char *path, bool *pipe)
{
	struct stat st;
	int fd;

	*pipe = !strcmp(path, "-");
	if (*pipe)
		return isatty(STDOUT_FILENO) ? -ENOTTY : STDOUT_FILENO;
	fd = open_file(path, strcmp(path, DEFAULT_OUTPUT));
	if (fd < 0)
		return fd;
	*pipe = !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	return fd;
}

bool recording_file_is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/* Truncate an incomplete file to 0 bytes, so that keep_old() does not keep it as .old. */
void recording_file_leave_empty(int fd, const char *name)
{
	if (recording_file_is_regular(fd) && ftruncate(fd, 0))
		say_failure(-errno, name);
}
