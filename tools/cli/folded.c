// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print call paths, one per line, for flame graph tools
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/file_input.h"
#include "cli/folded.h"
#include "cli/say.h"

/**
 * struct path - the path from the root of a call tree to a node, as it is printed. All nodes
 * below a node begin with its path, so each name is escaped once.
 * @shown:	names of the nodes, without the root
 * @starts:	for each node, length of @shown without it and the nodes below it
 * @nr:		number of nodes
 * @room:	capacity of @starts
 */
struct path {
	struct bytes shown;
	size_t	*starts;
	size_t	nr;
	size_t	room;
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

static int push(struct path *path, const struct call_node *node)
{
	size_t *starts = array_grow(path->starts, path->nr, &path->room, sizeof(*starts));

	if (!starts)
		return -ENOMEM;
	path->starts = starts;
	path->starts[path->nr++] = path->shown.len;
	if (path->nr > 1)
		bytes_add(&path->shown, ";", 1);
	show_name(&path->shown, (const char *)(uintptr_t)node->key);
	return bytes_err(&path->shown);
}

static void pop(struct path *path)
{
	path->shown.len = path->starts[--path->nr];
}

/*
 * Print the path to @node with the number of its samples or, with @times, with its
 * nanoseconds.
 */
static void print_path(struct text *text, const struct path *path,
		       const struct call_node *node, bool times)
{
	if (!node->own_samples)
		return;
	text_add(text, (const char *)path->shown.data, path->shown.len);
	text_char(text, ' ');
	text_number(text, times ? call_node_own_period(node) : node->own_samples, 0, ' ');
	text_char(text, '\n');
}

static int print_tree(struct text *text, const struct call_node *root, struct path *path,
		      bool times)
{
	const struct call_node *node = root->first;

	while (node) {
		if (push(path, node))
			return -ENOMEM;
		print_path(text, path, node, times);
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
 * Print all call paths to @out, with the numbers of samples or, with @times, with
 * nanoseconds. gather_options.paths must be set. Return 0 or -ENOMEM.
 */
int folded_print(FILE *out, const struct gather *gather, bool times)
{
	struct text text = { .out = out };
	struct path path = { 0 };
	int err = 0;
	u32 i;

	for (i = 0; i < gather->nr_profiles && !err; i++) {
		if (gather->profiles[i])
			err = print_tree(&text, &gather->profiles[i]->paths, &path, times);
	}
	text_flush(&text);
	bytes_free(&path.shown);
	free(path.starts);
	return err;
}

/* Refuse samples of several events. Return STATUS_OK or STATUS_FAILED. */
int folded_check(const char *input, const struct gather *gather)
{
	u32 i, nr = 0;

	for (i = 0; i < gather->nr_profiles; i++)
		nr += gather->profiles[i] && gather->profiles[i]->samples;
	return nr > 1 ? say_several_events(input) : STATUS_OK;
}
