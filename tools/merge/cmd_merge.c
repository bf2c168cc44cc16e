// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - make one recording of several
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number_text.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/file_input.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/recording_output.h"
#include "cli/say.h"
#include "merge/merge_hosts.h"
#include "merge/merge_losses.h"
#include "merge/merge_symbols.h"

/**
 * struct merge_options - the parsed command line
 * @output:	-o
 * @files:	the recordings
 * @nr_files:	number of @files
 * @argc:	number of @argv
 * @argv:	the command line
 */
struct merge_options {
	const char *output;
	char	*files[MERGE_MAX_FILES];
	u32	nr_files;
	int	argc;
	char	**argv;
};

static const struct option_row rows[] = {
	OPTION_ROW(struct merge_options, 'o', "output", "FILE", option_text, output,
		   "write FILE; replace it only on success"),
	{ 0 }
};

/* Check that no recording before @source is the same file: its samples would count twice. */
static int check_is_new(const struct merge *merge, u32 nr_before, const struct source *source)
{
	const struct source *other;
	struct stat st, old;
	u32 i;

	if (fstat(source->fd, &st))
		return say_failure(-errno, source->name);
	for (i = 0; i < nr_before; i++) {
		other = &merge->sources[i];
		if (!fstat(other->fd, &old) && old.st_dev == st.st_dev && old.st_ino == st.st_ino)
			return say_error("%s and %s are the same recording; name each once",
					 printable(other->name), printable(source->name));
	}
	return STATUS_OK;
}

static int open_source(const struct merge *merge, u32 nr, const char *output)
{
	struct source *source = &merge->sources[nr];
	int err;

	source->fd = open_input(source->name, &source->reader);
	if (source->fd < 0)
		return STATUS_FAILED;
	if (source->reader.pipe)
		return say_error("%s has the pipe format, which cannot be merged; record to a file",
				 printable(source->name));
	if (output_is(output, source->fd))
		return say_error("%s is a recording to merge; give another name with -o",
				 printable(output));
	if (check_is_new(merge, nr, source))
		return STATUS_FAILED;
	err = build_ids_read(&source->ids, &source->reader.features);
	return err ? say_failure(err, source->name) : STATUS_OK;
}

/* Read the next record of @source. Return STATUS_OK, or print a message. */
static int read_next(struct source *source)
{
	int ret = reader_next(&source->reader, &source->record);

	source->has_record = ret > 0;
	return ret < 0 ? say_input_failed(source->name, ret, &source->reader.msg) : STATUS_OK;
}

static u64 time_of(const struct source *source)
{
	u64 time = source->record.time;

	return time && time != ~0ULL ? time + source->shift : 0;
}

/* Return the recording with the oldest next record, or NULL after the last record. */
static struct source *find_oldest(const struct merge *merge)
{
	struct source *source, *oldest = NULL;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++) {
		source = &merge->sources[i];
		if (source->has_record && (!oldest || time_of(source) < time_of(oldest)))
			oldest = source;
	}
	return oldest;
}

static int write_records(struct merge *merge, struct recording_output *out, const char *output)
{
	struct source *source;
	int err = 0, status = STATUS_OK;
	u32 i;

	for (i = 0; i < merge->nr_sources && !status; i++)
		status = read_next(&merge->sources[i]);
	while (!status && !err && (source = find_oldest(merge))) {
		if (time_of(source) > merge->latest)
			merge->latest = time_of(source);
		err = merge_add_record(merge, source);
		if (err) {
			status = say_input_failed(source->name, err, &source->reader.msg);
			break;
		}
		err = recording_output_next(out, &source->reader);
		status = read_next(source);
	}
	progress_end();
	if (!status && !err)
		err = merge_losses(merge);
	if (!status && !err)
		err = recording_output_flush(out);
	return err && !status ? say_failure(err, output) : status;
}

static void say_notes(const struct merge *merge)
{
	u64 nr_nowhere = 0;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++)
		nr_nowhere += merge->sources[i].kernel.nr_nowhere;
	if (nr_nowhere)
		say_note("%llu kernel addresses outside all mappings were replaced by %#llx",
			 nr_nowhere, KERNEL_NOWHERE);
	if (merge->pids.nr_changed)
		say_note("%llu %s", merge->pids.nr_changed,
			 by_number(merge->pids.nr_changed, "process or thread got a new number",
				   "processes and threads got new numbers"));
	if (merge->jits.nr && merge->symbols != SYMBOLS_MERGED)
		say_note("JIT symbols of %zu %s, are missing; record with --self-contained",
			 merge->jits.nr, by_number(merge->jits.nr, "process, which got a new number",
						   "processes, which got new numbers"));
}

/* Return the name of the last recording that has symbols, or that has none; else NULL. */
static const char *find_symbols(const struct merge *merge, bool has_symbols)
{
	const struct source *source;
	const char *found = NULL;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++) {
		source = &merge->sources[i];
		if (!source->reader.features.section[PERFDATA_TPROF_SYMBOLS].len != has_symbols)
			found = source->name;
	}
	return found;
}

/* Report what the output, which was written, lacks. Return STATUS_OK if it lacks nothing. */
static int report_missing(const struct merge *merge, const char *output)
{
	const char *with = find_symbols(merge, true), *without = find_symbols(merge, false);
	int status = STATUS_OK;

	if (merge->nr_left_out)
		status = say_left_out(output, merge->nr_left_out, merge->left_out);
	if (merge->symbols == SYMBOLS_PARTIAL && with && without)
		status = say_error("%s was written without the symbols in %s: %s has none; record all with --self-contained",
				   printable(output), printable(with), printable(without));
	if (merge->symbols == SYMBOLS_TOO_LARGE)
		status = say_error("%s was written without symbols, which are too large together; merge fewer recordings",
				   printable(output));
	return status;
}

/*
 * Add the symbols in the recordings if all have them: a binary with symbols in the output
 * would hide those that other recordings need from its file. Return 0 or -errno.
 */
static int add_symbols(struct merge *merge, struct feature_set *features)
{
	struct bytes *section = &features->section[PERFDATA_TPROF_SYMBOLS];
	int err;

	if (!find_symbols(merge, true))
		return 0;
	merge->symbols = SYMBOLS_PARTIAL;
	if (find_symbols(merge, false))
		return 0;
	err = merge_symbols(merge, section);
	merge->symbols = err ? SYMBOLS_TOO_LARGE : SYMBOLS_MERGED;
	if (err)
		bytes_free(section);
	return err == -EFBIG ? 0 : err;
}

/* Write the end of the file. */
static int finish(struct merge *merge, const struct merge_options *opts, struct writer *writer)
{
	struct feature_set features = { 0 };
	int err = add_symbols(merge, &features);

	if (!err)
		err = merge_features(merge, opts->argc, opts->argv, &features);
	if (!err)
		err = merge->pids.err;
	if (!err)
		err = writer_end(writer, &features);
	features_free(&features);
	if (err == -EOVERFLOW)
		return say_error("no number is left for process %u; merge fewer recordings",
				 merge->pids.failed);
	return err ? say_failure(err, opts->output) : STATUS_OK;
}

static int write_file(struct merge *merge, const struct merge_options *opts, FILE *file)
{
	struct feature_set none = { 0 };
	struct recording_output out = { .records = &merge->out };
	int status, err = writer_begin(&out.writer, fileno(file), false, merge->events,
				       merge->nr_events, &none);

	if (err)
		return say_failure(err, opts->output);
	status = write_records(merge, &out, opts->output);
	if (status)
		return status;
	return finish(merge, opts, &out.writer);
}

static void free_all(struct merge *merge)
{
	struct source *source;

	while (merge->nr_sources) {
		source = &merge->sources[--merge->nr_sources];
		if (source->fd < 0)
			continue;
		build_ids_free(&source->ids);
		hosts_free(&source->hosts);
		kernel_map_free(&source->kernel);
		close_input(source->name, &source->reader, source->fd);
	}
	free(merge->sources);
	free(merge->source_events);
	free(merge->events);
	pids_free(&merge->pids);
	hash_table_free(&merge->jits, free);
	hash_table_free(&merge->hosts, free);
	hash_table_free(&merge->ids, free);
	free(merge->event_ids);
	kernels_free(&merge->kernels);
	bytes_free(&merge->out);
}

static int merge_sources(struct merge *merge, const struct merge_options *opts, FILE *file)
{
	int err, status = merge_events(merge);

	if (status)
		return status;
	err = merge_hosts(merge);
	if (err)
		return say_failure(err, "merge");
	merge_clocks(merge);
	status = write_file(merge, opts, file);
	if (!status)
		say_notes(merge);
	return status;
}

/* Open the recordings, until one cannot be opened. */
static int open_sources(struct merge *merge, const struct merge_options *opts)
{
	int status = STATUS_OK;
	u32 i;

	merge->sources = calloc(opts->nr_files, sizeof(*merge->sources));
	if (!merge->sources)
		return say_failure(-ENOMEM, "merge");
	for (i = 0; i < opts->nr_files && !status; i++) {
		merge->sources[i].name = opts->files[i];
		merge->sources[i].number = i;
		merge->nr_sources++;
		status = open_source(merge, i, opts->output);
	}
	return status;
}

static int merge_files(const struct merge_options *opts)
{
	struct merge merge = { 0 };
	struct output output;
	int status = output_open(&output, opts->output, -1);

	if (status)
		return status;
	status = open_sources(&merge, opts);
	if (!status)
		status = merge_sources(&merge, opts, output.file);
	status = output_close(&output, status);
	if (!status)
		status = report_missing(&merge, opts->output);
	free_all(&merge);
	return status;
}

/* Parse the options before, between and after the recordings. Leave @argv as it is. */
static int read_files(struct merge_options *opts, const struct command *self, int argc, char **argv)
{
	int at = options_parse(self, opts, argc, argv), next;
	char *file;

	while (at < argc) {
		if (opts->nr_files == MERGE_MAX_FILES)
			return say_usage("merge: more than %d recordings; merge some of them, then the outputs",
					 MERGE_MAX_FILES);
		file = argv[at];
		opts->files[opts->nr_files++] = file;
		argv[at] = argv[0];
		next = at + options_parse(self, opts, argc - at, argv + at);
		argv[at] = file;
		at = next;
	}
	return STATUS_OK;
}

static int check_files(const struct merge_options *opts)
{
	int status = recording_output_check("merge", opts->output);
	u32 i;

	if (status)
		return status;
	if (opts->nr_files < 2)
		return say_usage("merge: give two recordings or more");
	for (i = 0; i < opts->nr_files; i++) {
		if (!strcmp(opts->files[i], "-"))
			return say_usage("merge: a pipe cannot be merged; record to a file");
	}
	return STATUS_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct merge_options opts = { .argc = argc, .argv = argv };
	int status = read_files(&opts, self, argc, argv);

	if (!status)
		status = check_files(&opts);
	return status ? status : merge_files(&opts);
}

const struct command merge_command = {
	.name = "merge",
	.summary = "make one recording of several runs or hosts",
	.operands = "FILE ...",
	.is_mixed = true,
	.text = "Merges up to 256 recordings of tprof-lx record and perf record, in the order of\n"
		"their times. report, export and perf itself read the output.\n",
	.options = rows,
	.run = run,
};
