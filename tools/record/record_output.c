// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - open the output and write its header
 */
#include <errno.h>

#include "cli/recording_file.h"
#include "cli/say.h"
#include "record/record_output.h"

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

/*
 * Open the output and write its header. @argc and @argv are the command line, which is
 * stored as a feature. Return STATUS_OK, or print an error and return another status.
 */
int record_begin_output(struct recording *rec, const char *path, int argc, char **argv)
{
	bool pipe;
	int err, fd = recording_file_open(path, &pipe);

	if (fd == -ENOTTY)
		return say_usage("record: -o - writes binary data, but stdout is a terminal; redirect stdout");
	if (fd < 0)
		return say_failure(fd, rec->output);
	if (rec->embeds && !recording_file_is_regular(fd))
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
		recording_file_leave_empty(fd, rec->output);
	return say_failure(err, rec->output);
}

/* Return true if the output is a regular file, which can be read again. */
bool record_has_file(const struct recording *rec)
{
	return recording_file_is_regular(rec->writer.fd);
}

/* Empty the output file. Call this if the recording fails after record_begin_output(). */
void record_leave_empty(const struct recording *rec)
{
	if (!rec->writer.pipe)
		recording_file_leave_empty(rec->writer.fd, rec->output);
}
