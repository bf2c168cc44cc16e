// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx filter - choose the records of the output
 *
 * The filter chooses samples as in report. Other records are kept by what they are:
 * - state, such as names, mappings and cgroups: of all processes, up to the end of the chosen time,
 *   as a process has the mappings of its parent, and a sample those of the time before it;
 * - moments, such as losses, marks and switches: if they are within the chosen time and CPUs;
 * - deferred call chains: if the thread has had a sample that stays.
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <string.h>

#include "base/load.h"
#include "filter/cut.h"
#include "perfdata/held.h"
#include "perfdata/ledger.h"
#include "perfdata/mark.h"
#include "perfdata/parallelism.h"
#include "profile/needs.h"

#define HEADER		sizeof(struct perf_event_header)

static bool takes_moment(const struct cut *cut, const struct record *record)
{
	return cut_takes_time(cut, record) && cut_takes_cpu(cut, record);
}

/* Return the thread of the trailer of @record, or 0 if the record has none. */
static u32 thread_of(const struct record *record)
{
	struct sample fields;

	if (layout_trailer(&record->event->layout, record->data, &fields))
		return 0;
	return fields.fields & PERF_SAMPLE_TID ? fields.tid : 0;
}

static bool is_waiting(const struct cut *cut, const struct record *record)
{
	return hash_table_find(&cut->waiting, hash_number(thread_of(record)), NULL, NULL);
}

/* Note the thread of a sample whose call chain may follow. Return 0 or -ENOMEM. */
static int note_waiting(struct cut *cut, const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	bool is_deferred = record->header.misc & TPROF_LX_MISC_CHAIN_DEFERRED;
	struct sample sample;
	u64 cookie;

	if ((!is_deferred && !layout->defers) || layout_sample(layout, record->data, &sample))
		return 0;
	if (!is_deferred && !held_find_cookie(layout, &sample, &cookie))
		return 0;
	return hash_table_get(&cut->waiting, sample.tid, sizeof(sample.tid)) ? 0 : -ENOMEM;
}

/* Set @is_shown if report shows the sample with options that look at the world. */
static int look_up(struct cut *cut, const struct sample *sample, const struct record *record,
		   bool *is_shown)
{
	const struct gather_filter *filter = cut->filter;
	struct world *world = &cut->world;
	u16 misc = record->header.misc;
	struct hit hit = { .objects = &world->objects, .sample = sample,
			   .comm = tasks_name(&world->tasks, sample->tid) };
	int err = 0;

	if (filter->syms)
		err = world_resolve_sample(world, sample->pid, misc, sample->ip, &hit.spot);
	else if (filter->dsos)
		err = world_locate_sample(world, sample->pid, misc, sample->ip, &hit.spot);
	if (!err)
		*is_shown = filter_shows(filter, &hit);
	return err;
}

static int take_sample(struct cut *cut, const struct record *record)
{
	struct reader *reader = &cut->reader;
	struct sample sample;
	bool is_shown = true;
	int err;

	if (cut_event(cut, record) == EVENT_DROPPED)
		return 0;
	err = layout_place(&record->event->layout, cut->needed, record->data, &sample);
	if (err)
		return message_set(&reader->msg, err,
				   "the record at %#llx is too short for its event",
				   record->offset);
	err = needs_check(cut->needed, reader, record->event);
	if (err || !filter_takes(cut->filter, &sample, record->header.misc))
		return err;
	if (cut->looks_up)
		err = look_up(cut, &sample, record, &is_shown);
	if (err || !is_shown)
		return err;
	if (!cut->samples++)
		cut->first = record->time;
	cut->last = record->time;
	bytes_add(&cut->out, record->data, record->header.size);
	err = bytes_err(&cut->out);
	return err ? err : note_waiting(cut, record);
}

/* Return true if report -T shows the counts of a thread in @record. */
static bool takes_counts(struct cut *cut, const struct record *record)
{
	u32 pid, tid;

	if (cut_event(cut, record) == EVENT_DROPPED || record->header.size < HEADER + 8)
		return false;
	pid = load_u32(record->data + HEADER);
	tid = load_u32(record->data + HEADER + 4);
	return filter_takes_thread(cut->filter, pid, tid) &&
	       (!cut->filter->comms ||
		filter_takes_name(cut->filter, tasks_name(&cut->world.tasks, tid)));
}

static bool is_chain(const struct record *record)
{
	const struct record_field path = { .kind = FIELD_TEXT,
					   .offset = offsetof(struct tprof_lx_chain, path) +
						     HEADER };
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *text = record_text(&body, &path);

	return text && !strcmp(text, TPROF_LX_CHAIN_PATH);
}

/* CGROUP records have paths of cgroups, and data of tprof-lx. */
static int take_cgroup(struct cut *cut, const struct record *record)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *line = ledger_line(record);
	bool is_taken = !cut_is_over(cut, record);

	if (line)
		return cut_ledger(cut, record, line);
	if (mark_text(record))
		is_taken = takes_moment(cut, record);
	else if (is_chain(record))
		is_taken = is_waiting(cut, record);
	else if (parallelism_is_mark(&body, record->header.type))
		is_taken = cut_event(cut, record) != EVENT_DROPPED;
	return is_taken ? cut_append(cut, record) : 0;
}

static int leave_out(struct cut *cut, u32 type)
{
	if (!cut->nr_left_out++)
		cut->left_out = type;
	return 0;
}

/* Return true if the output has @record, which is no sample and no CGROUP record. */
static bool is_taken(struct cut *cut, const struct record *record)
{
	switch (record->header.type) {
	case PERF_RECORD_READ:
		return takes_counts(cut, record);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return cut_takes_loss(cut, record);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return cut_event(cut, record) != EVENT_DROPPED && takes_moment(cut, record);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return takes_moment(cut, record);
	case PERFDATA_CHAIN_DEFERRED:
		return is_waiting(cut, record);
	default:
		return !cut_is_over(cut, record);
	}
}

static int take_record(struct cut *cut, const struct record *record)
{
	if (record->header.size < HEADER + record->event->layout.trailer &&
	    record->header.type != PERF_RECORD_SAMPLE)
		return -EBADMSG;
	switch (record->header.type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(cut, record);
	case PERF_RECORD_CGROUP:
		return take_cgroup(cut, record);
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return leave_out(cut, record->header.type);
	default:
		if (!record_type_find(record->header.type))
			return leave_out(cut, record->header.type);
		return is_taken(cut, record) ? cut_append(cut, record) : 0;
	}
}

static int update_world(struct cut *cut, const struct record *record)
{
	bool is_sample = record->event && record->header.type == PERF_RECORD_SAMPLE;

	if (!cut->looks_up)
		return 0;
	return is_sample ? world_advance(&cut->world, record->time) :
			   world_update(&cut->world, record);
}

/*
 * Append @record to @cut->out if the output has it. Return 0, or -errno; the reader's message may
 * have the details.
 */
int cut_record(struct cut *cut, const struct record *record)
{
	struct message *msg = &cut->reader.msg;
	int err = update_world(cut, record);

	if (err)
		return err;
	if (!record->event)
		return record_is_about_file(record->header.type) ?
			       0 : leave_out(cut, record->header.type);
	if (cut_has_time(record) && record->time > cut->latest)
		cut->latest = record->time;
	err = take_record(cut, record);
	if (err == -EBADMSG && !msg->text[0])
		message_set(msg, err, "the record at %#llx is damaged", record->offset);
	return err;
}
