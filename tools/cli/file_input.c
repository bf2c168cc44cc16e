// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - open the recording that a command reads
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number_text.h"
#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "perfdata/feature_cursor.h"
#include "symbols/objects.h"

/* Report that no event of the file has the name @event. Return STATUS_FAILED. */
int say_no_event(const char *name, const char *event, const struct reader *reader)
{
	return say_error("%s has no event '%s'; its first one is '%s'", printable(name),
			 printable(event),
			 reader->nr_events ? printable(reader->events[0].name) : "");
}

/* Report that samples of several events would be added up. Return STATUS_FAILED. */
int say_several_events(const char *name)
{
	return say_error("%s has several events, which cannot be added up; choose one with --event",
			 printable(name));
}

int say_input_failed(const char *name, int err, const struct message *msg)
{
	return say_error("%s: %s", strcmp(name, "-") ? printable(name) : "stdin",
			 msg->text[0] ? printable(msg->text) : strerror(-err));
}

/*
 * Print how to read a directory of perf record --threads. Each of its files has the records of
 * some CPUs, in the order of their times, so that all must be read at a time.
 */
static int say_parts(const char *directory)
{
	const char *name = printable(directory);

	say_error("%s is a directory of perf record --threads; make one file: perf inject -i %s -o - >FILE",
		  name, name);
	return -EISDIR;
}

/*
 * Open the only file of the directory that perf record --kcore has made, and close @directory.
 * Return a file descriptor, or print a message and return -errno.
 */
static int open_within(const char *name, int directory)
{
	bool has_parts = !faccessat(directory, "data.0", F_OK, 0);
	int fd = has_parts ? -1 : openat(directory, "data", O_RDONLY | O_CLOEXEC), err = -errno;

	close(directory);
	if (has_parts)
		return say_parts(name);
	if (fd >= 0)
		return fd;
	if (err == -ENOENT)
		say_error("%s is a directory without a recording; name a file", printable(name));
	else
		say_failure(err, name);
	return err;
}

/* Open the file of a recording. Return a file descriptor, or print a message and return -errno. */
static int open_file(const char *name)
{
	bool from_stdin = !strcmp(name, "-");
	int fd = from_stdin ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC), err = -errno;
	struct stat st;

	if (fd >= 0)
		return !fstat(fd, &st) && S_ISDIR(st.st_mode) ? open_within(name, fd) : fd;
	if (err == -ENOENT)
		say_error("%s does not exist; record it first, or name another file",
			  printable(name));
	else
		say_failure(err, name);
	return err;
}

/*
 * Check that @name, which was opened, is not the first of several files in a directory: it has no
 * samples. Return 0, or print a message and return -errno.
 */
static int check_is_whole(const char *name, const struct reader *reader)
{
	struct feature_cursor cursor = feature_begin(&reader->features, PERFDATA_DIR_FORMAT);
	const char *slash = strrchr(name, '/');
	int len = slash ? slash - name : 1, err = 0;
	char *directory, *part;
	u64 version;

	if (!feature_u64(&cursor, &version) || !version)
		return 0;
	if (asprintf(&directory, "%.*s", len ? len : 1, slash ? name : ".") < 0)
		return -ENOMEM;
	if (asprintf(&part, "%s/data.0", directory) < 0) {
		free(directory);
		return -ENOMEM;
	}
	if (!access(part, F_OK))
		err = say_parts(directory);
	free(part);
	free(directory);
	return err;
}

/*
 * Open a recording and read its header into @reader. Return a file descriptor, or print a
 * message and return -errno. The caller closes both with close_input().
 */
int open_input(const char *name, struct reader *reader)
{
	int fd = open_file(name), err;

	if (fd < 0)
		return fd;
	objects_allow_many_files();
	err = reader_open(reader, fd);
	if (err) {
		say_input_failed(name, err, &reader->msg);
		close(fd);
		return err;
	}
	err = check_is_whole(name, reader);
	if (!err)
		return fd;
	reader_close(reader);
	close(fd);
	return err;
}

static const char *plural(u64 nr)
{
	return by_number(nr, "", "s");
}

/* Print how many records of the file came too late, and how many were not understood. */
static void say_notes(const char *name, const struct reader *reader)
{
	u64 late = reader->queue.nr_late, unknown = reader->nr_unknown;
	u64 malformed = reader->nr_malformed, orphans = reader->nr_orphans;

	if (late)
		say_note("%s: %llu record%s came too late to be put in order", printable(name),
			 late, plural(late));
	if (unknown)
		say_note("%s: found %llu record%s of unknown type, such as %u; update tprof-lx, or record again if it is damaged",
			 printable(name), unknown, plural(unknown), reader->unknown_type);
	if (malformed)
		say_note("%s: left out %llu malformed record%s, the first at %#llx; it is damaged, so record again",
			 printable(name), malformed, plural(malformed), reader->malformed_at);
	if (orphans)
		say_note("%s: left out %llu sample%s of no event; it is damaged, so record again",
			 printable(name), orphans, plural(orphans));
}

/*
 * Close a recording that open_input() has opened. First, say what was not understood of the
 * records read so far.
 */
void close_input(const char *name, struct reader *reader, int fd)
{
	say_notes(name, reader);
	reader_close(reader);
	close(fd);
}
