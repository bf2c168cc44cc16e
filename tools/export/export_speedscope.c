// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - speedscope's JSON, with a profile per thread and event
 *
 * A profile is a list of stacks with weights. A thread that stays in a stack has many
 * samples of it, which become one stack with the sum of their weights.
 */
#include <errno.h>
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/say.h"
#include "export/timeline.h"
#include "perfdata/waits.h"

#define TITLE_LEN	(NAME_LEN + 128)

/**
 * struct scope - a document being made
 * @frames:	functions and call stacks
 * @timeline:	samples of each thread
 * @names:	names of threads
 * @json:	writes the document
 * @text:	writes its long arrays, between calls of @json
 * @path:	functions of a stack, innermost first
 */
struct scope {
	struct frames frames;
	struct timeline timeline;
	struct interned names;
	struct json json;
	struct text text;
	u32	path[FRAMES_MAX];
};

static int take(struct samples *samples)
{
	struct scope *scope = samples->arg;

	return timeline_take(&scope->timeline, &scope->frames, samples);
}

/* Write the functions of a stack, outermost first. */
static void write_stack(struct scope *scope, u32 stack)
{
	size_t nr = frames_path(&scope->frames, stack, scope->path);

	text_char(&scope->text, '[');
	while (nr--) {
		text_number(&scope->text, scope->path[nr], 0, ' ');
		if (nr)
			text_char(&scope->text, ',');
	}
	text_char(&scope->text, ']');
}

static void write_stacks(struct scope *scope, const struct track *track)
{
	size_t i;

	json_begin(&scope->json, "samples", '[');
	for (i = 0; i < track->nr; i++) {
		if (i)
			text_char(&scope->text, ',');
		write_stack(scope, track_steps(track)[i].stack);
	}
	text_flush(&scope->text);
	json_end(&scope->json, ']');
	json_begin(&scope->json, "weights", '[');
	for (i = 0; i < track->nr; i++) {
		if (i)
			text_char(&scope->text, ',');
		text_number(&scope->text, track_steps(track)[i].weight, 0, ' ');
	}
	text_flush(&scope->text);
	json_end(&scope->json, ']');
}

static int write_track(struct scope *scope, const struct export *export,
		       const struct track *track)
{
	const struct reader_event *event = &export->reader->events[track->event];
	const char *comm = name_get(&scope->names, track->comm);
	char weight[WEIGHT_NAME_LEN];
	const char *name = name_get(&scope->names, samples_weight_name(export, event, weight));
	struct json *json = &scope->json;
	char title[TITLE_LEN];
	u64 sum = 0;
	size_t i;

	if (!comm || !name)
		return -ENOMEM;
	for (i = 0; i < track->nr; i++)
		sum += track_steps(track)[i].weight;
	snprintf(title, sizeof(title), "%s %u/%u %s", comm, track->pid, track->tid, name);
	json_begin(json, NULL, '{');
	json_string(json, "type", "sampled");
	json_string(json, "name", title);
	json_string(json, "unit", event_time(event) == TIME_NONE ? "none" : "nanoseconds");
	json_u64(json, "startValue", 0);
	json_u64(json, "endValue", sum);
	write_stacks(scope, track);
	json_end(json, '}');
	return 0;
}

static void write_frames(struct scope *scope)
{
	const struct frames *frames = &scope->frames;
	struct json *json = &scope->json;
	size_t i;

	json_begin(json, "shared", '{');
	json_begin(json, "frames", '[');
	for (i = 0; i < frames->function_table.nr; i++) {
		json_begin(json, NULL, '{');
		json_string(json, "name", frames->functions[i]->name);
		json_string(json, "file", *frames->functions[i]->path ?
						  frames->functions[i]->path :
						  frames->functions[i]->binary);
		if (frames->functions[i]->line)
			json_u64(json, "line", frames->functions[i]->line);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

static int write_document(struct scope *scope, const struct export *export)
{
	struct json *json = &scope->json;
	int err = 0;
	size_t i;

	json->out = export->out;
	json->first = true;
	scope->text.out = export->out;
	json_begin(json, NULL, '{');
	json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(json, "exporter", "tprof-lx " TPROF_LX_VERSION);
	json_string(json, "name", export->options->input);
	json_begin(json, "profiles", '[');
	for (i = 0; i < scope->timeline.table.nr && !err; i++)
		err = write_track(scope, export, scope->timeline.tracks[i]);
	json_end(json, ']');
	write_frames(scope);
	json_end(json, '}');
	return err;
}

static int write_speedscope(const struct export *export)
{
	struct scope scope;
	struct samples samples;
	int status, err;

	scope = (struct scope){ .frames.by_function = true, .timeline.merges = true };
	err = samples_init(&samples, export);
	samples.take = take;
	samples.arg = &scope;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	if (!err)
		err = write_document(&scope, export);
	if (err)
		status = say_failure(err, export->options->input);
	timeline_free(&scope.timeline);
	frames_free(&scope.frames);
	interned_free(&scope.names);
	samples_free(&samples);
	return status;
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.write = write_speedscope,
};
