// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the page
 *
 * The page is the same for all recordings, except for its data. The Makefile puts its parts
 * together, and page_parts.S includes the result.
 */
#include <errno.h>

#include "base/types.h"
#include "cli/say.h"
#include "export/groups.h"
#include "export/samples.h"
#include "html/page.h"
#include "html/page_data.h"
#include "html/page_parts.h"

static int take(struct samples *samples)
{
	const struct sample *sample = &samples->sample;
	struct page_data *data = samples->arg;
	struct point point = { .event = samples->event, .samples = 1,
			       .weight = sample->period };
	struct thread key = { .pid = sample->pid, .tid = sample->tid, .comm = samples->comm };
	const struct thread *thread;
	u32 stack;
	int err;

	err = frames_add(&data->frames, &samples->world, samples->chain.frames,
			 samples->chain.nr, &stack);
	if (!err)
		err = tree_find(&data->tree, &data->frames, stack, &point.stack);
	if (err)
		return err;
	thread = threads_add(&data->threads, &key);
	if (!thread)
		return -ENOMEM;
	point.thread = thread->number;
	point.cpu = sample->fields & PERF_SAMPLE_CPU ? sample->cpu : NO_CPU;
	return points_add(&data->points, sample->time, &point);
}

/* Keep @record if it reports lost samples. */
static int note(struct samples *samples, const struct record *record)
{
	const struct gather_filter *filter = &samples->export->options->filter;
	struct loss loss = { .time = record->time };
	struct page_data *data = samples->arg;

	if (record->header.type != PERF_RECORD_LOST_SAMPLES || record->time < filter->from ||
	    (filter->to && record->time > filter->to))
		return 0;
	loss.lost = losses_in(record);
	if (!loss.lost)
		return 0;
	if (data->nr_losses == LOSSES_MAX) {
		page_losses(data)[data->nr_losses - 1].lost += loss.lost;
		return 0;
	}
	bytes_add(&data->losses, &loss, sizeof(loss));
	if (bytes_err(&data->losses))
		return -ENOMEM;
	data->nr_losses++;
	return 0;
}

static int write_page(struct page_data *data, FILE *out)
{
	int err;

	points_settle(&data->points);
	fwrite(page_head, 1, page_head_len, out);
	err = page_data_write(data, out);
	fwrite(page_tail, 1, page_tail_len, out);
	return err;
}

static void free_data(struct page_data *data)
{
	frames_free(&data->frames);
	tree_free(&data->tree);
	threads_free(&data->threads);
	points_free(&data->points);
	bytes_free(&data->losses);
	interned_free(&data->names);
}

/* Read all samples and write the page. Return an exit status. */
int page_write(const struct export *export)
{
	struct page_data data = { .export = export };
	struct samples samples;
	int status, err;

	points_init(&data.points);
	err = samples_init(&samples, export);
	samples.take = take;
	samples.note = note;
	samples.arg = &data;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	data.nr_lost = losses_sum(&samples.losses);
	if (!err)
		err = write_page(&data, export->out);
	if (err)
		status = say_failure(err, export->options->input);
	else if (!status && !data.points.nr_samples)
		say_note("%s: no samples are shown; check the filters, or see tprof-lx info",
			 export->options->input);
	free_data(&data);
	samples_free(&samples);
	return status;
}
