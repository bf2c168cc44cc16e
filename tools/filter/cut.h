/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx filter - a recording, and the part of it that becomes the output
 *
 * Samples and most other records are copied as they are. All that is needed to look up the
 * samples that stay is kept: see cut_record.c.
 *
 * Records are written in the order of their times. They keep their identifiers, and the output
 * has those of all events that stay (cut_events.c); a record of an event that is dropped gets
 * the trailer of the first one that stays. cut_losses.c replaces the ledger, which has no
 * times, if a part of the time is taken.
 */
#ifndef TPROF_CUT_H
#define TPROF_CUT_H

#include "profile/gather_filter.h"

/* cut.numbers of an event that the output does not have. */
#define EVENT_DROPPED	(~0U)

/**
 * struct cut_losses - lost samples of the events and CPUs that stay
 * @ledger:	those in lines of the ledger that were left out, because these are sums over all of
 *		the time
 * @has_ledger:	such lines were left out
 * @reported:	those in LOST_SAMPLES records
 * @inside:	those in LOST_SAMPLES records that stay
 */
struct cut_losses {
	u64	ledger;
	bool	has_ledger;
	u64	reported;
	u64	inside;
};

/**
 * struct cut - the recording and the output
 * @filter:	which samples to keep
 * @needed:	PERF_SAMPLE_* fields that @filter reads
 * @looks_up:	@filter needs @world
 * @world:	tasks, mappings and binaries at the time of the current record
 * @reader:	reads the recording
 * @events:	events of the output
 * @nr_events:	number of @events
 * @numbers:	index in @events of each event of the recording, or EVENT_DROPPED
 * @ids:	the identifiers of @events
 * @waiting:	threads of samples that stay, with call chains that may follow, by thread id
 * @out:	records that are not written yet
 * @losses:	lost samples
 * @samples:	number of samples that stay
 * @first:	time of the first one
 * @last:	time of the last one
 * @latest:	time of the latest record
 * @nr_left_out: number of records left out that the output should have
 * @left_out:	type of the first one
 */
struct cut {
	const struct gather_filter *filter;
	u64	needed;
	bool	looks_up;
	struct world world;
	struct reader reader;
	struct perfdata_event *events;
	u32	nr_events;
	u32	*numbers;
	u64	*ids;
	struct hash_table waiting;
	struct bytes out;
	struct cut_losses losses;
	u64	samples;
	u64	first;
	u64	last;
	u64	latest;
	u64	nr_left_out;
	u32	left_out;
};

int cut_events(struct cut *cut);
int cut_features(const struct cut *cut, struct feature_set *features);
int cut_record(struct cut *cut, const struct record *record);

void cut_add_trailer(struct cut *cut, const struct sample *fields);
int cut_append(struct cut *cut, const struct record *record);
bool cut_is_over(const struct cut *cut, const struct record *record);
bool cut_takes_time(const struct cut *cut, const struct record *record);
bool cut_takes_cpu(const struct cut *cut, const struct record *record);

int cut_ledger(struct cut *cut, const struct record *record, const char *line);
bool cut_takes_loss(struct cut *cut, const struct record *record);
int cut_add_losses(struct cut *cut);

/* perf gives the time 0 or ~0 to some records that it makes at the start. */
static inline bool cut_has_time(const struct record *record)
{
	return record->time && record->time != ~0ULL;
}

/* Return the index in the output of the event of @record, or EVENT_DROPPED. */
static inline u32 cut_event(const struct cut *cut, const struct record *record)
{
	return cut->numbers[record->event - cut->reader.events];
}

/* Return true if the filter takes the times of a part only. */
static inline bool cut_has_times(const struct cut *cut)
{
	return cut->filter->from || cut->filter->to;
}

#endif /* TPROF_CUT_H */
