// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - write a page for a browser
 *
 * The page has the samples of both recordings. It computes changes and their intervals
 * itself, because they depend on the part of the time that is chosen.
 *
 * html/join.h makes one tree of both, with functions matched as lines are.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/output.h"
#include "cli/say.h"
#include "diff/binaries.h"
#include "diff/diff_html.h"
#include "diff/events.h"
#include "diff/nameless.h"
#include "html/page.h"

/**
 * struct shown - a recording in the page
 * @from:	where it comes from, and which samples to take
 * @reader:	its reader
 * @fd:		its file, or -1
 * @export:	both, for the page
 * @dsos:	its binaries, and their names in the old recording
 * @nameless:	the same for functions without a symbol
 */
struct shown {
	struct export_options from;
	struct reader reader;
	int	fd;
	struct export export;
	struct binaries dsos;
	struct nameless nameless;
};

static const char *short_name(const struct object *object)
{
	return object->short_name;
}

static const char *old_name(void *arg, u32 run, const struct object *object)
{
	const struct shown *shown = arg;

	return binaries_old_name(&shown[run].dsos, object->short_name);
}

static const char *old_function(void *arg, u32 run, const char *name)
{
	const struct shown *shown = arg;

	return nameless_old_name(&shown[run].nameless, name);
}

static int match(struct shown *shown, const struct page_data *data)
{
	const struct objects *old = &data->runs[0].samples.world.objects;
	const struct objects *now;
	int err = 0;
	u32 i;

	for (i = 0; i < data->nr_runs && !err; i++) {
		now = &data->runs[i].samples.world.objects;
		err = binaries_match(&shown[i].dsos, old, now, short_name);
		if (!err)
			err = nameless_match(&shown[i].nameless, old, now);
	}
	return err;
}

/* Check that recording @with has samples of the events that the other one has samples of. */
static int check_samples(const struct diff_options *opts, const struct shown *shown,
			 const struct page_data *data, u32 with)
{
	const struct page_run *run = &data->runs[with], *other = &data->runs[!with];
	const struct reader *reader = &shown[!with].reader;
	u32 i, event;

	for (i = 0; i < other->nr_events; i++) {
		event = other->events[i];
		if (event != NO_EVENT && other->nr_of_event[event] && !run->nr_of_event[event])
			return events_say_missing(opts->files[with], reader->events[i].name,
						  opts->files[!with]);
	}
	return STATUS_OK;
}

static int check(const struct diff_options *opts, const struct shown *shown,
		 const struct page_data *data)
{
	struct recording old = { opts->files[0], &shown[0].reader };
	struct recording now = { opts->files[1], &shown[1].reader };
	int status = events_check(&opts->gather.filter, &old, &now);
	u32 i;

	if (!status)
		status = events_check(&opts->gather.filter, &now, &old);
	for (i = 0; i < data->nr_runs && !status; i++) {
		if (!data->runs[i].nr_samples)
			status = say_error("%s has no samples to compare with these filters",
					   printable(opts->files[i]));
	}
	for (i = 0; i < data->nr_runs && !status; i++)
		status = check_samples(opts, shown, data, i);
	return status;
}

static int write_page(const struct diff_options *opts, struct shown *shown,
		      struct page_data *data, FILE *out)
{
	const struct join_names names = { old_name, old_function, shown };
	int status = STATUS_OK, err;
	u32 i;

	for (i = 0; i < opts->nr_files && !status; i++)
		status = page_read(data, &shown[i].export);
	if (!status)
		status = check(opts, shown, data);
	if (status)
		return status;
	err = match(shown, data);
	if (!err)
		err = page_join(data, &names);
	if (!err)
		err = page_settle(data);
	if (!err)
		err = page_put(data, out);
	return err ? say_failure(err, "diff") : STATUS_OK;
}

static int open_all(const struct diff_options *opts, struct shown *shown)
{
	u32 i;

	for (i = 0; i < opts->nr_files; i++) {
		shown[i].from = (struct export_options){ .input = opts->files[i],
							 .gather.filter = opts->gather.filter,
							 .symbols = opts->symbols };
		shown[i].fd = open_input(opts->files[i], &shown[i].reader);
		if (shown[i].fd < 0)
			return STATUS_FAILED;
		shown[i].export = (struct export){ .options = &shown[i].from,
						   .reader = &shown[i].reader };
		if (output_is(opts->output, shown[i].fd))
			return say_error("%s is the recording itself; give another name with -o",
					 printable(opts->output));
	}
	return STATUS_OK;
}

static void close_all(struct shown *shown, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (shown[i].fd < 0)
			continue;
		binaries_free(&shown[i].dsos);
		nameless_free(&shown[i].nameless);
		close_input(shown[i].from.input, &shown[i].reader, shown[i].fd);
	}
}

static int write_file(const struct diff_options *opts, struct shown *shown)
{
	struct page_data *data;
	struct output output;
	int status = output_open(&output, opts->output, shown[0].fd);

	if (status)
		return status;
	data = page_new();
	if (data)
		data->normalize = normalize_word(opts->normalize);
	status = data ? write_page(opts, shown, data, output.file) : say_failure(-ENOMEM, "diff");
	if (data)
		page_free(data);
	return output_close(&output, status);
}

/* Write the page of two recordings. Return an exit status. */
int diff_html(const struct diff_options *opts)
{
	struct shown *shown = calloc(opts->nr_files, sizeof(*shown));
	int status;
	u32 i;

	if (!shown)
		return say_failure(-ENOMEM, "diff");
	for (i = 0; i < opts->nr_files; i++)
		shown[i].fd = -1;
	status = open_all(opts, shown);
	if (!status)
		status = write_file(opts, shown);
	close_all(shown, opts->nr_files);
	free(shown);
	return status;
}
