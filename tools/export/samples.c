// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - read the samples of a recording and find their call stacks
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "export/samples.h"
#include "perfdata/parallelism.h"
#include "perfdata/record_visitor.h"
#include "perfdata/waits.h"
#include "profile/needs.h"

/* Set up @samples. Call samples_free() even if this fails. */
int samples_init(struct samples *samples, const struct export *export)
{
	const struct export_options *opts = export->options;

	*samples = (struct samples){ .export = export,
				     .needed = needs_of(&opts->gather.keys, &opts->gather.filter) };
	if (opts->gather.latency)
		samples->needed |= NEED_PARALLELISM;
	keys_init(&samples->keys, &opts->gather);
	if (world_init(&samples->world, &opts->symbols, &export->reader->features) ||
	    chain_init(&samples->chain))
		return -ENOMEM;
	return 0;
}

/* Return what the weights of an event's samples are. @buf has WEIGHT_NAME_LEN bytes. */
const char *samples_weight_name(const struct export *export, const struct reader_event *event,
				char *buf)
{
	snprintf(buf, WEIGHT_NAME_LEN, "%s%s", event->name,
		 export->options->gather.latency ? " latency" : "");
	return buf;
}

/*
 * Find the frames of the current sample. A sample without a call chain has the frames of
 * its own address. chain_locate() does not take an address that is a mark of call chains.
 */
static int find_frames(struct samples *samples, const struct record *record)
{
	const struct perf_event_attr *attr = &record->event->layout.attr;
	const struct sample *sample = &samples->sample;
	struct chain *chain = &samples->chain;
	struct sample alone = *sample;
	u16 misc = samples->misc;
	int err = 0;

	chain->nr = 0;
	if (!samples->leaf_only)
		err = chain_locate(chain, &samples->world, attr, sample, is_kernel_mode(misc));
	if (err || chain->nr)
		return err;
	if (!is_guest_mode(misc)) {
		alone.chain = (struct words){ (const u8 *)&sample->ip, 1 };
		alone.stack_size = 0;
		err = chain_locate(chain, &samples->world, attr, &alone, is_kernel_mode(misc));
		if (err || chain->nr)
			return err;
	}
	chain->nr = 1;
	return world_locate_sample(&samples->world, sample->pid, misc, sample->ip,
				   chain->frames);
}

/* Return 1 if the filter shows the function of the current sample, 0 if not, else -errno. */
static int is_shown(struct samples *samples)
{
	const struct gather_filter *filter = &samples->export->options->gather.filter;
	const struct sample *sample = &samples->sample;
	struct hit hit = { .objects = &samples->world.objects, .sample = sample,
			   .comm = samples->comm };
	int err;

	if (!filter->dsos && !filter->syms)
		return filter_takes_name(filter, samples->comm);
	err = world_resolve_sample(&samples->world, sample->pid, samples->misc, sample->ip,
				   &hit.spot);
	return err ? err : filter_shows(filter, &hit);
}

/* Return the group of the current sample, without stack and tuple. */
struct group samples_group(const struct samples *samples)
{
	const struct sample *sample = &samples->sample;

	return (struct group){ .comm = samples->comm, .cgroup = samples->cgroup,
			       .host = samples->host, .pid = sample->pid, .tid = sample->tid,
			       .cpu = sample->fields & PERF_SAMPLE_CPU ? sample->cpu : NO_CPU,
			       .event = samples->event, .samples = 1,
			       .weight = sample->period };
}

/*
 * Set @tuple to the number that samples.keys gives to the keys of the current sample, or to 0
 * if --sort chooses none. Return 0, -ENOMEM, or -E2BIG if there are too many.
 */
int samples_find_keys(struct samples *samples, u32 *tuple)
{
	const struct gather_options *options = samples->keys.options;
	const struct reader_event *event = &samples->export->reader->events[samples->event];
	struct sample *sample = &samples->sample;
	struct world *world = &samples->world;
	struct hit hit = { .objects = &world->objects, .sample = sample, .comm = samples->comm,
			   .cgroup = samples->cgroup,
			   .host = world_host(world, sample->id) };
	int err;

	*tuple = 0;
	if (!options->keys.nr)
		return 0;
	/* The reader may reallocate its events, so copy the name. */
	hit.event = interned_get(&world->objects.sources.names, event->name);
	if (!hit.event)
		return -ENOMEM;
	sample->slice = gather_slice(options, sample->time);
	if (samples->needed & PERF_SAMPLE_RAW)
		sample->state = wait_state(event, sample);
	err = world_resolve_sample(world, sample->pid, samples->misc, sample->ip, &hit.spot);
	return err ? err : keys_find(&samples->keys, world, &hit, &samples->chain, tuple);
}

/* Weigh the current sample by its latency. Return 0 or -ENOMEM. */
static int take_latency(struct samples *samples)
{
	struct sample *sample = &samples->sample;
	double *rests = samples->rests;

	if (samples->event >= samples->nr_rests) {
		rests = reallocarray(rests, samples->event + 1, sizeof(*rests));
		if (!rests)
			return -ENOMEM;
		samples->rests = rests;
		while (samples->nr_rests <= samples->event)
			rests[samples->nr_rests++] = 0;
	}
	sample->period = latency_of(sample->period, parallelism_of(sample->weight),
				    &rests[samples->event]);
	return 0;
}

static int add_sample(struct samples *samples, const struct record *record)
{
	const struct gather_filter *filter = &samples->export->options->gather.filter;
	const struct layout *layout = &record->event->layout;
	struct reader *reader = samples->export->reader;
	struct sample *sample = &samples->sample;
	u64 cgroup = layout->attr.sample_type & PERF_SAMPLE_CGROUP;
	int err, ret;

	if (!filter_takes_event(filter, record->event->name))
		return 0;
	err = layout_place(layout, samples->needed | cgroup, record->data, sample);
	if (err)
		return message_set(&reader->msg, err,
				   "the record at %#llx is too short for its event",
				   record->offset);
	err = needs_check(samples->needed, reader, record->event);
	if (err || !filter_takes(filter, sample, record->header.misc))
		return err;
	if (!(sample->fields & PERF_SAMPLE_PERIOD))
		sample->period = layout_fixed_period(layout);
	samples->misc = record->header.misc;
	samples->event = record->event - reader->events;
	samples->comm = tasks_name(&samples->world.tasks, sample->tid);
	samples->cgroup = cgroup ? cgroups_path(&samples->world.cgroups, sample->cgroup) : NULL;
	samples->host = layout->id ? hosts_find(&samples->world.hosts,
						load_u64(record->data + layout->id)) : NULL;
	ret = is_shown(samples);
	if (ret <= 0)
		return ret;
	if (samples->export->options->gather.latency && take_latency(samples))
		return -ENOMEM;
	err = find_frames(samples, record);
	if (err)
		return err;
	if (!samples->span.nr++)
		samples->span.first = sample->time;
	samples->span.last = sample->time;
	return samples->take(samples);
}

static int add_samples(void *arg, const struct lent_sample *lent, size_t nr)
{
	struct samples *samples = arg;
	struct record record;
	int err = 0;
	size_t i;

	for (i = 0; i < nr && !err; i++) {
		record = reader_sample_record(samples->export->reader, lent, i);
		err = world_advance(&samples->world, record.time);
		if (!err)
			err = add_sample(samples, &record);
	}
	return err;
}

static int add_record(void *arg, const struct record *record)
{
	struct samples *samples = arg;
	int err;

	if (record->event && record->header.type == PERF_RECORD_SAMPLE) {
		err = world_advance(&samples->world, record->time);
		return err ? err : add_sample(samples, record);
	}
	losses_update(&samples->losses, record);
	err = world_update(&samples->world, record);
	return err || !samples->note ? err : samples->note(samples, record);
}

static int read_all(struct samples *samples)
{
	struct record_visitor visitor = { .take_samples = add_samples, .take_record = add_record,
					  .progress = progress_show, .arg = samples };
	int err = visit_records(&visitor, samples->export->reader);

	progress_end();
	return err;
}

static bool has_event(const struct samples *samples)
{
	const struct gather_filter *filter = &samples->export->options->gather.filter;
	const struct reader *reader = samples->export->reader;
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		if (filter_takes_event(filter, reader->events[i].name))
			return true;
	}
	return !filter->events;
}

void samples_note_losses(const char *input, u64 lost)
{
	if (lost)
		say_note("%s: %llu %s lost during the recording", input, lost,
			 by_number(lost, "sample was", "samples were"));
}

/*
 * Give all samples to @samples->take, until it fails. Return STATUS_OK, or print a message
 * and return STATUS_FAILED. After an error, as in a truncated file, the format writes the
 * samples read so far.
 */
int samples_read(struct samples *samples)
{
	const char *input = samples->export->options->input;
	struct reader *reader = samples->export->reader;
	int err = read_all(samples);
	u64 lost = losses_sum(&samples->losses);

	if (samples->export->span)
		*samples->export->span = samples->span;
	if (err == -E2BIG)
		return say_error("%s has too many samples for this format; take a part with --time",
				 input);
	if (err)
		return say_input_failed(input, err, &reader->msg);
	if (!has_event(samples))
		return say_no_event(input, samples->export->options->gather.filter.events, reader);
	samples_note_losses(input, lost);
	return symbol_options_check_used(&samples->export->options->symbols,
					 &samples->world.objects.sources.kernel, input);
}

void samples_free(struct samples *samples)
{
	free(samples->rests);
	keys_free(&samples->keys);
	chain_free(&samples->chain);
	world_free(&samples->world);
}
