// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check that samples have all fields that keys and filter read
 */
#include <errno.h>

#include "perfdata/parallelism.h"
#include "profile/needs.h"

/* Return the mask of PERF_SAMPLE_* fields, and NEED_PARALLELISM, that keys and filter read. */
u64 needs_of(const struct profile_keys *keys, const struct gather_filter *filter)
{
	u64 needed = filter_fields(filter);
	size_t i;

	for (i = 0; i < keys->nr; i++)
		needed |= keys->columns[i]->sample;
	return needed;
}

static const char *field_word(u64 field)
{
	static const struct {
		u64 field;
		const char *word;
	} words[] = {
		{ PERF_SAMPLE_IP, "address" },
		{ PERF_SAMPLE_TID, "thread id" },
		{ PERF_SAMPLE_TIME, "time" },
		{ PERF_SAMPLE_WEIGHT, "weight" },
		{ PERF_SAMPLE_CGROUP, "cgroup" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (words[i].field == field)
			return words[i].word;
	}
	return "field";
}

/* Return true if samples of any event have parallelism. Samples of wakeups never do. */
static bool has_parallelism(const struct reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		if (reader->events[i].has_parallelism)
			return true;
	}
	return false;
}

/*
 * Check that samples of @event have all fields in @needed. Without PERF_SAMPLE_RAW, a sample
 * has a state, too: see wait_state(). Without an identifier, it has a host: see world_host().
 * Return 0, or set @reader->msg and return -ENODATA.
 */
int needs_check(u64 needed, struct reader *reader, const struct reader_event *event)
{
	u64 fields = event->layout.attr.sample_type, missing;

	fields |= PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER;
	/* Samples have their weight in one of two forms. */
	if (fields & PERF_SAMPLE_WEIGHT_STRUCT)
		fields |= PERF_SAMPLE_WEIGHT;
	if (event->has_parallelism)
		fields |= NEED_PARALLELISM;
	missing = needed & ~fields;
	if (!missing)
		return 0;
	if (missing & NEED_PARALLELISM)
		return message_set(&reader->msg, -ENODATA,
				   "samples of event '%s' have no parallelism; %s", event->name,
				   has_parallelism(reader) ? "choose other events with --event" :
							     "record them with --latency");
	if (missing & PERF_SAMPLE_CPU)
		return message_set(&reader->msg, -ENODATA,
				   "samples of event '%s' have no CPU; record them with --sample-cpu",
				   event->name);
	return message_set(&reader->msg, -ENODATA,
			   "samples of event '%s' have no %s, which an option needs",
			   event->name, field_word(missing & -missing));
}
