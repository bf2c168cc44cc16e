// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - build the profiles of a recording's events from its records
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/record_visitor.h"
#include "perfdata/waits.h"
#include "profile/gather.h"
#include "profile/needs.h"

/*
 * Let @keys have parallelism for latency_merge(). There is room: report refuses as many keys as
 * have none left.
 */
static void add_hidden_key(struct profile_keys *keys)
{
	const struct column *column = column_find("parallelism");

	if (profile_find_key(keys, column) == keys->nr && keys->nr < PROFILE_MAX_KEYS)
		keys->columns[keys->nr++] = column;
}

/*
 * Set up @gather before the first record is read. Call gather_free() even if this fails.
 *
 * @options: must stay valid until gather_free()
 * @symbols: sources of symbols
 */
int gather_init(struct gather *gather, const struct gather_options *options,
		const struct symbol_options *symbols, const struct reader *reader)
{
	*gather = (struct gather){ .options = options,
				   .keys = options->paths ? gather_path_keys() : options->keys,
				   .children = options->children == CHILDREN_YES };
	if (options->latency && !options->paths)
		add_hidden_key(&gather->keys);
	gather->needed = needs_of(&gather->keys, &options->filter);
	if (options->latency)
		gather->needed |= NEED_PARALLELISM;
	if (options->wakers)
		gather->needed |= PERF_SAMPLE_RAW | PERF_SAMPLE_TID;
	hits_init(&gather->hits, &gather->world, &gather->keys, &options->filter);
	gather->path = malloc(GATHER_PATH_MAX * sizeof(*gather->path));
	if (world_init(&gather->world, symbols, &reader->features) || chain_init(&gather->chain))
		return -ENOMEM;
	return gather->path ? 0 : -ENOMEM;
}

/*
 * Enlarge @gather->profiles to @nr entries. In a pipe, new events may arrive at any
 * time.
 */
static int make_room(struct gather *gather, u32 nr)
{
	struct profile **profiles = reallocarray(gather->profiles, nr, sizeof(*profiles));

	if (!profiles)
		return -ENOMEM;
	memset(profiles + gather->nr_profiles, 0, (nr - gather->nr_profiles) * sizeof(*profiles));
	gather->profiles = profiles;
	gather->nr_profiles = nr;
	return 0;
}

/* Return the profile of an event, or NULL if memory runs out. */
struct profile *gather_profile(struct gather *gather, const struct reader *reader, u32 event)
{
	struct profile *profile;

	if (event >= gather->nr_profiles && make_room(gather, reader->nr_events))
		return NULL;
	profile = gather->profiles[event];
	if (!profile) {
		profile = calloc(1, sizeof(*profile));
		if (!profile)
			return NULL;
		gather->profiles[event] = profile;
		profile->keys = &gather->keys;
		profile->entries.is_flat =
			!gather_has_callers(gather, &reader->events[event].layout.attr);
	}
	if (!profile->places.slots && places_init(&profile->places, reader->nr_events))
		return NULL;
	if (!profile->event) {
		/* The reader may reallocate its events, so copy the name. */
		profile->event = interned_get(&gather->world.objects.sources.names,
					      reader->events[event].name);
		if (!profile->event)
			return NULL;
	}
	return profile;
}

static void note_chains(struct gather *gather, const struct layout *layout)
{
	gather->has_chains |= !!(layout->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	if (gather->options->children == CHILDREN_AUTO)
		gather->children = gather->has_chains;
}

static int too_short(struct reader *reader, int err, u64 offset)
{
	return message_set(&reader->msg, err, "the record at %#llx is too short for its event",
			   offset);
}

/*
 * Return true if samples are counted by call stack. With option --inline they are
 * counted one by one, because struct stack_frame has no inlined functions. With keys like
 * state they are, too, because struct stack has only the fields of layout_quick().
 */
static bool needs_stacks(const struct gather *gather, const struct layout *layout)
{
	const struct gather_options *options = gather->options;
	const struct perf_event_attr *attr = &layout->attr;

	return (options->trees || options->parent ||
		(options->chain_trees && attr->sample_type & PERF_SAMPLE_CALLCHAIN) ||
		(options->paths && gather_has_callers(gather, attr))) &&
	       !gather->world.objects.sources.options.inlines &&
	       !(gather->needed & ~layout_quick(layout));
}

/* Return true if the samples of an event are counted, or are wakeups that samples need. */
static bool takes_event(const struct gather *gather, const struct reader_event *event)
{
	const struct gather_options *options = gather->options;

	if (options->wakers && event_wakes(event))
		return true;
	if (options->wakers && event_time(event) != TIME_OFF_CPU)
		return false;
	return filter_takes_event(&options->filter, event->name);
}

/* Set the state of a thread off CPU, and find what has woken it. */
static void describe_wait(struct gather *gather, const struct reader_event *event)
{
	struct sample *sample = &gather->sample;

	sample->state = wait_state(event, sample);
	if (!gather->options->wakers)
		return;
	gather->waker = wakers_take(&gather->wakers, sample->tid);
	if (wait_needs_no_waker(sample->state))
		gather->waker = NULL;
	sample->waker = gather->waker ? gather->waker->name :
			wait_needs_no_waker(sample->state) ? "[not woken]" : "[unknown]";
}

/* Weigh the current sample by its latency, or let latency_merge() do so. */
static void take_latency(struct gather *gather, struct profile *profile)
{
	struct sample *sample = &gather->sample;
	u64 parallelism = parallelism_of(sample->weight);

	if (gather->options->paths)
		sample->period = latency_of(sample->period, parallelism, &profile->latency.parts);
	else
		latency_add(&profile->latency, sample->period, parallelism);
}

static int add_sample(struct gather *gather, struct reader *reader, const struct record *record)
{
	const struct gather_filter *filter = &gather->options->filter;
	const struct layout *layout = &record->event->layout;
	struct sample *sample = &gather->sample;
	struct profile *profile;
	int err;

	if (!takes_event(gather, record->event))
		return 0;
	err = layout_place(layout, gather->needed, record->data, sample);
	if (err)
		return too_short(reader, err, record->offset);
	err = needs_check(gather->needed, reader, record->event);
	if (!err && gather->options->wakers && event_wakes(record->event))
		return gather_note_waker(gather, &layout->attr, sample, record->header.misc);
	if (err || !filter_takes(filter, sample, record->header.misc))
		return err;
	profile = gather_profile(gather, reader, record->event - reader->events);
	if (!profile)
		return -ENOMEM;
	if (!(sample->fields & PERF_SAMPLE_PERIOD))
		sample->period = layout_fixed_period(layout);
	sample->slice = gather_slice(gather->options, sample->time);
	if (gather->options->latency)
		take_latency(gather, profile);
	if (gather->needed & PERF_SAMPLE_RAW)
		describe_wait(gather, record->event);
	note_chains(gather, layout);
	gather->has_groups |= sample->fields & PERF_SAMPLE_READ &&
			      layout->attr.read_format & PERF_FORMAT_GROUP && reader->nr_events > 1;
	if (needs_stacks(gather, layout))
		return gather_add_stack(gather, profile, &layout->attr, sample,
					record->header.misc);
	return gather_add_alone(gather, profile, &layout->attr, sample, record->header.misc);
}

/* Return true if the filter takes all events, or at least one event of the file. */
bool gather_has_events(const struct gather *gather, const struct reader *reader)
{
	const struct gather_filter *filter = &gather->options->filter;
	u32 i;

	for (i = 0; filter->events && i < reader->nr_events; i++) {
		if (filter_takes_event(filter, reader->events[i].name))
			return true;
	}
	return !filter->events;
}

/* Return true if samples of an event lack what is needed. */
static bool lacks_need(const struct gather *gather, const struct reader_event *event)
{
	u64 met = event->layout.attr.sample_type | (event->has_parallelism ? NEED_PARALLELISM : 0);

	return gather->needed & ~met;
}

/*
 * Choose how to count the samples of an event. add_sample() counts the samples one by
 * one if
 * - inlined functions are needed;
 * - layout_place() has no fast path for these samples;
 * - the samples lack a field that is needed: add_sample() reports the error.
 */
static enum gather_way choose_way(const struct gather *gather, const struct reader_event *event)
{
	if (!takes_event(gather, event))
		return WAY_LEFT_OUT;
	if (gather->world.objects.sources.options.inlines || !event->layout.chain ||
	    gather->needed & ~layout_quick(&event->layout) || lacks_need(gather, event))
		return WAY_ALONE;
	return needs_stacks(gather, &event->layout) ? WAY_BY_STACK : WAY_BY_PLACE;
}

/*
 * Count @samples[@nr] by its call stack if @by_stack, else by its place (places.h).
 */
static int add_fast(struct gather *gather, struct reader *reader,
		    const struct lent_sample *samples, size_t nr, bool by_stack)
{
	const struct lent_sample *lent = &samples[nr];
	const struct layout *layout = &reader->events[lent->event].layout;
	struct sample *sample = &gather->sample;
	struct hit_sample hit;
	int err;

	err = layout_place(layout, gather->needed, lent->data, sample);
	if (err)
		return too_short(reader, err, reader_sample_offset(reader, nr));
	hit.misc = load_u16(lent->data + offsetof(struct perf_event_header, misc));
	if (!filter_takes(&gather->options->filter, sample, hit.misc))
		return 0;
	hit.profile = gather_profile(gather, reader, lent->event);
	if (!hit.profile)
		return -ENOMEM;
	note_chains(gather, layout);
	if (!layout->period)
		sample->period = layout_fixed_period(layout);
	sample->slice = gather_slice(gather->options, sample->time);
	if (gather->options->latency)
		take_latency(gather, hit.profile);
	if (by_stack)
		return gather_add_stack(gather, hit.profile, &layout->attr, sample, hit.misc);
	hit.period = sample->period;
	hit.has_frames = gather->children && layout->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	hit.frames = sample->chain;
	return hits_add(&gather->hits, &hit, sample);
}

/* Count all waiting samples. Then pass @samples[@nr] to add_sample(). */
static int add_alone(struct gather *gather, struct reader *reader,
		     const struct lent_sample *samples, size_t nr)
{
	struct record record = reader_sample_record(reader, samples, nr);
	int err = hits_settle(&gather->hits);

	return err ? err : add_sample(gather, reader, &record);
}

/* Note the time of a sample. The samples come in the order of their times. */
static void note_time(struct gather *gather, u64 time)
{
	if (!gather->last_time)
		gather->first_time = time;
	gather->last_time = time;
}

static int add_samples(void *arg, const struct lent_sample *samples, size_t nr)
{
	struct gather *gather = arg;
	struct reader *reader = gather->reader;
	int err = 0;
	size_t i;
	u8 *way;

	note_time(gather, samples[0].time);
	note_time(gather, samples[nr - 1].time);
	for (i = 0; i < nr && !err; i++) {
		way = &gather->ways[samples[i].event];
		if (*way == WAY_UNKNOWN)
			*way = choose_way(gather, &reader->events[samples[i].event]);
		/* world_advance() may map JIT code: first look up waiting samples. */
		if (gather->world.jits.nr)
			err = hits_settle(&gather->hits);
		if (!err)
			err = world_advance(&gather->world, samples[i].time);
		if (err || *way == WAY_LEFT_OUT)
			continue;
		err = *way == WAY_ALONE ? add_alone(gather, reader, samples, i) :
					  add_fast(gather, reader, samples, i,
						   *way == WAY_BY_STACK);
	}
	return err;
}

static int add_record(void *arg, const struct record *record)
{
	struct gather *gather = arg;
	struct reader *reader = gather->reader;
	int err = hits_settle(&gather->hits);

	if (err)
		return err;
	/* A record without an event may add or rename events: forget @gather->ways. */
	if (!record->event)
		memset(gather->ways, WAY_UNKNOWN, sizeof(gather->ways));
	if (record->event && record->header.type == PERF_RECORD_SAMPLE) {
		note_time(gather, record->time);
		err = world_advance(&gather->world, record->time);
		return err ? err : add_sample(gather, reader, record);
	}
	if (record->event && record->header.type == PERF_RECORD_READ && gather->options->threads)
		return thread_counts_add(&gather->threads, &gather->world,
					 &gather->options->filter,
					 record->event - reader->events, record);
	stat_counts_add(&gather->counts, reader, record);
	losses_update(&gather->losses, record);
	return world_update(&gather->world, record);
}

/* Count the waiting samples, and add the counts of all stacks to the profiles. */
static int finish(struct gather *gather)
{
	struct hits *hits = &gather->hits;
	int err = hits_finish(hits), failed = gather_settle_stacks(gather);
	u32 i;

	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			places_free(&gather->profiles[i]->places);
	}
	gather->samples += hits->samples;
	for (i = 0; i < SYMBOL_NR_STATUS; i++)
		gather->unresolved[i] += hits->unresolved[i];
	gather->chain.ends[FRAME_MORE] += hits->nr_cut;
	return err ? err : failed;
}

/*
 * Read the file to its end and count its samples. Return 0 or -errno. If it fails,
 * @reader->msg may have the details. After an error, the profiles have all samples read
 * before it.
 */
int gather_all(struct gather *gather, struct reader *reader)
{
	struct record_visitor visitor = { .take_samples = add_samples, .take_record = add_record,
					  .progress = gather->options->progress, .arg = gather };
	int err, failed;

	gather->reader = reader;
	err = visit_records(&visitor, reader);
	failed = finish(gather);
	gather->nr_continued = visitor.nr_continued;
	gather->nr_not_understood = reader_not_understood(reader);
	return err ? err : failed;
}

void gather_free(struct gather *gather)
{
	u32 i;

	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			profile_free(gather->profiles[i]);
		free(gather->profiles[i]);
	}
	free(gather->profiles);
	thread_counts_free(&gather->threads);
	wakers_free(&gather->wakers);
	parents_free(&gather->parents);
	stacks_free(&gather->stacks);
	hits_free(&gather->hits);
	chain_free(&gather->chain);
	free(gather->path);
	world_free(&gather->world);
}
