// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the format of callgrind's profiles
 *
 * For each function, the file has the costs of its lines, and those of the calls in each
 * line. Costs are periods, with a column per event. Line numbers are absolute, since some
 * readers count costs of relative lines wrongly.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/say.h"
#include "export/costs.h"
#include "export/samples.h"

/* A name has a number. It is written with the name the first time, and alone afterwards. */
enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, NR_NAME_KINDS };

/**
 * struct callgrind - a profile being made
 * @export:	the recording
 * @frames:	frames and stacks
 * @groups:	samples by stack and event
 * @costs:	costs of lines and calls
 * @sums:	sums of all costs, by event
 * @names:	numbers of names, by pointer
 * @text:	the output
 */
struct callgrind {
	const struct export *export;
	struct frames frames;
	struct groups groups;
	struct costs costs;
	u64	*sums;
	struct hash_table names[NR_NAME_KINDS];
	struct text text;
};

static int take(struct samples *samples)
{
	struct callgrind *callgrind = samples->arg;
	struct group group = { .event = samples->event, .samples = 1,
			       .weight = samples->sample.period };
	int err = frames_add(&callgrind->frames, &samples->world, samples->chain.frames,
			     samples->chain.nr, &group.stack);

	return err ? err : groups_add(&callgrind->groups, &group, NULL);
}

static bool is_taken(const struct callgrind *callgrind, u32 event)
{
	const struct export *export = callgrind->export;

	return filter_takes_event(&export->options->gather.filter,
				  export->reader->events[event].name);
}

/* Write the name of an event as one word. */
static void write_event(struct text *text, const char *name)
{
	if (!*name)
		name = "event";
	for (; *name; name++)
		text_char(text, isalnum((unsigned char)*name) ? *name : '_');
}

static void write_values(struct callgrind *callgrind, const u64 *values)
{
	u32 i;

	for (i = 0; i < callgrind->costs.nr_events; i++) {
		if (!is_taken(callgrind, i))
			continue;
		text_char(&callgrind->text, ' ');
		text_number(&callgrind->text, values[i], 0, ' ');
	}
	text_char(&callgrind->text, '\n');
}

/* Write "WORD=(NUMBER) NAME" for the name of @thing. */
static int write_name(struct callgrind *callgrind, const char *word, enum name_kind kind,
		      const void *thing, const char *name)
{
	struct hash_table *names = &callgrind->names[kind];
	u64 hash = hash_number((uintptr_t)thing), nr = names->nr + 1;
	void *found = hash_table_find(names, hash, NULL, NULL);
	struct text *text = &callgrind->text;

	if (!found && hash_table_add(names, hash, (void *)(uintptr_t)nr))
		return -ENOMEM;
	text_put(text, word);
	text_put(text, "=(");
	text_number(text, found ? (uintptr_t)found : nr, 0, ' ');
	text_char(text, ')');
	if (!found) {
		text_char(text, ' ');
		text_put(text, name);
	}
	text_char(text, '\n');
	return 0;
}

static int write_file(struct callgrind *callgrind, const char *word, const char *path)
{
	return write_name(callgrind, word, NAME_FILE, path, *path ? path : "???");
}

static int write_call(struct callgrind *callgrind, const struct cost *cost)
{
	const struct function *callee = cost->callee;
	int err = write_name(callgrind, "cob", NAME_OBJECT, callee->object, callee->binary);

	if (!err)
		err = write_file(callgrind, "cfi", callee->path);
	if (!err)
		err = write_name(callgrind, "cfn", NAME_FUNCTION, callee, callee->name);
	text_put(&callgrind->text, "calls=");
	text_number(&callgrind->text, cost->samples, 0, ' ');
	text_char(&callgrind->text, ' ');
	text_number(&callgrind->text, callee->line, 0, ' ');
	text_char(&callgrind->text, '\n');
	return err;
}

/* Write all costs of a function. */
static int write_function(struct callgrind *callgrind, const struct function *function)
{
	const struct cost *cost = costs_of(&callgrind->costs, function);
	int err;

	if (!cost)
		return 0;
	err = write_name(callgrind, "ob", NAME_OBJECT, function->object, function->binary);
	if (!err)
		err = write_file(callgrind, "fl", function->path);
	if (!err)
		err = write_name(callgrind, "fn", NAME_FUNCTION, function, function->name);
	for (; cost && !err; cost = cost->next) {
		if (cost->callee)
			err = write_call(callgrind, cost);
		text_number(&callgrind->text, cost->line, 0, ' ');
		write_values(callgrind, cost->values);
	}
	text_char(&callgrind->text, '\n');
	return err;
}

static void write_head(struct callgrind *callgrind)
{
	const struct export *export = callgrind->export;
	struct text *text = &callgrind->text;
	char name[WEIGHT_NAME_LEN];
	u32 i;

	text_put(text, "# callgrind format\nversion: 1\ncreator: tprof-lx " TPROF_LX_VERSION
		       "\npositions: line\nevents:");
	for (i = 0; i < callgrind->costs.nr_events; i++) {
		if (!is_taken(callgrind, i))
			continue;
		text_char(text, ' ');
		write_event(text, samples_weight_name(export, &export->reader->events[i], name));
	}
	text_put(text, "\nsummary:");
	write_values(callgrind, callgrind->sums);
	text_char(text, '\n');
}

static int add_costs(struct callgrind *callgrind)
{
	const struct group *group;
	u32 nr_events = callgrind->export->reader->nr_events;
	int err = 0;
	size_t i;

	costs_init(&callgrind->costs, nr_events);
	callgrind->sums = calloc(nr_events + 1, sizeof(*callgrind->sums));
	if (!callgrind->sums)
		return -ENOMEM;
	for (i = 0; i < callgrind->groups.table.nr && !err; i++) {
		group = &callgrind->groups.list[i];
		callgrind->sums[group->event] += group->weight;
		err = costs_add(&callgrind->costs, &callgrind->frames, group);
	}
	return err;
}

static int write_all(struct callgrind *callgrind)
{
	const struct frames *frames = &callgrind->frames;
	int err = add_costs(callgrind);
	size_t i;

	if (err)
		return err;
	callgrind->text.out = callgrind->export->out;
	write_head(callgrind);
	err = write_function(callgrind, &callgrind->costs.root);
	for (i = 0; i < frames->function_table.nr && !err; i++)
		err = write_function(callgrind, frames->functions[i]);
	text_put(&callgrind->text, "totals:");
	write_values(callgrind, callgrind->sums);
	text_flush(&callgrind->text);
	return err;
}

static int write_callgrind(const struct export *export)
{
	struct callgrind callgrind = { .export = export };
	struct samples samples;
	int status, err = samples_init(&samples, export), kind;

	samples.take = take;
	samples.arg = &callgrind;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	if (!err)
		err = write_all(&callgrind);
	if (err)
		status = say_failure(err, export->options->input);
	for (kind = 0; kind < NR_NAME_KINDS; kind++)
		hash_table_free(&callgrind.names[kind], NULL);
	costs_free(&callgrind.costs);
	groups_free(&callgrind.groups);
	frames_free(&callgrind.frames);
	free(callgrind.sums);
	samples_free(&samples);
	return status;
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.write = write_callgrind,
};
