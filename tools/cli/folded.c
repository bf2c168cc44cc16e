// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print call paths, one per line, for flame graph tools
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/prefetch.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/file_input.h"
#include "cli/folded.h"
#include "cli/say.h"

/* expect() prefetches AHEAD and 2 * AHEAD entries ahead. */
#define AHEAD	8

/**
 * struct path - a path, as it is printed. The next paths begin with some of its names, so names
 * are escaped when they are added.
 * @shown:	the names
 * @starts:	for each name, length of @shown without it and the names after it
 * @nr:		number of names
 * @room:	capacity of @starts
 * @nr_printed:	number of paths that were printed
 */
struct path {
	struct bytes shown;
	size_t	*starts;
	size_t	nr;
	size_t	room;
	s64	nr_printed;
};

/* Append a name. Replace ';', which separates frames. printable() replaces newlines. */
static void show_name(struct bytes *shown, const char *name)
{
	const char *from = printable(name), *end;

	for (; (end = strchr(from, ';')); from = end + 1) {
		bytes_add(shown, from, end - from);
		bytes_add(shown, ":", 1);
	}
	bytes_add(shown, from, strlen(from));
}

/* Append the name with key @name. */
static int push(struct path *path, u64 name)
{
	size_t *starts = array_grow(path->starts, path->nr, &path->room, sizeof(*starts));

	if (!starts)
		return -ENOMEM;
	path->starts = starts;
	path->starts[path->nr++] = path->shown.len;
	if (path->nr > 1)
		bytes_add(&path->shown, ";", 1);
	show_name(&path->shown, (const char *)(uintptr_t)name);
	return bytes_err(&path->shown);
}

static void pop(struct path *path)
{
	path->shown.len = path->starts[--path->nr];
}

static void clear(struct path *path)
{
	path->nr = 0;
	path->shown.len = 0;
}

static void print_path(struct text *text, struct path *path, u64 value)
{
	path->nr_printed++;
	text_add(text, (const char *)path->shown.data, path->shown.len);
	text_char(text, ' ');
	text_number(text, value, 0, ' ');
	text_char(text, '\n');
}

static int print_tree(struct text *text, const struct call_node *root, struct path *path,
		      bool times)
{
	const struct call_node *node = root->first;

	while (node) {
		if (push(path, node->key))
			return -ENOMEM;
		if (node->own_samples)
			print_path(text, path,
				   times ? call_node_own_period(node) : node->own_samples);
		if (node->first) {
			node = node->first;
			continue;
		}
		while (!node->next && node->parent != root) {
			node = node->parent;
			pop(path);
		}
		node = node->next;
		pop(path);
	}
	return 0;
}

/*
 * Prefetch the sorted entry at position @at + 2 * AHEAD, and the name of the function in the
 * entry at @at + AHEAD.
 */
static void expect(const struct profile *profile, u32 at)
{
	struct profile_entry entry;

	if (at + 2 * AHEAD >= profile->entries.nr)
		return;
	entry = profile_sorted(profile, at + 2 * AHEAD);
	prefetch(entry.self);
	prefetch(entry.keys);
	entry = profile_sorted(profile, at + AHEAD);
	prefetch((const void *)(uintptr_t)entry.keys[1]);
}

/* Print the entries of @profile, which are sorted by thread, as paths. */
static int print_entries(struct text *text, const struct profile *profile, struct path *path,
			 bool times)
{
	struct profile_entry entry;
	u64 thread = 0;
	u32 at;

	for (at = 0; profile->sorted && at < profile->entries.nr; at++) {
		expect(profile, at);
		entry = profile_sorted(profile, at);
		if (entry.keys[0] != thread) {
			thread = entry.keys[0];
			clear(path);
			if (push(path, thread))
				return -ENOMEM;
		}
		if (push(path, entry.keys[1]))
			return -ENOMEM;
		if (entry.self->samples)
			print_path(text, path, times ? entry.self->period : entry.self->samples);
		pop(path);
	}
	clear(path);
	return 0;
}

/* Print the paths of @profile, which paths_sort() has sorted. */
static int print_profile(struct text *text, const struct profile *profile, struct path *path,
			 bool times)
{
	int err = print_tree(text, &profile->paths, path, times);

	return err ? err : print_entries(text, profile, path, times);
}

/*
 * Print all call paths to @out, with the numbers of samples or, with @times, with
 * nanoseconds or latencies. gather_options.paths must be set. Return how many there are, or
 * -ENOMEM.
 */
s64 folded_print(FILE *out, const struct gather *gather, bool times)
{
	struct text text = { .out = out };
	struct path path = { 0 };
	int err = 0;
	u32 i;

	for (i = 0; i < gather->nr_profiles && !err; i++) {
		if (gather->profiles[i])
			err = print_profile(&text, gather->profiles[i], &path, times);
	}
	text_flush(&text);
	bytes_free(&path.shown);
	free(path.starts);
	return err ? err : path.nr_printed;
}

/* Refuse samples of several events. Return STATUS_OK or STATUS_FAILED. */
int folded_check(const char *input, const struct gather *gather)
{
	u32 i, nr = 0;

	for (i = 0; i < gather->nr_profiles; i++)
		nr += gather->profiles[i] && gather->profiles[i]->samples;
	return nr > 1 ? say_several_events(input) : STATUS_OK;
}
