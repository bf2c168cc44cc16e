// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - open the recording that a command reads
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/say.h"
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
 * Open a recording and read its header into @reader. Return a file descriptor, or print a
 * message and return -errno. The caller closes both with close_input().
 */
int open_input(const char *name, struct reader *reader)
{
	bool from_stdin = !strcmp(name, "-");
	int fd = from_stdin ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0) {
		err = -errno;
		if (err == -ENOENT)
			say_error("%s does not exist; record it first, or name another file",
				  printable(name));
		else
			say_failure(err, name);
		return err;
	}
	objects_allow_many_files();
	err = reader_open(reader, fd);
	if (!err)
		return fd;
	say_input_failed(name, err, &reader->msg);
	close(fd);
	return err;
}

static const char *plural(u64 nr)
{
	return nr == 1 ? "" : "s";
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
