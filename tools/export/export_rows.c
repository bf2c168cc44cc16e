// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - lines of JSON for databases, one per stack and interval
 *
 * ClickHouse reads the lines as JSONEachRow, and DuckDB with read_json(). All lines have
 * the same members. Samples are in the order of their times, so the rows of an interval are
 * written when the next one begins.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/json.h"
#include "cli/say.h"
#include "export/frames.h"
#include "export/groups.h"
#include "export/samples.h"
#include "perfdata/wall_clock.h"
#include "perfdata/feature_cursor.h"

/* Maximum number of rows of an interval: they take about 100 MB. */
#define ROWS_MAX	(1U << 20)

#define DATE_LEN	64

/**
 * struct rows - the rows of an interval
 * @export:	the recording
 * @samples:	its samples
 * @json:	writes the rows
 * @frames:	functions and stacks
 * @groups:	the rows
 * @names:	names of threads, events and the host
 * @offset:	what makes a time a date
 * @err:	an error of write_text()
 * @interval:	the date of the samples, divided by the length of an interval
 * @path:	functions of a stack, innermost first
 */
struct rows {
	const struct export *export;
	struct samples *samples;
	struct json json;
	struct frames frames;
	struct groups groups;
	struct interned names;
	u64	offset;
	int	err;
	u64	interval;
	u32	path[FRAMES_MAX];
};

static void write_text(struct rows *rows, const char *key, const char *text)
{
	const char *name = name_get(&rows->names, text ? text : "");

	if (!name)
		rows->err = -ENOMEM;
	json_string(&rows->json, key, name ? name : "");
}

/* Write the names of the functions of a stack, outermost first. */
static void write_stack(struct rows *rows, u32 stack)
{
	const struct frames *frames = &rows->frames;
	size_t nr = frames_path(frames, stack, rows->path);

	json_begin(&rows->json, "stack", '[');
	while (nr--)
		json_string(&rows->json, NULL, frames->functions[rows->path[nr]]->name);
	json_end(&rows->json, ']');
}

/* Write the labels as a map. */
static void write_labels(struct rows *rows)
{
	const struct export *export = rows->export;
	size_t i;

	json_begin(&rows->json, "labels", '{');
	for (i = 0; i < export->nr_labels; i++)
		json_string(&rows->json, export->labels[i].name, export->labels[i].value);
	json_end(&rows->json, '}');
}

/* Write the keys that --sort chooses as a map. Like labels, all its values are texts. */
static void write_keys(struct rows *rows, u32 tuple)
{
	const struct keys *keys = &rows->samples->keys;
	const struct profile_keys *chosen = &keys->options->keys;
	char buf[COLUMN_TEXT_LEN];
	size_t i;

	json_begin(&rows->json, "keys", '{');
	for (i = 0; i < chosen->nr; i++)
		write_text(rows, chosen->columns[i]->word,
			   keys_text(keys, tuple, i, buf, sizeof(buf)));
	json_end(&rows->json, '}');
}

/* Format nanoseconds since 1970 as both databases read a time: in UTC. */
static const char *date_of(u64 ns, char *buf)
{
	time_t seconds = ns / NSEC_PER_SEC;
	struct tm date;
	size_t len;

	gmtime_r(&seconds, &date);
	len = strftime(buf, DATE_LEN, "%Y-%m-%d %H:%M:%S", &date);
	snprintf(buf + len, DATE_LEN - len, ".%06llu", ns % NSEC_PER_SEC / 1000);
	return buf;
}

static bool has_cgroups(const struct reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		if (reader->events[i].layout.attr.sample_type & PERF_SAMPLE_CGROUP)
			return true;
	}
	return false;
}

static void write_row(struct rows *rows, const struct group *group, const char *host)
{
	const struct export *export = rows->export;
	struct json *json = &rows->json;
	char date[DATE_LEN], event[WEIGHT_NAME_LEN];

	json_begin(json, NULL, '{');
	json_string(json, "ts", date_of(rows->interval * export->options->interval, date));
	write_text(rows, "host", group->host ? group->host : host);
	write_text(rows, "comm", group->comm);
	json_u64(json, "pid", group->pid);
	if (has_cgroups(export->reader))
		write_text(rows, "cgroup", group->cgroup);
	write_text(rows, "event",
		   samples_weight_name(export, &export->reader->events[group->event], event));
	json_u64(json, "n", group->samples);
	json_u64(json, "weight", group->weight);
	write_stack(rows, group->stack);
	if (group->tuple)
		write_keys(rows, group->tuple);
	if (export->labels)
		write_labels(rows);
	json_end(json, '}');
}

static void write_interval(struct rows *rows)
{
	struct feature_cursor cursor = feature_begin(&rows->export->reader->features,
						     PERFDATA_HOSTNAME);
	const char *host = feature_string(&cursor);
	size_t i;

	for (i = 0; i < rows->groups.table.nr; i++)
		write_row(rows, &rows->groups.list[i], host);
	groups_clear(&rows->groups);
	keys_clear(&rows->samples->keys);
}

static bool is_full(const struct rows *rows)
{
	return rows->groups.table.nr >= ROWS_MAX || rows->frames.nr_nodes >= ROWS_MAX ||
	       rows->frames.table.nr >= ROWS_MAX || rows->names.table.nr >= ROWS_MAX;
}

/* Write the rows if @interval is another one, or if there is no room for more. */
static void begin_interval(struct rows *rows, u64 interval)
{
	bool is_another = interval != rows->interval, has_no_room = is_full(rows);

	if (is_another || has_no_room)
		write_interval(rows);
	if (has_no_room) {
		frames_clear(&rows->frames);
		interned_free(&rows->names);
	}
	rows->interval = interval;
}

static int take(struct samples *samples)
{
	const struct sample *sample = &samples->sample;
	struct rows *rows = samples->arg;
	struct group group = { .comm = samples->comm, .cgroup = samples->cgroup,
			       .host = samples->host,
			       .pid = sample->pid,
			       .event = samples->event, .samples = 1,
			       .weight = sample->period };
	int err;

	begin_interval(rows, (sample->time + rows->offset) / rows->export->options->interval);
	err = samples_find_keys(samples, &group.tuple);
	if (err)
		return err;
	err = frames_add(&rows->frames, &samples->world, samples->chain.frames,
			 samples->chain.nr, &group.stack);
	return err ? err : groups_add(&rows->groups, &group, NULL);
}

static int write_rows(const struct export *export)
{
	struct rows rows = { .export = export, .frames.by_function = true,
			     .json = { .out = export->out, .first = true } };
	struct samples samples;
	int status, err = samples_init(&samples, export);

	wall_clock_offset(&export->reader->features, &rows.offset);
	rows.samples = &samples;
	samples.take = take;
	samples.arg = &rows;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	write_interval(&rows);
	if (rows.err)
		status = say_failure(rows.err, export->options->input);
	groups_free(&rows.groups);
	frames_free(&rows.frames);
	interned_free(&rows.names);
	samples_free(&samples);
	return status;
}

const struct export_format export_rows_format = {
	.name = "rows",
	.has_intervals = true,
	.has_keys = true,
	.write = write_rows,
};
