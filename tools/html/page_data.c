// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the data in a page
 */
#include <errno.h>

#include "base/json.h"
#include "html/packed.h"
#include "html/page_code.h"
#include "html/page_data.h"
#include "html/page_functions.h"
#include "perfdata/waits.h"
#include "perfdata/wall_clock.h"

/* Number of numbers to write at a time. */
#define BATCH	4096

static u32 point_time(const struct page_data *data, size_t i)
{
	const struct point *list = data->points.list;

	/* Differences compress better than times. */
	return i ? list[i].time - list[i - 1].time : list[i].time;
}

static u32 point_event(const struct page_data *data, size_t i)
{
	return data->points.list[i].event;
}

static u32 point_run(const struct page_data *data, size_t i)
{
	return data->points.list[i].run;
}

static u32 point_thread(const struct page_data *data, size_t i)
{
	return data->points.list[i].thread;
}

static u32 point_cpu(const struct page_data *data, size_t i)
{
	return data->points.list[i].cpu;
}

static u32 point_stack(const struct page_data *data, size_t i)
{
	return data->points.list[i].stack;
}

static u32 point_samples(const struct page_data *data, size_t i)
{
	return data->points.list[i].samples;
}

static u32 point_weight(const struct page_data *data, size_t i)
{
	return data->points.list[i].weight;
}

static u32 point_weight_high(const struct page_data *data, size_t i)
{
	return data->points.list[i].weight >> 32;
}

/* Tuples have numbers from 1. */
static u32 point_tuple(const struct page_data *data, size_t i)
{
	return data->points.list[i].tuple - 1;
}

/* All numbers of texts, one key after the other. */
static u32 tuple_text(const struct page_data *data, size_t i)
{
	const struct page_keys *keys = &data->keys;

	return page_key_numbers(&keys->list[i / keys->nr_tuples])[i % keys->nr_tuples];
}

static u32 node_up(const struct page_data *data, size_t i)
{
	return i - data->tree->nodes[i].parent;
}

static u32 node_function(const struct page_data *data, size_t i)
{
	u32 function = data->tree->nodes[i].function;

	return function == TREE_SMALL ? data->nr_functions : function;
}

static u32 node_kind(const struct page_data *data, size_t i)
{
	return data->tree->nodes[i].kind;
}

static u32 loss_time(const struct page_data *data, size_t i)
{
	return points_step(&data->points, page_losses(data)[i].time);
}

static u32 loss_count(const struct page_data *data, size_t i)
{
	u64 lost = page_losses(data)[i].lost;

	return lost < UINT32_MAX ? lost : UINT32_MAX;
}

static u32 loss_run(const struct page_data *data, size_t i)
{
	return page_losses(data)[i].run;
}

static u32 mark_time(const struct page_data *data, size_t i)
{
	return points_step(&data->points, marks_list(&data->marks)[i].time);
}

static u32 mark_run(const struct page_data *data, size_t i)
{
	return marks_list(&data->marks)[i].run;
}

/*
 * What the rows of a column are. Only a page of several recordings has RUN_*, and only one
 * with keys that --sort chooses has KEY_POINTS and TUPLES.
 */
enum rows { POINTS, NODES, LOSSES, MARKS, KEY_POINTS, TUPLES, RUN_POINTS, RUN_LOSSES, RUN_MARKS };

static const struct {
	const char *name;
	enum rows rows;
	u32	(*get)(const struct page_data *data, size_t i);
} columns[] = {
	{ "time", POINTS, point_time },
	{ "event", POINTS, point_event },
	{ "thread", POINTS, point_thread },
	{ "cpu", POINTS, point_cpu },
	{ "stack", POINTS, point_stack },
	{ "samples", POINTS, point_samples },
	{ "weight", POINTS, point_weight },
	{ "weightHigh", POINTS, point_weight_high },
	{ "up", NODES, node_up },
	{ "function", NODES, node_function },
	{ "kind", NODES, node_kind },
	{ "lossTime", LOSSES, loss_time },
	{ "lossCount", LOSSES, loss_count },
	{ "markTime", MARKS, mark_time },
	{ "tuple", KEY_POINTS, point_tuple },
	{ "tupleText", TUPLES, tuple_text },
	{ "run", RUN_POINTS, point_run },
	{ "lossRun", RUN_LOSSES, loss_run },
	{ "markRun", RUN_MARKS, mark_run },
};

static size_t nr_rows(const struct page_data *data, enum rows rows)
{
	switch (rows) {
	case POINTS:
		return data->points.nr;
	case NODES:
		return data->tree->nr;
	case LOSSES:
		return data->nr_losses;
	case MARKS:
		return data->marks.nr;
	case KEY_POINTS:
		return data->keys.nr ? data->points.nr : 0;
	case TUPLES:
		return data->keys.nr * data->keys.nr_tuples;
	case RUN_POINTS:
		return data->nr_runs > 1 ? data->points.nr : 0;
	case RUN_LOSSES:
		return data->nr_runs > 1 ? data->nr_losses : 0;
	default:
		return data->nr_runs > 1 ? data->marks.nr : 0;
	}
}

static void write_columns(const struct page_data *data, FILE *out)
{
	u32 numbers[BATCH];
	size_t i, at, nr;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		nr = nr_rows(data, columns[i].rows);
		for (at = 0; at < nr; at++) {
			numbers[at % BATCH] = columns[i].get(data, at);
			if (at % BATCH == BATCH - 1 || at == nr - 1)
				fwrite(numbers, sizeof(u32), at % BATCH + 1, out);
		}
	}
}

static void list_columns(const struct page_data *data, struct json *json)
{
	size_t i;

	json_begin(json, "columns", '[');
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		json_begin(json, NULL, '[');
		json_string(json, NULL, columns[i].name);
		json_u64(json, NULL, nr_rows(data, columns[i].rows));
		json_end(json, ']');
	}
	json_end(json, ']');
}

static int write_name(struct page_data *data, struct json *json, const char *key,
		      const char *text)
{
	const char *name = name_get(&data->names, text);

	json_string(json, key, name ? name : "");
	return name ? 0 : -ENOMEM;
}

static int write_events(struct page_data *data, struct json *json)
{
	const struct export *export = data->runs[0].export;
	const struct reader *reader = export->reader;
	char name[WEIGHT_NAME_LEN];
	int err = 0;
	u32 i;

	json_begin(json, "events", '[');
	for (i = 0; i < reader->nr_events && !err; i++) {
		json_begin(json, NULL, '{');
		err = write_name(data, json, "name",
				 samples_weight_name(export, &reader->events[i], name));
		json_bool(json, "isTime", event_time(&reader->events[i]) != TIME_NONE);
		json_end(json, '}');
	}
	json_end(json, ']');
	return err;
}

static int write_thread(struct page_data *data, struct json *json, const struct thread *thread)
{
	int err;

	json_begin(json, NULL, '[');
	json_u64(json, NULL, thread->pid);
	json_u64(json, NULL, thread->tid);
	err = write_name(data, json, NULL, thread->comm);
	if (!err && (thread->cgroup || thread->host))
		err = write_name(data, json, NULL, thread->cgroup ?: "");
	if (!err && thread->host)
		err = write_name(data, json, NULL, thread->host);
	json_end(json, ']');
	return err;
}

static int write_threads(struct page_data *data, struct json *json)
{
	int err = 0;
	size_t i;

	json_begin(json, "threads", '[');
	for (i = 0; i < data->threads.table.nr && !err; i++)
		err = write_thread(data, json, data->threads.list[i]);
	json_end(json, ']');
	return err;
}

/* Stacks with at least the first share of the samples are shown; none lacks the second. */
static void write_small(const struct tree *tree, struct json *json)
{
	float missed = 0;
	size_t i;

	for (i = 1; i < tree->nr; i++) {
		if (tree->nodes[i].missed > missed)
			missed = tree->nodes[i].missed;
	}
	json_fixed(json, "leastShare", tree->missed, 12);
	json_fixed(json, "missedShare", missed, 12);
}

/* The texts of marks are escaped and cut. */
static void write_marks(const struct page_data *data, struct json *json)
{
	size_t i;

	json_begin(json, "marks", '[');
	for (i = 0; i < data->marks.nr; i++)
		json_string(json, NULL, marks_list(&data->marks)[i].text);
	json_end(json, ']');
}

/* Numbers of JSON lose digits of a 64-bit time, so the time is written in seconds and ns. */
static void write_times(const struct page_data *data, struct json *json)
{
	const struct points *points = &data->points;
	u64 offset;

	json_u64(json, "startSeconds", points->first / NSEC_PER_SEC);
	json_u64(json, "startNanoseconds", points->first % NSEC_PER_SEC);
	json_u64(json, "step", 1ULL << points->shift);
	json_bool(json, "isCoarse", points->shift > POINTS_SHIFT);
	if (wall_clock_offset(&data->runs[0].export->reader->features, &offset)) {
		json_u64(json, "wallSeconds", (points->first + offset) / NSEC_PER_SEC);
		json_u64(json, "wallNanoseconds", (points->first + offset) % NSEC_PER_SEC);
	}
}

static double run_seconds(const struct page_run *run)
{
	const struct export_span *span = &run->samples.span;

	return span->nr ? (double)(span->last - span->first) / NSEC_PER_SEC : 0;
}

/* The members of each recording. */
static int write_runs(struct page_data *data, struct json *json)
{
	const struct page_run *run;
	int err = 0;
	u32 i;

	json_begin(json, "runs", '[');
	for (i = 0; i < data->nr_runs && !err; i++) {
		run = &data->runs[i];
		json_begin(json, NULL, '{');
		err = write_name(data, json, "input", run->export->options->input);
		json_u64(json, "nrSamples", run->nr_samples);
		json_fixed(json, "seconds", run_seconds(run), 9);
		json_u64(json, "nrLost", run->nr_lost);
		json_u64(json, "nrMarks", run->nr_marks);
		json_end(json, '}');
	}
	json_end(json, ']');
	return err;
}

/* Return the number of the first event with samples, or 0. */
static u32 first_event(const struct page_data *data)
{
	const struct points *points = &data->points;
	u32 first = points->nr ? points->list[0].event : 0;
	size_t i;

	for (i = 1; i < points->nr; i++) {
		if (points->list[i].event < first)
			first = points->list[i].event;
	}
	return first;
}

static int write_json(struct page_data *data, FILE *out)
{
	struct json json = { .out = out, .first = true };
	int err;

	json_begin(&json, NULL, '{');
	json_string(&json, "version", TPROF_LX_VERSION);
	err = write_runs(data, &json);
	json_string(&json, "normalize", data->normalize ?: "weight");
	json_u64(&json, "firstEvent", first_event(data));
	write_times(data, &json);
	write_small(data->tree, &json);
	list_columns(data, &json);
	if (!err)
		err = write_events(data, &json);
	if (!err)
		err = write_threads(data, &json);
	if (!err && data->first)
		err = first_view_write(data->first, &data->points, &data->names, &json);
	page_keys_write(&data->keys, &json, &data->threads);
	page_functions_write(&json, data->functions, data->nr_functions, data->tree->missed > 0);
	write_marks(data, &json);
	if (!err && data->has_code)
		err = page_code_write(data->runs[0].export,
				      data->first ? data->first->function : NULL,
				      &data->names, &json);
	json_end(&json, '}');
	return err;
}

/* Write the data after points_settle(). Return 0 or -ENOMEM. */
int page_data_write(struct page_data *data, FILE *out)
{
	struct packed packed;
	u64 start;
	u32 len;
	int err;

	err = packed_begin(&packed, out);
	if (err)
		return err;
	write_columns(data, packed.plain);
	start = packed_flush(&packed);
	err = write_json(data, packed.plain);
	len = packed_flush(&packed) - start;
	for (; len % sizeof(u32); len++)
		putc(' ', packed.plain);
	fwrite(&len, sizeof(len), 1, packed.plain);
	packed_end(&packed);
	return err;
}
