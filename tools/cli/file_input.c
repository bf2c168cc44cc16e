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

/* Print how many records of the file came too late, are unknown, or belong to no event. */
void say_input_notes(const char *name, const struct reader *reader)
{
	if (reader->queue.nr_late)
		say_note("%s: %llu records came too late to be put in order", printable(name),
			 reader->queue.nr_late);
	if (reader->nr_unknown)
		say_note("%s: %llu records have unknown types, such as type %u",
			 printable(name), reader->nr_unknown, reader->unknown_type);
	if (reader->nr_orphans)
		say_note("%s: %llu samples belong to no event of the file", printable(name),
			 reader->nr_orphans);
}

/*
 * Open a recording and read its header into @reader, which the caller closes with
 * reader_close(). Return a file descriptor, or print a message and return -errno.
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
