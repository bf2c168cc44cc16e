// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - write the recording that a command makes of others
 */
#include <string.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "cli/progress.h"
#include "cli/recording_output.h"
#include "cli/say.h"
#include "perfdata/record_make.h"

/* Number of bytes to write at a time. */
#define BATCH		(256U << 10)

/* Number of records between two FINISHED_ROUND records, after which readers free memory. */
#define ROUND		65536

/* Return true for a pipe or device. The header of a recording is written last. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") ||
	       (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/*
 * Check the value of option -o, which may be NULL. Return STATUS_OK, or print a message and return
 * STATUS_USAGE.
 */
int recording_output_check(const char *command, const char *path)
{
	if (!path)
		return say_usage("%s: no output; give -o FILE", command);
	if (is_pipe(path))
		return say_usage("%s: the output cannot be a pipe or a device; give -o FILE",
				 command);
	return STATUS_OK;
}

/* Write all of @output->records. Return 0 or -errno. */
int recording_output_flush(struct recording_output *output)
{
	struct bytes *records = output->records;
	size_t written;
	int err = bytes_err(records);

	if (!err)
		err = writer_append(&output->writer, records->data, records->len, &written);
	records->len = 0;
	return err;
}

/*
 * Note that a record of @reader was added to @output->records, or left out. Write many at a time,
 * and show progress. Return 0 or -errno.
 */
int recording_output_next(struct recording_output *output, const struct reader *reader)
{
	if (!(++output->nr % ROUND)) {
		record_finished_round(output->records);
		progress_show(reader);
	}
	return output->records->len >= BATCH ? recording_output_flush(output) : 0;
}

/*
 * Say that recording @path, which was written, lacks @nr records, the first one of @type. Return
 * STATUS_FAILED.
 */
int say_left_out(const char *path, u64 nr, u32 type)
{
	return say_error("%s was written without %llu record%s that cannot be moved, such as of type %u; 'perf script -D' shows them",
			 printable(path), nr, nr == 1 ? "" : "s", type);
}
