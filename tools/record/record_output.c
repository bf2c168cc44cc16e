// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - open the output and write its header
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "record/record_options.h"
#include "record/record_output.h"

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

static int open_output(const char *path, bool *pipe)
{
	struct stat st;
	int fd;

	*pipe = !strcmp(path, "-");
	if (*pipe)
		return isatty(STDOUT_FILENO) ? -ENOTTY : STDOUT_FILENO;
	fd = open_file(path, strcmp(path, RECORD_OUTPUT));
	if (fd < 0)
		return fd;
	*pipe = !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	return fd;
}

static bool is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

static bool is_end_asked(void *ending)
{
	return ending_is_asked(ending);
}

/*
 * Write the header and catch signals. For a file, catch signals first: if a signal killed
 * this process, the header might be incomplete, and the next `record` would keep that
 * file as .old. For a pipe, write first, so that signals still kill this process while it
 * waits for a reader of the pipe.
 */
static int begin_writing(struct recording *rec, int fd, bool pipe)
{
	int err = pipe ? 0 : recording_catch_signals(rec);

	if (!err)
		err = writer_begin(&rec->writer, fd, pipe, rec->events.all, rec->events.nr,
				   &rec->features);
	if (!err && pipe)
		err = recording_catch_signals(rec);
	if (!err)
		rec->writer.hurry = (struct write_hurry){ rec->ending.fd, is_end_asked,
							  &rec->ending };
	return err;
}

/* Truncate an incomplete file to 0 bytes, so that keep_old() does not keep it as .old. */
static void leave_empty(const struct recording *rec, int fd)
{
	if (is_file(fd) && ftruncate(fd, 0))
		say_failure(-errno, rec->output);
}

/*
 * Open the output and write its header. @argc and @argv are the command line, which is
 * stored as a feature. Return STATUS_OK, or print an error and return another status.
 */
int record_begin_output(struct recording *rec, const char *path, int argc, char **argv)
{
	bool pipe;
	int err, fd = open_output(path, &pipe);

	if (fd == -ENOTTY)
		return say_usage("record: -o - writes binary data, but stdout is a terminal; redirect stdout");
	if (fd < 0)
		return say_failure(fd, rec->output);
	if (rec->embeds && !is_file(fd))
		return say_usage("record: --self-contained needs a file, but %s is none; name one with -o",
				 rec->output);
	features_add_host(&rec->features);
	features_add_command(&rec->features, argc, argv);
	features_add_events(&rec->features, rec->events.all, rec->events.nr);
	features_add_clock(&rec->features, rec->clockid);
	if (rec->level)
		features_set_compression(&rec->features, rec->level, 0);
	err = begin_writing(rec, fd, pipe);
	if (!err)
		return STATUS_OK;
	if (!pipe)
		leave_empty(rec, fd);
	return say_failure(err, rec->output);
}

/* Return true if the output is a regular file, which can be read again. */
bool record_has_file(const struct recording *rec)
{
	return is_file(rec->writer.fd);
}

/* Empty the output file. Call this if the recording fails after record_begin_output(). */
void record_leave_empty(const struct recording *rec)
{
	if (!rec->writer.pipe)
		leave_empty(rec, rec->writer.fd);
}
