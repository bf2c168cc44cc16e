// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the processed profile format of the Firefox Profiler, version 66
 *
 * The profile has a thread for each thread and event. Functions, frames and stacks are in
 * tables that all threads share, with the names of functions, so that the profile can be
 * opened on any machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number_text.h"
#include "cli/say.h"
#include "export/firefox_markers.h"
#include "export/samples.h"
#include "export/timeline.h"
#include "perfdata/wall_clock.h"
#include "perfdata/waits.h"

#define FORMAT_VERSION	66

/* Readers of the format ignore this version, but demand it. */
#define GECKO_VERSION	24

#define NAME_ROOM	(NAME_LEN + 128)

/**
 * struct firefox - a profile being made
 * @export:	the recording
 * @frames:	frames and stacks
 * @timeline:	samples of each thread
 * @markers:	marks and lost samples
 * @tables:	writes the document; its functions get a pointer to this, the first member
 * @track:	the thread that is being written
 * @is_time:	the periods of its samples are nanoseconds
 * @first:	time of the first sample
 */
struct firefox {
	struct firefox_tables tables;
	const struct export *export;
	struct frames frames;
	struct timeline timeline;
	struct firefox_markers markers;
	const struct track *track;
	bool	is_time;
	u64	first;
};

static int take(struct samples *samples)
{
	struct firefox *firefox = samples->arg;
	u64 time = samples->sample.time;

	if (samples->span.nr == 1 || time < firefox->first)
		firefox->first = time;
	return timeline_take(&firefox->timeline, &firefox->frames, samples);
}

static int note(struct samples *samples, const struct record *record)
{
	const struct gather_filter *filter = &samples->export->options->gather.filter;
	struct firefox *firefox = samples->arg;

	if (record->time < filter->from || (filter->to && record->time > filter->to))
		return 0;
	return firefox_markers_note(&firefox->markers, record);
}

/* Write nanoseconds as milliseconds. */
static void put_ms(struct text *text, u64 ns)
{
	text_number(text, ns / NSEC_PER_MSEC, 0, ' ');
	text_char(text, '.');
	text_number(text, ns % NSEC_PER_MSEC, MS_DIGITS, '0');
}

static const struct firefox *firefox_of(const struct firefox_tables *tables)
{
	return (const struct firefox *)tables;
}

static void put_sample_stack(struct firefox_tables *tables, size_t i)
{
	text_number(&tables->text, track_steps(firefox_of(tables)->track)[i].stack - 1, 0, ' ');
}

static void put_time_delta(struct firefox_tables *tables, size_t i)
{
	const struct firefox *firefox = firefox_of(tables);
	const struct step *steps = track_steps(firefox->track);
	u64 before = i ? steps[i - 1].time : firefox->first;

	put_ms(&tables->text, steps[i].time - before);
}

static void put_weight(struct firefox_tables *tables, size_t i)
{
	const struct firefox *firefox = firefox_of(tables);
	u64 weight = track_steps(firefox->track)[i].weight;

	if (firefox->is_time)
		put_ms(&tables->text, weight);
	else
		text_number(&tables->text, weight, 0, ' ');
}

static void write_samples(struct firefox *firefox)
{
	struct firefox_tables *tables = &firefox->tables;
	size_t nr = firefox->track->nr;

	json_begin(&tables->json, "samples", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "stack", nr, put_sample_stack);
	firefox_column(tables, "timeDeltas", nr, put_time_delta);
	firefox_column(tables, "weight", nr, put_weight);
	json_string(&tables->json, "weightType", firefox->is_time ? "tracing-ms" : "samples");
	json_end(&tables->json, '}');
}

static double ms_since(const struct firefox *firefox, u64 time)
{
	return (double)(time - firefox->first) / NSEC_PER_MSEC;
}

/* Ids must be unique, so those of further events of a thread end with the event's index. */
static void write_ids(struct firefox *firefox, const struct track *track)
{
	struct json *json = &firefox->tables.json;
	char text[32];

	snprintf(text, sizeof(text), "%u", track->pid);
	json_string(json, "pid", text);
	snprintf(text, sizeof(text), track->event ? "%u.%u" : "%u", track->tid, track->event);
	json_string(json, "tid", text);
}

static void write_thread(struct firefox *firefox, const struct track *track)
{
	const struct reader *reader = firefox->export->reader;
	const struct reader_event *event = &reader->events[track->event];
	struct json *json = &firefox->tables.json;
	const char *comm = firefox_name(&firefox->tables, track->comm);
	char name[NAME_ROOM];

	firefox->track = track;
	firefox->is_time = event_time(event) != TIME_NONE;
	snprintf(name, sizeof(name), "%s", comm);
	if (reader->nr_events > 1)
		snprintf(name, sizeof(name), "%s (%s)", comm,
			 firefox_name(&firefox->tables, event->name));
	json_begin(json, NULL, '{');
	json_string(json, "name", name);
	json_string(json, "processName", comm);
	json_string(json, "processType", "default");
	json_bool(json, "isMainThread", track->pid == track->tid && !track->event);
	write_ids(firefox, track);
	json_u64(json, "processStartupTime", 0);
	json_null(json, "processShutdownTime");
	json_fixed(json, "registerTime", ms_since(firefox, track_steps(track)[0].time), MS_DIGITS);
	json_null(json, "unregisterTime");
	json_begin(json, "pausedRanges", '[');
	json_end(json, ']');
	write_samples(firefox);
	/* Marks and losses are of no thread, so the first one has them. */
	firefox_markers_write(track == *firefox->timeline.tracks ? &firefox->markers : NULL,
			      &firefox->tables, firefox->first);
	json_end(json, '}');
}

/* Write the table of browser extensions, which readers demand. */
static void write_no_extensions(struct json *json)
{
	static const char *const columns[] = { "id", "name", "baseURL" };
	size_t i;

	json_begin(json, "extensions", '{');
	json_u64(json, "length", 0);
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		json_begin(json, columns[i], '[');
		json_end(json, ']');
	}
	json_end(json, '}');
}

static void write_units(struct json *json)
{
	json_begin(json, "sampleUnits", '{');
	json_string(json, "time", "ms");
	json_string(json, "eventDelay", "ms");
	json_string(json, "threadCPUDelta", "ns");
	json_end(json, '}');
}

/* Return the first event that the filter takes, or NULL. */
static const struct reader_event *first_event(const struct export *export)
{
	const struct reader *reader = export->reader;
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		if (filter_takes_event(&export->options->gather.filter, reader->events[i].name))
			return &reader->events[i];
	}
	return NULL;
}

/* Return the time between two samples of the first event, in ms, if it is fixed; else 1. */
static double interval_of(const struct export *export)
{
	const struct reader_event *event = first_event(export);
	const struct perf_event_attr *attr = event ? &event->layout.attr : NULL;

	if (attr && attr->freq && attr->sample_freq)
		return 1000.0 / attr->sample_freq;
	if (attr && event_time(event) != TIME_NONE && attr->sample_period)
		return (double)attr->sample_period / NSEC_PER_MSEC;
	return 1;
}

static void write_categories(struct json *json)
{
	static const struct {
		const char *name;
		const char *color;
	} categories[NR_FRAME_KINDS] = {
		[FRAME_OTHER] = { "Other", "grey" },
		[FRAME_USER] = { "User", "yellow" },
		[FRAME_KERNEL] = { "Kernel", "orange" },
		[FRAME_INLINED] = { "Inlined", "blue" },
		[FRAME_JIT] = { "JIT", "green" },
		[FRAME_INTERRUPT] = { "Interrupt", "red" },
	};
	size_t i;

	json_begin(json, "categories", '[');
	for (i = 0; i < NR_FRAME_KINDS; i++) {
		json_begin(json, NULL, '{');
		json_string(json, "name", categories[i].name);
		json_string(json, "color", categories[i].color);
		json_begin(json, "subcategories", '[');
		json_string(json, NULL, "Other");
		json_end(json, ']');
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void write_meta(struct firefox *firefox)
{
	const struct reader *reader = firefox->export->reader;
	struct json *json = &firefox->tables.json;
	u64 offset;

	wall_clock_offset(&reader->features, &offset);
	json_begin(json, "meta", '{');
	json_u64(json, "version", GECKO_VERSION);
	json_u64(json, "preprocessedProfileVersion", FORMAT_VERSION);
	json_fixed(json, "interval", interval_of(firefox->export), MS_DIGITS);
	json_fixed(json, "startTime", (double)(firefox->first + offset) / NSEC_PER_MSEC, 3);
	json_u64(json, "processType", 0);
	json_u64(json, "stackwalk", 1);
	json_string(json, "product", "tprof-lx");
	json_string(json, "importedFrom", "tprof-lx " TPROF_LX_VERSION);
	json_string(json, "platform", "Linux");
	json_string(json, "abi", "x86_64");
	json_bool(json, "symbolicated", true);
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	firefox_markers_schema(json);
	write_categories(json);
	write_no_extensions(json);
	write_units(json);
	json_end(json, '}');
}

static int write_document(struct firefox *firefox)
{
	struct firefox_tables *tables = &firefox->tables;
	struct json *json = &tables->json;
	size_t i;

	firefox_tables_begin(tables, &firefox->frames, firefox->export->out);
	json_begin(json, NULL, '{');
	write_meta(firefox);
	firefox_tables_libs(tables);
	json_begin(json, "pages", '[');
	json_end(json, ']');
	json_begin(json, "threads", '[');
	for (i = 0; i < firefox->timeline.table.nr; i++)
		write_thread(firefox, firefox->timeline.tracks[i]);
	json_end(json, ']');
	firefox_tables_shared(tables);
	json_end(json, '}');
	return tables->err;
}

static int write_firefox(const struct export *export)
{
	struct firefox firefox = { .export = export, .frames.by_interrupt = true };
	struct samples samples;
	int status, err = samples_init(&samples, export);

	samples.take = take;
	samples.note = note;
	samples.arg = &firefox;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	if (!err)
		err = write_document(&firefox);
	if (err)
		status = say_failure(err, export->options->input);
	if (firefox.markers.nr_left_out)
		say_note("%s: %zu %s left out; take a part with --time",
			 export->options->input, firefox.markers.nr_left_out,
			 by_number(firefox.markers.nr_left_out, "mark or loss was",
				   "marks and losses were"));
	firefox_tables_free(&firefox.tables);
	firefox_markers_free(&firefox.markers);
	timeline_free(&firefox.timeline);
	frames_free(&firefox.frames);
	samples_free(&samples);
	return status;
}

const struct export_format export_firefox = { .name = "firefox", .write = write_firefox };
