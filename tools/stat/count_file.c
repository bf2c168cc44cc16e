// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - the recording of --record
 */
#include <errno.h>
#include <unistd.h>

#include "cli/recording_file.h"
#include "cli/say.h"
#include "stat/count_file.h"

/*
 * Describe the events as perf stat does. All have identifiers in their records, without which perf
 * refuses a file of several events.
 */
static void describe_events(struct count_file *file, const struct counting *counting,
			    struct perfdata_event *events)
{
	u32 i;

	for (i = 0; i < counting->nr_events; i++) {
		file->counts.ids[i] = i + 1;
		events[i] = (struct perfdata_event){ .attr = counting->events[i].attr,
						     .id = file->counts.ids[i],
						     .name = counting->events[i].name };
		events[i].attr.sample_period = 0;
		events[i].attr.sample_type = PERF_SAMPLE_IDENTIFIER;
	}
}

static int begin(struct count_file *file, const struct counting *counting,
		 const struct stat_options *opts)
{
	struct perfdata_event events[TPROF_LX_MAX_EVENTS];
	int err;

	describe_events(file, counting, events);
	features_add_host(&file->features);
	features_add_command(&file->features, opts->nr_words, opts->words);
	features_add_events(&file->features, events, counting->nr_events);
	err = writer_begin(&file->writer, file->fd, false, events, counting->nr_events,
			   &file->features);
	file->writer.tail = features_size(&file->features);
	return err;
}

/*
 * Open the file of --record, if it is given, and write its header. Return STATUS_OK, or print an
 * error and return another status.
 */
int count_file_open(struct count_file *file, const struct counting *counting,
		    const struct stat_options *opts)
{
	bool pipe;
	int err;

	file->name = opts->record;
	if (!file->name)
		return STATUS_OK;
	file->fd = recording_file_open(file->name, &pipe);
	if (file->fd < 0 && file->fd != -ENOTTY)
		return say_failure(file->fd, file->name);
	if (pipe || !recording_file_is_regular(file->fd))
		return say_usage("stat: --record needs a file, but %s is none; name one with --record=FILE",
				 file->name);
	file->is_open = true;
	file->follows = opts->comm.follow;
	file->counts.counting = counting;
	file->counts.interval = opts->interval;
	file->counts.per_cpu = opts->per_cpu;
	file->counts.per_thread = opts->per_thread;
	file->counts.comm = *opts->command ? *opts->command : "";
	err = begin(file, counting, opts);
	return err ? say_failure(err, file->name) : STATUS_OK;
}

/*
 * Append the counts that were read last, of @targets, at @elapsed ns after the start. Return
 * STATUS_OK, or print an error and return another status.
 */
int count_file_round(struct count_file *file, const struct pid_list *targets, u64 elapsed)
{
	struct bytes out = { 0 };
	size_t written;
	int err;

	if (!file->is_open)
		return STATUS_OK;
	file->counts.pid = targets->nr == 1 && !file->follows ? targets->pids[0] : -1;
	counts_write_round(&file->counts, &out, elapsed);
	err = bytes_err(&out);
	if (!err)
		err = writer_append(&file->writer, out.data, out.len, &written);
	bytes_free(&out);
	return err ? say_failure(err, file->name) : STATUS_OK;
}

/*
 * Complete the file, if it is open, or empty it after a failure. Return STATUS_OK, or print an
 * error and return another status.
 */
int count_file_close(struct count_file *file, bool has_failed)
{
	int err = 0;

	if (!file->is_open)
		return STATUS_OK;
	file->is_open = false;
	if (has_failed)
		recording_file_leave_empty(file->fd, file->name);
	else
		err = writer_end(&file->writer, &file->features);
	if (close(file->fd) && !err)
		err = -errno;
	features_free(&file->features);
	return err ? say_failure(err, file->name) : STATUS_OK;
}
