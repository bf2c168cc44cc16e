// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - LLVM's text sample profiles, for clang -fprofile-sample-use
 *
 * Clang finds functions by their names, so a profile is of one binary. The weights of
 * addresses are added up first, since those of a line cannot be: see source_tree_add().
 */
#include <errno.h>
#include <string.h>

#include "base/number_text.h"
#include "base/text.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "export/frames.h"
#include "export/samples.h"
#include "export/source_tree.h"
#include "symbols/object_dwarf.h"

/**
 * struct counted - the samples of an address
 * @object:	the binary
 * @addr:	address in the binary
 * @weight:	sum of their periods
 * @nr:		number of samples
 */
struct counted {
	struct object *object;
	u64	addr;
	u64	weight;
	u64	nr;
};

/**
 * struct autofdo - a profile being made
 * @export:	the recording
 * @counts:	samples by address
 * @memory:	memory of @counts
 * @binary:	the binary whose samples have source lines, NULL if none has
 * @other:	another such binary, or NULL
 * @nr_bare:	number of samples without a source line
 * @tree:	the profile
 * @text:	the output
 */
struct autofdo {
	const struct export *export;
	struct hash_table counts;
	struct arena memory;
	const struct object *binary;
	const struct object *other;
	u64	nr_bare;
	struct source_tree tree;
	struct text text;
};

static bool is_counted(const void *entry, const void *wanted)
{
	const struct counted *counted = entry;
	const struct spot *spot = wanted;

	return counted->object == spot->object && counted->addr == spot->addr;
}

static int take(struct samples *samples)
{
	struct autofdo *autofdo = samples->arg;
	const struct spot *spot = &samples->chain.frames[0];
	u64 hash = hash_number(hash_number(spot->addr) + spot->object->number);
	struct counted *counted = hash_table_find(&autofdo->counts, hash, is_counted, spot);

	if (!counted) {
		if (autofdo->counts.nr == FRAMES_LIMIT)
			return -E2BIG;
		counted = arena_get(&autofdo->memory, sizeof(*counted));
		if (!counted || hash_table_add(&autofdo->counts, hash, counted))
			return -ENOMEM;
		*counted = (struct counted){ .object = spot->object, .addr = spot->addr };
	}
	counted->weight += samples->sample.period;
	counted->nr++;
	return 0;
}

/* Set @path to the functions at an address, or make it empty if they are unknown. */
static int find_path(struct objects *objects, struct object *object, u64 addr,
		     struct source_path *path)
{
	int err;

	path->nr = 0;
	err = object_each_function(&objects->sources, object, addr, source_path_add, path);
	if (err == -E2BIG)
		path->nr = 0;
	return err == -E2BIG ? 0 : err;
}

/* Find the line where the function @around begins, if it is the outermost one of its lines. */
static int find_entry(struct autofdo *autofdo, struct objects *objects, struct object *object,
		      const struct symbol *around)
{
	struct source_path path;
	int err = find_path(objects, object, around->start, &path);

	if (err || !path.nr || !path.lines[path.nr - 1].is_entry)
		return err;
	return source_tree_begin(&autofdo->tree, &path);
}

static int add_counted(struct autofdo *autofdo, struct objects *objects,
		       const struct counted *counted)
{
	const struct symbol *around = object_resolve(objects, counted->object, counted->addr);
	const struct source_function *function;
	struct source_path path;
	int err;

	if (!around)
		return -ENOMEM;
	err = find_path(objects, counted->object, counted->addr, &path);
	if (err)
		return err;
	if (!path.nr) {
		autofdo->nr_bare += counted->nr;
		return 0;
	}
	if (autofdo->binary && autofdo->binary != counted->object)
		autofdo->other = counted->object;
	else
		autofdo->binary = counted->object;
	err = source_tree_add(&autofdo->tree, &path, counted->weight, &function);
	if (err || function->entry)
		return err;
	return find_entry(autofdo, objects, counted->object, around);
}

static int add_all(struct autofdo *autofdo, struct objects *objects)
{
	const struct counted *counted;
	size_t at = 0;
	int err = 0;

	while (!err && (counted = hash_table_next(&autofdo->counts, &at)))
		err = add_counted(autofdo, objects, counted);
	return err;
}

/* Write a name. LLVM takes some first letters for something else than a name. */
static void write_name(struct text *text, const char *name)
{
	if (strchr(" #!0123456789", *name))
		text_char(text, '_');
	text_put(text, name);
}

/* Write "LINE:", or "LINE.DISCRIMINATOR:". */
static void write_place(struct text *text, const struct source_place *place, size_t depth)
{
	text_fill(text, ' ', depth);
	text_number(text, place->line, 0, ' ');
	if (place->discriminator) {
		text_char(text, '.');
		text_number(text, place->discriminator, 0, ' ');
	}
	text_put(text, ": ");
}

static void write_value(struct text *text, char before, u64 value)
{
	if (before)
		text_char(text, before);
	text_number(text, value, 0, ' ');
}

/* Write the lines of a function, and the functions that are inlined into it. */
static void write_body(struct text *text, const struct source_function *function, size_t depth)
{
	struct source_node *node;

	for (node = function->lines; node; node = node->next) {
		if (!source_line(node)->weight)
			continue;
		write_place(text, &node->place, depth);
		write_value(text, '\0', source_line(node)->weight);
		text_char(text, '\n');
	}
	for (node = function->inlined; node; node = node->next) {
		if (!source_function(node)->total)
			continue;
		write_place(text, &node->place, depth);
		write_name(text, source_function(node)->name);
		write_value(text, ':', source_function(node)->total);
		text_char(text, '\n');
		write_body(text, source_function(node), depth + 1);
	}
}

static void write_function(struct text *text, const struct source_function *function)
{
	write_name(text, function->name);
	write_value(text, ':', function->total);
	write_value(text, ':', function->entry ? function->entry->weight : 0);
	text_char(text, '\n');
	write_body(text, function, 1);
}

static void write_tree(struct autofdo *autofdo)
{
	struct source_node *node;

	source_tree_finish(&autofdo->tree);
	for (node = autofdo->tree.functions; node; node = node->next) {
		if (source_function(node)->total)
			write_function(&autofdo->text, source_function(node));
	}
	text_flush(&autofdo->text);
}

static int say_several(struct autofdo *autofdo)
{
	const char *input = autofdo->export->options->input;
	const char *name = name_get(&autofdo->tree.names, autofdo->binary->short_name);
	const char *other = name_get(&autofdo->tree.names, autofdo->other->short_name);

	if (!name || !other)
		return say_failure(-ENOMEM, input);
	return say_error("%s has source lines of %s and %s; choose one with --dso", input, name,
			 other);
}

static int write_profile(struct autofdo *autofdo, struct objects *objects)
{
	const char *input = autofdo->export->options->input;
	int err = add_all(autofdo, objects);

	if (!autofdo->counts.nr)
		return say_error("%s has no samples, or the filters take none; see tprof-lx info",
				 input);
	if (err)
		return say_failure(err, input);
	if (!autofdo->binary)
		return say_error("%s has no samples with source lines; build the program with -g",
				 input);
	if (autofdo->other)
		return say_several(autofdo);
	if (autofdo->nr_bare)
		say_note("%s: %llu %s left out", input, autofdo->nr_bare,
			 by_number(autofdo->nr_bare, "sample has no source line and is",
				   "samples have no source line and are"));
	write_tree(autofdo);
	return STATUS_OK;
}

/* Weights of different events cannot be added up. */
static int check_events(const struct export *export)
{
	const struct export_options *opts = export->options;
	u32 i, nr = 0;

	for (i = 0; i < export->reader->nr_events; i++)
		nr += filter_takes_event(&opts->gather.filter, export->reader->events[i].name);
	return nr > 1 ? say_several_events(opts->input) : STATUS_OK;
}

static int write_autofdo(const struct export *export)
{
	struct autofdo autofdo = { .export = export, .text.out = export->out };
	struct samples samples;
	int status = check_events(export), failed = STATUS_OK, err;

	if (status)
		return status;
	err = samples_init(&samples, export);
	samples.leaf_only = true;
	samples.take = take;
	samples.arg = &autofdo;
	status = err ? say_failure(err, export->options->input) : samples_read(&samples);
	/* A damaged recording leaves no file, but its beginning is printed. */
	if (!status || (autofdo.counts.nr && !export->options->output))
		failed = write_profile(&autofdo, &samples.world.objects);
	source_tree_free(&autofdo.tree);
	hash_table_free(&autofdo.counts, NULL);
	arena_free(&autofdo.memory);
	samples_free(&samples);
	return failed ? failed : status;
}

const struct export_format export_autofdo = { .name = "autofdo", .write = write_autofdo };
