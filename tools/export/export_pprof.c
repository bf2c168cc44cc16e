// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - pprof's profile.proto, compressed
 *
 * Samples with the same stack, thread and CPU are added up in a table. If the table or the
 * stacks take too much memory, the samples are written and forgotten, and if the frames
 * do, these as well. So memory does not grow with the recording; readers of pprof add up
 * equal samples again.
 */
#include <errno.h>
#include <stdlib.h>

#include "cli/file_input.h"
#include "cli/say.h"
#include "export/pprof_message.h"
#include "export/samples.h"
#include "perfdata/wall_clock.h"
#include "perfdata/waits.h"

/* Maximum number of groups, stacks and frames: they take about 200 MB. Tests change it. */
size_t pprof_kept_max = 1U << 20;

/* Fields of a profile. */
enum {
	PROFILE_SAMPLE_TYPE	= 1,
	PROFILE_TIME		= 9,
	PROFILE_DURATION	= 10,
	PROFILE_PERIOD_TYPE	= 11,
	PROFILE_PERIOD		= 12,
	PROFILE_DEFAULT_TYPE	= 14,
};

/**
 * struct pprof - a profile being made
 * @export:	the recording
 * @samples:	its samples
 * @message:	writes the profile
 * @frames:	frames and stacks of @groups
 * @groups:	samples that are not written yet
 * @types:	index in the values of a sample, by event; 0 if the filter leaves it out
 * @values:	values of the current sample, all 0
 * @nr_types:	number of @values
 * @nr_events:	number of events when @types was made
 * @first:	earliest time of a sample, UINT64_MAX if there is none
 * @last:	latest time of a sample
 * @err:	error of make_room(), after which nothing is written
 */
struct pprof {
	const struct export *export;
	struct samples *samples;
	struct pprof_message message;
	struct frames frames;
	struct groups groups;
	u32	*types;
	u64	*values;
	u32	nr_types;
	u32	nr_events;
	u64	first;
	u64	last;
	int	err;
};

static const char *unit_of(const struct reader_event *event)
{
	return event_time(event) == TIME_NONE ? "count" : "nanoseconds";
}

/*
 * Write the types of values: first the number of samples, then the periods of each event.
 * All samples have all values, so further events cannot be added.
 */
static int write_types(struct pprof *pprof)
{
	const struct reader *reader = pprof->export->reader;
	const struct reader_event *event;
	char name[WEIGHT_NAME_LEN];
	u32 i;

	pprof->nr_types = 1;
	pprof->nr_events = reader->nr_events;
	pprof->types = calloc(reader->nr_events + 1, sizeof(*pprof->types));
	pprof->values = calloc(reader->nr_events + 1, sizeof(*pprof->values));
	if (!pprof->types || !pprof->values)
		return -ENOMEM;
	pprof_type(&pprof->message, PROFILE_SAMPLE_TYPE, "samples", "count");
	for (i = 0; i < reader->nr_events; i++) {
		event = &reader->events[i];
		if (!filter_takes_event(&pprof->export->options->gather.filter, event->name))
			continue;
		pprof->types[i] = pprof->nr_types++;
		pprof_type(&pprof->message, PROFILE_SAMPLE_TYPE,
			   samples_weight_name(pprof->export, event, name), unit_of(event));
	}
	return 0;
}

/* Write all groups, and forget them. */
static int write_groups(struct pprof *pprof)
{
	int err = pprof->types ? 0 : write_types(pprof);
	const struct group *group;
	size_t i;
	u32 type;

	for (i = 0; i < pprof->groups.table.nr && !err; i++) {
		group = &pprof->groups.list[i];
		if (group->event >= pprof->nr_events)
			return message_set(&pprof->export->reader->msg, -EBADMSG,
					   "an event was added after the first samples");
		type = pprof->types[group->event];
		pprof->values[0] = group->samples;
		pprof->values[type] = group->weight;
		pprof_sample(&pprof->message, &pprof->frames, &pprof->samples->keys, group,
			     pprof->values, pprof->nr_types);
		pprof->values[type] = 0;
		err = pprof->message.err;
	}
	groups_clear(&pprof->groups);
	keys_clear(&pprof->samples->keys);
	return err;
}

/* Forget the frames, and write the functions. No group may be left. */
static int write_functions(struct pprof *pprof)
{
	pprof_message_forget(&pprof->message, &pprof->frames);
	frames_clear(&pprof->frames);
	return pprof->message.err;
}

/*
 * Make room in the tables that are full. Most recordings have far more stacks than frames.
 * So keep the frames: to look them up takes longer than to look up stacks.
 */
static int make_room(struct pprof *pprof)
{
	const struct frames *frames = &pprof->frames;
	bool has_many_names = frames->table.nr >= pprof_kept_max ||
			      pprof->message.texts.numbers.nr >= pprof_kept_max;
	int err;

	if (pprof->groups.table.nr < pprof_kept_max && frames->nr_nodes < pprof_kept_max &&
	    !has_many_names)
		return 0;
	err = write_groups(pprof);
	frames_clear_stacks(&pprof->frames);
	return err || !has_many_names ? err : write_functions(pprof);
}

static int take(struct samples *samples)
{
	const struct sample *sample = &samples->sample;
	struct pprof *pprof = samples->arg;
	struct group group;
	int err;

	if (!pprof->err)
		pprof->err = make_room(pprof);
	err = pprof->err;
	group = samples_group(samples);
	if (!err)
		err = samples_find_keys(samples, &group.tuple);
	if (!err)
		err = frames_add(&pprof->frames, &samples->world, samples->chain.frames,
				 samples->chain.nr, &group.stack);
	if (err)
		return err;
	if (sample->time < pprof->first)
		pprof->first = sample->time;
	if (sample->time > pprof->last)
		pprof->last = sample->time;
	return groups_add(&pprof->groups, &group, NULL);
}

/* Write the fields that are of the profile as a whole. */
static void write_rest(struct pprof *pprof)
{
	const struct gather_filter *filter = &pprof->export->options->gather.filter;
	const struct reader *reader = pprof->export->reader;
	struct bytes *fields = &pprof->message.fields;
	const struct reader_event *event;
	char buf[WEIGHT_NAME_LEN];
	const char *name;
	u64 offset;
	u32 i = 0;

	if (pprof->first <= pprof->last) {
		if (wall_clock_offset(&reader->features, &offset))
			protobuf_number(fields, PROFILE_TIME, pprof->first + offset);
		protobuf_number(fields, PROFILE_DURATION, pprof->last - pprof->first);
	}
	while (i < reader->nr_events && !filter_takes_event(filter, reader->events[i].name))
		i++;
	if (i == reader->nr_events)
		return;
	event = &reader->events[i];
	name = samples_weight_name(pprof->export, event, buf);
	protobuf_number(fields, PROFILE_DEFAULT_TYPE, pprof_string(&pprof->message, name));
	pprof_type(&pprof->message, PROFILE_PERIOD_TYPE, event->name, unit_of(event));
	if (!event->layout.attr.freq)
		protobuf_number(fields, PROFILE_PERIOD, event->layout.attr.sample_period);
}

static int write_profile(struct pprof *pprof, struct samples *samples)
{
	const struct export_options *opts = pprof->export->options;
	int err = pprof_message_begin(&pprof->message, pprof->export->out), status, failed;

	if (err)
		return say_failure(err, opts->input);
	status = samples_read(samples);
	if (!pprof->err)
		err = write_groups(pprof);
	if (!pprof->err && !err)
		err = write_functions(pprof);
	if (!err && !pprof->err)
		write_rest(pprof);
	failed = pprof_message_end(&pprof->message, opts->symbols.inlines);
	err = err ? err : failed;
	return err ? say_input_failed(opts->input, err, &pprof->export->reader->msg) : status;
}

static int write_pprof(const struct export *export)
{
	struct pprof pprof = { .export = export, .first = UINT64_MAX };
	struct samples samples;
	int status, err = samples_init(&samples, export);

	pprof.samples = &samples;
	samples.take = take;
	samples.arg = &pprof;
	status = err ? say_failure(err, export->options->input) :
		       write_profile(&pprof, &samples);
	groups_free(&pprof.groups);
	frames_free(&pprof.frames);
	free(pprof.types);
	free(pprof.values);
	samples_free(&samples);
	return status;
}

const struct export_format export_pprof = {
	.name = "pprof",
	.is_binary = true,
	.has_keys = true,
	.write = write_pprof,
};
