// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx filter - write a part of a recording
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/filter_rows.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/recording_output.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "filter/cut.h"

/**
 * struct filter_options - the parsed command line
 * @input:	-i
 * @output:	-o
 * @time:	--time, or NULL
 * @filter:	which samples to keep
 * @symbols:	sources of symbols, for -S
 */
struct filter_options {
	const char *input;
	const char *output;
	const char *time;
	struct gather_filter filter;
	struct symbol_options symbols;
};

#define ROW(...) OPTION_ROW(struct filter_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('i', "input", "FILE", option_text, input, "read FILE (tprof.data)"),
	ROW('o', "output", "FILE", option_text, output,
	    "write FILE; replace it only on success"),
	FILTER_ROWS(struct filter_options, filter),
	SYMBOL_FILE_ROWS(struct filter_options),
	{ 0 }
};

static int say_failed(const struct filter_options *opts, const struct cut *cut, int err)
{
	return say_input_failed(opts->input, err, &cut->reader.msg);
}

static int write_records(struct cut *cut, const struct filter_options *opts,
			 struct recording_output *out)
{
	struct record record;
	int ret = 0, err = 0;

	while (!err && (ret = reader_next(&cut->reader, &record)) > 0) {
		ret = cut_record(cut, &record);
		if (ret)
			break;
		err = recording_output_next(out, &cut->reader);
	}
	progress_end();
	if (ret < 0)
		return say_failed(opts, cut, ret);
	if (!err)
		err = cut_add_losses(cut);
	if (!err)
		err = recording_output_flush(out);
	return err ? say_failure(err, opts->output) : STATUS_OK;
}

static int write_file(struct cut *cut, const struct filter_options *opts, FILE *file)
{
	struct recording_output out = { .records = &cut->out };
	struct feature_set features = { 0 };
	int status, err = writer_begin(&out.writer, fileno(file), false, cut->events,
				       cut->nr_events, &features);

	if (err)
		return say_failure(err, opts->output);
	status = write_records(cut, opts, &out);
	if (status)
		return status;
	if (!cut->samples)
		return say_error("%s has no sample that these options choose, so %s was not written; give others",
				 printable(opts->input), printable(opts->output));
	err = cut_features(cut, &features);
	if (!err)
		err = writer_end(&out.writer, &features);
	features_free(&features);
	return err ? say_failure(err, opts->output) : STATUS_OK;
}

/* Prepare the cut, and write the file. */
static int cut_to(struct cut *cut, const struct filter_options *opts, FILE *file)
{
	const struct gather_filter *filter = &opts->filter;
	int err, used, status;

	cut->filter = filter;
	cut->needed = filter_fields(filter);
	cut->looks_up = filter->comms || filter->dsos || filter->syms;
	err = world_init(&cut->world, &opts->symbols, &cut->reader.features);
	if (!err)
		err = cut_events(cut);
	if (err == -ENOENT)
		return say_no_event(opts->input, filter->events, &cut->reader);
	if (err)
		return say_failure(err, opts->input);
	status = write_file(cut, opts, file);
	used = symbol_options_check_used(&opts->symbols, &cut->world.objects.sources.kernel,
					 opts->input);
	return status ? status : used;
}

static int open_and_cut(struct cut *cut, const struct filter_options *opts, int fd)
{
	struct output output;
	int status;

	if (cut->reader.pipe)
		return say_error("%s has the pipe format, which cannot be filtered; record to a file",
				 printable(opts->input));
	status = output_open(&output, opts->output, fd);
	if (status)
		return status;
	status = cut_to(cut, opts, output.file);
	status = output_close(&output, status);
	if (!status && cut->nr_left_out)
		status = say_left_out(opts->output, cut->nr_left_out, cut->left_out);
	return status;
}

static void free_all(struct cut *cut)
{
	world_free(&cut->world);
	free(cut->events);
	free(cut->numbers);
	free(cut->ids);
	hash_table_free(&cut->waiting, free);
	bytes_free(&cut->out);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct filter_options opts = { .input = DEFAULT_INPUT };
	struct cut cut = { 0 };
	int fd, status;

	status = no_operands(argc, argv, options_parse(self, &opts, argc, argv));
	if (!status)
		status = recording_output_check("filter", opts.output);
	if (!status)
		status = filter_read("filter", opts.time, &opts.filter);
	if (!status)
		status = symbol_options_check("filter", &opts.symbols);
	if (status)
		return status;
	fd = open_input(opts.input, &cut.reader);
	if (fd < 0)
		return STATUS_FAILED;
	status = open_and_cut(&cut, &opts, fd);
	free_all(&cut);
	close_input(opts.input, &cut.reader, fd);
	return status;
}

const struct command filter_command = {
	.name = "filter",
	.summary = "write a part of a recording",
	.operands = "",
	.text = "Writes the samples that the options choose, as report does, with all that readers need\n"
		"to make sense of them. report, export and perf itself read the output.\n",
	.options = rows,
	.run = run,
};
