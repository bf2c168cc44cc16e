// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the page
 *
 * The page is the same for all recordings, except for its data. The Makefile puts its parts
 * together, and page_parts.S includes the result.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"
#include "cli/say.h"
#include "export/groups.h"
#include "html/page.h"
#include "html/page_parts.h"
#include "html/page_prune.h"
#include "perfdata/mark.h"

/* Number of frames at which they are forgotten. A test sets a smaller one. */
size_t page_frames_most = 1U << 20;

/* Return the recording that is being read, the last one. */
static struct page_run *current_run(struct page_data *data)
{
	return &data->runs[data->nr_runs - 1];
}

/* Return the number in the page of an event of @run: that of the first event of its name. */
static u32 find_event(const struct page_data *data, const struct page_run *run, u32 event)
{
	const struct reader *reader = data->runs[0].export->reader;
	const char *name = run->export->reader->events[event].name;
	u32 i;

	if (run == &data->runs[0])
		return event;
	for (i = 0; i < reader->nr_events; i++) {
		if (!strcmp(reader->events[i].name, name))
			return i;
	}
	return NO_EVENT;
}

static u32 event_of(const struct page_data *data, struct page_run *run, u32 event)
{
	while (run->nr_events <= event) {
		run->events[run->nr_events] = find_event(data, run, run->nr_events);
		run->nr_events++;
	}
	return run->events[event];
}

/* Return a time of @run on the axis of the page: all recordings begin at the same time. */
static u64 page_time(const struct page_data *data, const struct page_run *run, u64 time)
{
	return (time > run->start ? time - run->start : 0) + data->runs[0].start;
}

/* Set @stack to the node of the call stack of the current sample. */
static int find_stack(struct page_run *run, u32 *stack)
{
	const struct frame *found[FRAMES_MAX];
	struct chain *chain = &run->samples.chain;
	int err;

	if (run->frames.table.nr >= page_frames_most)
		frames_forget(&run->frames);
	err = frames_find(&run->frames, &run->samples.world, chain->frames, chain->nr, found);
	return err ? err : tree_add(&run->tree, found, chain->nr, stack);
}

static int add_point(struct page_data *data, struct page_run *run, u32 event)
{
	const struct samples *samples = &run->samples;
	const struct sample *sample = &samples->sample;
	struct thread key = { .pid = sample->pid, .tid = sample->tid, .comm = samples->comm,
			      .cgroup = samples->cgroup, .host = samples->host };
	const struct thread *thread = threads_add(&data->threads, &key);
	struct point point = { .event = event, .run = data->nr_runs - 1, .samples = 1,
			       .weight = sample->period,
			       .cpu = sample->fields & PERF_SAMPLE_CPU ? sample->cpu : NO_CPU };
	int err;

	if (!thread)
		return -ENOMEM;
	point.thread = thread->number;
	err = page_prune_read(data, run);
	if (!err)
		err = find_stack(run, &point.stack);
	if (!err)
		err = samples_find_keys(&run->samples, &point.tuple);
	if (!run->nr_samples++)
		run->start = sample->time;
	run->nr_of_event[event]++;
	return err ? err : points_add(&data->points, page_time(data, run, sample->time), &point);
}

static int take(struct samples *samples)
{
	struct page_data *data = samples->arg;
	struct page_run *run = current_run(data);
	u32 event = event_of(data, run, samples->event);

	/* The caller reports events that are not in all recordings. */
	return event == NO_EVENT ? 0 : add_point(data, run, event);
}

static int add_loss(struct page_data *data, const struct record *record)
{
	struct loss loss = { .time = record->time, .run = data->nr_runs - 1,
			     .lost = losses_in(record) };

	if (!loss.lost)
		return 0;
	/* Losses of an earlier recording leave as many for this one. */
	if (data->nr_losses == LOSSES_MAX * data->nr_runs) {
		page_losses(data)[data->nr_losses - 1].lost += loss.lost;
		return 0;
	}
	bytes_add(&data->losses, &loss, sizeof(loss));
	if (bytes_err(&data->losses))
		return -ENOMEM;
	data->nr_losses++;
	return 0;
}

static int add_mark(struct page_data *data, const struct record *record, const char *text)
{
	/* Marks of an earlier recording leave as many for this one. */
	if (current_run(data)->nr_marks++ >= MARKS_MAX)
		return 0;
	return marks_add(&data->marks, record->time, data->nr_runs - 1, text);
}

/* Keep @record if it is a mark or reports lost samples. */
static int note(struct samples *samples, const struct record *record)
{
	const struct gather_filter *filter = &samples->export->options->gather.filter;
	const char *text = mark_text(record);

	if (record->time < filter->from || (filter->to && record->time > filter->to))
		return 0;
	if (text)
		return add_mark(samples->arg, record, text);
	return record->header.type == PERF_RECORD_LOST_SAMPLES ?
	       add_loss(samples->arg, record) : 0;
}

/* Put losses and marks on the axis of the page, after the first sample of @run is known. */
static void move_notes(struct page_data *data, const struct page_run *run)
{
	struct loss *losses = page_losses(data);
	struct mark *marks = marks_list(&data->marks);
	size_t i;

	for (i = 0; i < data->marks.nr; i++) {
		if (marks[i].run == data->nr_runs - 1)
			marks[i].time = page_time(data, run, marks[i].time);
	}

	for (i = 0; i < data->nr_losses; i++) {
		if (losses[i].run == data->nr_runs - 1)
			losses[i].time = page_time(data, run, losses[i].time);
	}
}

/* Return an empty page, or NULL if out of memory. */
struct page_data *page_new(void)
{
	struct page_data *data = calloc(1, sizeof(*data));

	if (data)
		points_init(&data->points);
	return data;
}

/*
 * Add the samples of a recording to the page. Print errors. Return an exit status; after
 * STATUS_FAILED, the page has the samples before an error.
 */
int page_read(struct page_data *data, const struct export *export)
{
	struct page_run *run = &data->runs[data->nr_runs++];
	struct samples *samples = &run->samples;
	int status, err = samples_init(samples, export);

	run->export = export;
	samples->take = take;
	samples->note = note;
	samples->arg = data;
	status = err ? say_failure(err, export->options->input) : samples_read(samples);
	run->nr_lost = losses_sum(&samples->losses);
	page_prune_scale(run);
	move_notes(data, run);
	return status;
}

/* Make the page of all recordings. Return 0 or -ENOMEM. */
int page_join(struct page_data *data, const struct join_names *names)
{
	data->tree = &data->joined;
	return join_runs(data, names);
}

/* Let the page have the functions, stacks and keys of its only recording. */
static int use_one(struct page_data *data)
{
	struct page_run *run = &data->runs[0];

	data->tree = &run->tree;
	data->nr_functions = run->frames.function_table.nr;
	data->functions = (const struct function **)run->frames.functions;
	return page_keys_make(&data->keys, &run->samples.keys, &data->threads, &data->names);
}

/* Let the page have its final stacks and points. Return 0 or -ENOMEM. */
int page_settle(struct page_data *data)
{
	int err = page_prune_shown(data);

	if (!err)
		points_settle(&data->points);
	return err;
}

/* Write the page after page_settle(). Return 0 or -ENOMEM. */
int page_put(struct page_data *data, FILE *out)
{
	int err;

	fwrite(page_head, 1, page_head_len, out);
	err = page_data_write(data, out);
	fwrite(page_tail, 1, page_tail_len, out);
	return err;
}

void page_free(struct page_data *data)
{
	u32 i;

	if (data->functions != (const struct function **)data->runs[0].frames.functions)
		free(data->functions);
	for (i = 0; i < data->nr_runs; i++) {
		frames_free(&data->runs[i].frames);
		tree_free(&data->runs[i].tree);
		samples_free(&data->runs[i].samples);
	}
	tree_free(&data->joined);
	threads_free(&data->threads);
	points_free(&data->points);
	bytes_free(&data->losses);
	marks_free(&data->marks);
	page_keys_free(&data->keys);
	interned_free(&data->names);
	free(data);
}

/*
 * Read all samples and write the page, which shows @first first. Return an exit status.
 *
 * @has_code: the page has instructions of functions, too
 */
int page_write(const struct export *export, const struct first_view *first, bool has_code)
{
	const char *input = export->options->input;
	struct page_data *data = page_new();
	int status, checked = STATUS_OK, err;

	if (!data)
		return say_failure(-ENOMEM, input);
	data->first = first;
	status = page_read(data, export);
	/* The recording is read again for them, and an error would be reported again. */
	data->has_code = has_code && !status;
	err = use_one(data);
	if (!err)
		err = page_settle(data);
	if (!err)
		checked = first_view_check(first, data->functions, data->nr_functions,
					   &data->points);
	if (!err && !checked)
		err = page_put(data, export->out);
	if (err)
		status = say_failure(err, input);
	page_free(data);
	return status ? status : checked;
}
