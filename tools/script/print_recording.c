// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print the records of a recording
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/record_visitor.h"
#include "script/print_recording.h"

_Static_assert(VISITOR_BATCH <= PLACE_TEXTS_MAX, "places are looked up for a batch");

/* Return the length of the longest event name, or 0 if there is a single event. */
static int name_width(const struct reader *reader)
{
	size_t width = 0, len;
	u32 i;

	for (i = 0; reader->nr_events > 1 && i < reader->nr_events; i++) {
		len = strlen(reader->events[i].name);
		width = len > width ? len : width;
	}
	return width;
}

static bool is_wanted(const struct script *script, u32 type)
{
	return type < 64 && script->types >> type & 1;
}

static int print_one(struct script *script, const struct record *record)
{
	struct line *line = &script->line;
	int err = line_begin(line, record);

	if (err)
		return message_set(&script->reader.msg, err,
				   "the record at %#llx is too short for its event",
				   record->offset);
	if (!is_wanted(script, record->header.type))
		return 0;
	line->comm = tasks_name(&script->world.tasks, line->ids.tid);
	if (script->nr_fields)
		line_print_fields(line, script->fields, script->nr_fields);
	else
		line_print(line);
	/*
	 * The process that writes to the input pipe may wait until another process
	 * reads these lines: print them now.
	 */
	if (script->reader.pipe)
		text_flush(&script->text);
	return ferror(stdout) ? -EPIPE : 0;
}

/*
 * Find the binary at the address of a sample. Return false if this fails. Also return
 * false for a sample with a call chain, because print_frames() finds the binary of each
 * frame.
 */
static bool locate(struct script *script, const struct lent_sample *lent, struct spot *spot)
{
	const struct layout *layout = &script->reader.events[lent->event].layout;
	u16 misc = load_u16(lent->data + offsetof(struct perf_event_header, misc));
	struct sample sample;

	if (layout->attr.sample_type & PERF_SAMPLE_CALLCHAIN || !layout->ip ||
	    layout_place(layout, 0, lent->data, &sample))
		return false;
	return !world_locate_sample(&script->world, sample.pid, misc, sample.ip, spot);
}

/*
 * Look up the places of samples. Set @places[i] to the text of the place of
 * @samples[i], or to NULL if locate() returns false or memory runs out. The mappings
 * must not change between the samples.
 */
static void find_places(struct script *script, const struct lent_sample *samples, size_t nr,
			const struct place_text **places)
{
	const struct place_text *found[VISITOR_BATCH];
	struct spot spots[VISITOR_BATCH];
	size_t at[VISITOR_BATCH], i, nr_found = 0;

	for (i = 0; i < nr; i++) {
		places[i] = NULL;
		at[nr_found] = i;
		nr_found += locate(script, &samples[i], &spots[nr_found]);
	}
	place_texts_get(&script->places, &script->world, spots, nr_found, found);
	for (i = 0; i < nr_found; i++)
		places[at[i]] = found[i];
}

static int print_samples(void *arg, const struct lent_sample *samples, size_t nr)
{
	struct script *script = arg;
	const struct place_text *places[VISITOR_BATCH] = { NULL };
	struct record record;
	int err = 0;
	size_t i;

	place_texts_trim(&script->places);
	/*
	 * With a jitdump file, functions may be mapped between two samples, so
	 * line_print_place() must look up the place of each sample at the sample's
	 * time.
	 */
	if (is_wanted(script, PERF_RECORD_SAMPLE) && !script->line.needed &&
	    !script->world.jits.nr)
		find_places(script, samples, nr, places);
	for (i = 0; i < nr && !err; i++) {
		record = reader_sample_record(&script->reader, samples, i);
		script->line.place = places[i];
		err = world_advance(&script->world, record.time);
		if (!err)
			err = print_one(script, &record);
	}
	script->line.place = NULL;
	return err;
}

static int print_record(void *arg, const struct record *record)
{
	struct script *script = arg;
	int err;

	place_texts_trim(&script->places);
	err = world_update(&script->world, record);
	/* In a pipe, a record without an event may add or rename events: update the width. */
	if (!record->event)
		script->line.name_width = name_width(&script->reader);
	return err || !record->event ? err : print_one(script, record);
}

static int print_all(struct script *script)
{
	struct record_visitor visitor = { .take_samples = print_samples,
					  .take_record = print_record, .arg = script };

	return visit_records(&visitor, &script->reader);
}

/*
 * Print all records.
 *
 * @json: print one JSON object per record; NULL for text
 *
 * Return 0 or -errno. If it fails, @script->reader.msg may have the details.
 */
int print_recording(struct script *script, struct json *json)
{
	int err;

	script->text.out = stdout;
	script->line = (struct line){
		.world = &script->world, .chain = &script->chain, .places = &script->places,
		.name_width = name_width(&script->reader), .text = &script->text, .json = json,
		.needed = json || script->nr_fields ? ~0ULL : 0,
	};
	err = print_all(script);
	text_flush(&script->text);
	place_texts_free(&script->places);
	return err;
}
