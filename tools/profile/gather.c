// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - build the profiles of a recording's events from its records
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/stitch.h"
#include "profile/gather.h"

/* All frames, and the thread's name in front of them. */
#define PATH_MAX_LEN	(FRAMES_MAX + 1)

/* A node of a call tree takes about 100 bytes: limit the trees to about 1.6 GB. */
#define NODES_MAX	(16ULL << 20)

/* Records between two calls of @progress, some milliseconds of work. */
#define RECORDS_PER_STEP	16384

/* Samples to get from the reader at a time. */
#define BATCH	32

/* Return the PERF_SAMPLE_* that keys and filter read. */
static u64 needed_fields(const struct gather_options *options)
{
	u64 needed = filter_fields(&options->filter);
	size_t i;

	for (i = 0; i < options->keys.nr; i++)
		needed |= options->keys.columns[i]->sample;
	return needed;
}

/*
 * Set up a pass, before the first record is read.
 *
 * @gather: the caller frees it with gather_free(), also on failure
 * @options: must stay valid until gather_free()
 * @symbols: sources of symbols
 */
int gather_init(struct gather *gather, const struct gather_options *options,
		const struct symbol_options *symbols, const struct reader *reader)
{
	*gather = (struct gather){ .options = options,
				   .needed = needed_fields(options),
				   .children = options->children == CHILDREN_YES };
	gather->path = malloc(PATH_MAX_LEN * sizeof(*gather->path));
	if (world_init(&gather->world, symbols, &reader->features) || chain_init(&gather->chain))
		return -ENOMEM;
	return gather->path ? 0 : -ENOMEM;
}

/* Enlarge @gather->profiles: in a pipe, events arrive between the records. */
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

static struct profile *profile_of(struct gather *gather, const struct reader *reader, u32 event)
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
		profile->keys = &gather->options->keys;
	}
	if (!profile->event) {
		/* The reader may reallocate its events, so copy the name. */
		profile->event = interned_get(&gather->world.objects.sources.names,
					      reader->events[event].name);
		if (!profile->event)
			return NULL;
	}
	return profile;
}

static const char *field_word(u64 field)
{
	static const struct {
		u64 field;
		const char *word;
	} words[] = {
		{ PERF_SAMPLE_IP, "address" },
		{ PERF_SAMPLE_TID, "thread id" },
		{ PERF_SAMPLE_CPU, "CPU" },
		{ PERF_SAMPLE_TIME, "time" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (words[i].field == field)
			return words[i].word;
	}
	return "field";
}

static int check_fields(struct gather *gather, struct reader *reader,
			const struct reader_event *event)
{
	u64 missing = gather->needed & ~event->layout.attr.sample_type;

	if (!missing)
		return 0;
	return message_set(&reader->msg, -ENODATA,
			   "samples of event '%s' have no %s, which an option needs",
			   event->name, field_word(missing & -missing));
}

/* Find the frames of a sample. Return their number, at least 1, or -ENOMEM. */
static int find_frames(struct gather *gather, const struct perf_event_attr *attr,
		       const struct hit *hit)
{
	struct chain *chain = &gather->chain;
	int err = chain_find(chain, &gather->world, attr, hit->sample, hit->spot.is_kernel);

	if (err)
		return err;
	if (!chain->nr)
		chain->frames[chain->nr++] = hit->spot;
	return chain->nr;
}

/* Is there room for another call path? If not, count it as left out. */
static bool has_room(struct gather *gather)
{
	if (gather->nr_nodes < NODES_MAX)
		return true;
	gather->paths_left_out++;
	return false;
}

/* Add the frames from @from to 0 if callers come first, else from @from to @nr - 1. */
static int add_path(struct gather *gather, struct profile *profile, struct profile_entry *entry,
		    int from, int nr, u64 period)
{
	u64 before = profile->trees.table.nr;
	int i, len = 0, err;

	if (!has_room(gather))
		return 0;
	if (gather->options->callers_first) {
		for (i = from; i >= 0; i--)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	} else {
		for (i = from; i < nr; i++)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	}
	err = profile_add_path(profile, entry, gather->path, len, period);
	gather->nr_nodes += profile->trees.table.nr - before;
	return err;
}

static int add_self(struct gather *gather, struct profile *profile, const struct hit *hit, int nr)
{
	struct profile_entry *entry = profile_get(profile, hit);
	u64 period = hit->sample->period;

	if (!entry)
		return -ENOMEM;
	entry->tally.period += period;
	entry->tally.samples++;
	entry->tally.children_period += period;
	entry->tally.children_samples++;
	entry->stamp = profile->samples;
	if (!gather->options->trees)
		return 0;
	return add_path(gather, profile, entry, gather->options->callers_first ? nr - 1 : 0, nr,
			period);
}

/* Count each function of a call chain once, even if it is there several times. */
static int add_callers(struct gather *gather, struct profile *profile, const struct hit *self,
		       int nr)
{
	struct profile_entry *entry;
	struct hit hit = *self;
	int i, at, err = 0;

	for (i = 0; i < nr && !err; i++) {
		/* For a recursive function, use its first frame in the chosen order. */
		at = gather->options->callers_first ? nr - 1 - i : i;
		hit.spot = gather->chain.frames[at];
		if (!filter_shows(&gather->options->filter, &hit))
			continue;
		entry = profile_get(profile, &hit);
		if (!entry)
			return -ENOMEM;
		if (entry->stamp == profile->samples)
			continue;
		entry->stamp = profile->samples;
		entry->tally.children_period += hit.sample->period;
		entry->tally.children_samples++;
		if (gather->options->trees)
			err = add_path(gather, profile, entry, at, nr, hit.sample->period);
	}
	return err;
}

/* Add a whole path: thread name, then the names of the functions, outermost first. */
static int add_whole_path(struct gather *gather, struct profile *profile, const struct hit *hit,
			  int nr)
{
	u64 before = profile->trees.table.nr;
	const struct spot *frame;
	int i, len = 0, err;

	if (!filter_shows(&gather->options->filter, hit))
		return 0;
	if (!has_room(gather))
		return 0;
	gather->path[len++] = (uintptr_t)hit->comm;
	for (i = nr - 1; i >= 0; i--) {
		frame = &gather->chain.frames[i];
		gather->path[len++] = (uintptr_t)(frame->symbol->name ? frame->symbol->name :
									frame->object->short_name);
	}
	err = call_tree_add(&profile->trees, &profile->paths, gather->path, len,
			    hit->sample->period);
	gather->nr_nodes += profile->trees.table.nr - before;
	return err;
}

static int add_hit(struct gather *gather, struct profile *profile,
		   const struct perf_event_attr *attr, const struct hit *hit)
{
	const struct gather_options *options = gather->options;
	bool needs_frames = gather->children || options->trees || options->paths;
	int nr = needs_frames ? find_frames(gather, attr, hit) : 0;
	int err = 0;

	if (nr < 0)
		return nr;
	if (options->paths)
		return add_whole_path(gather, profile, hit, nr);
	if (filter_shows(&options->filter, hit))
		err = add_self(gather, profile, hit, nr);
	if (!err && gather->children)
		err = add_callers(gather, profile, hit, nr);
	return err;
}

static int add_sample(struct gather *gather, struct reader *reader, const struct record *record)
{
	const struct gather_filter *filter = &gather->options->filter;
	const struct layout *layout = &record->event->layout;
	struct sample *sample = &gather->sample;
	struct profile *profile;
	struct hit hit;
	int err;

	if (!filter_takes_event(filter, record->event->name))
		return 0;
	err = layout_place(layout, gather->needed, record->data, sample);
	if (err)
		return message_set(&reader->msg, err,
				   "the record at %#llx is too short for its event",
				   record->offset);
	err = check_fields(gather, reader, record->event);
	if (err || !filter_takes(filter, sample))
		return err;
	profile = profile_of(gather, reader, record->event - reader->events);
	if (!profile)
		return -ENOMEM;
	if (!(sample->fields & PERF_SAMPLE_PERIOD))
		sample->period = layout->attr.freq ? 1 : layout->attr.sample_period;
	gather->has_chains |= !!(sample->fields & PERF_SAMPLE_CALLCHAIN);
	gather->has_groups |= sample->fields & PERF_SAMPLE_READ &&
			      layout->attr.read_format & PERF_FORMAT_GROUP && reader->nr_events > 1;
	if (gather->options->children == CHILDREN_AUTO)
		gather->children = gather->has_chains;
	hit.objects = &gather->world.objects;
	hit.sample = sample;
	hit.event = profile->event;
	hit.comm = tasks_name(&gather->world.tasks, sample->tid);
	err = world_resolve_sample(&gather->world, sample->pid, record->header.misc, sample->ip,
				   &hit.spot);
	if (err)
		return err;
	gather->samples++;
	gather->unresolved[object_status(hit.spot.object, hit.spot.symbol)]++;
	profile->samples++;
	profile->period += sample->period;
	return add_hit(gather, profile, &layout->attr, &hit);
}

/* Has the file an event that the filter takes? True without a filter of events. */
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

/* Add samples that the reader lends. Each is as stitch_next() would return it. */
static int add_samples(struct gather *gather, struct reader *reader,
		       const struct lent_sample *samples, size_t nr)
{
	struct record record;
	size_t i;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		record = (struct record){ .data = samples[i].data, .time = samples[i].time,
					  .offset = reader_sample_offset(reader, i),
					  .event = &reader->events[samples[i].event] };
		memcpy(&record.header, record.data, sizeof(record.header));
		err = world_advance(&gather->world, record.time);
		if (!err)
			err = add_sample(gather, reader, &record);
	}
	return err;
}

/* Call @progress when the number of records passes a multiple of RECORDS_PER_STEP. */
static void count_records(struct gather *gather, const struct reader *reader, size_t nr)
{
	u64 before = gather->records / RECORDS_PER_STEP;

	gather->records += nr;
	if (gather->options->progress && gather->records / RECORDS_PER_STEP != before)
		gather->options->progress(reader);
}

static int add_record(struct gather *gather, struct reader *reader, const struct record *record)
{
	int err;

	if (record->event && record->header.type == PERF_RECORD_SAMPLE) {
		err = world_advance(&gather->world, record->time);
		return err ? err : add_sample(gather, reader, record);
	}
	losses_update(&gather->losses, record);
	return world_update(&gather->world, record);
}

/*
 * Read the file to its end. Return 0, or -errno; @reader->msg may have the details. The
 * profiles have all samples that were read before an error.
 */
int gather_all(struct gather *gather, struct reader *reader)
{
	struct lent_sample samples[BATCH];
	struct stitch stitch;
	struct record record;
	int ret = 1, err = 0;
	size_t nr;

	stitch_init(&stitch, reader);
	while (!err && ret > 0) {
		nr = stitch_is_idle(&stitch) ? reader_samples(reader, samples, BATCH) : 0;
		if (nr) {
			count_records(gather, reader, nr);
			err = add_samples(gather, reader, samples, nr);
			continue;
		}
		ret = stitch_next(&stitch, &record);
		if (ret <= 0)
			break;
		count_records(gather, reader, 1);
		err = add_record(gather, reader, &record);
	}
	gather->nr_continued = stitch.nr_continued;
	stitch_free(&stitch);
	return err ? err : ret;
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
	chain_free(&gather->chain);
	free(gather->path);
	world_free(&gather->world);
}
