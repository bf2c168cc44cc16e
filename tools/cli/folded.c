// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print call paths, one per line, for flame graph tools
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/file_input.h"
#include "cli/folded.h"
#include "cli/say.h"

/**
 * struct path - the path from the root of a call tree to a node
 * @nodes:	nodes of the path, without the root
 * @nr:		number of @nodes
 * @room:	capacity of @nodes
 */
struct path {
	const struct call_node **nodes;
	size_t	nr;
	size_t	room;
};

static int push(struct path *path, const struct call_node *node)
{
	const struct call_node **nodes = array_grow(path->nodes, path->nr, &path->room,
						    sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	path->nodes = nodes;
	path->nodes[path->nr++] = node;
	return 0;
}

/* Print a name. Replace ';', which separates frames. printable() replaces newlines. */
static void print_name(struct text *text, const char *name)
{
	const char *from = printable(name), *end;

	for (; (end = strchr(from, ';')); from = end + 1) {
		text_add(text, from, end - from);
		text_char(text, ':');
	}
	text_put(text, from);
}

/* Print a path with the number of its samples or, with @times, with its nanoseconds. */
static void print_path(struct text *text, const struct path *path, bool times)
{
	const struct call_node *last = path->nodes[path->nr - 1];
	size_t i;

	if (!last->own_samples)
		return;
	for (i = 0; i < path->nr; i++) {
		if (i)
			text_char(text, ';');
		print_name(text, (const char *)(uintptr_t)path->nodes[i]->key);
	}
	text_char(text, ' ');
	text_number(text, times ? call_node_own_period(last) : last->own_samples, 0, ' ');
	text_char(text, '\n');
}

static int print_tree(struct text *text, const struct call_node *root, struct path *path,
		      bool times)
{
	const struct call_node *node = root->first;

	path->nr = 0;
	while (node) {
		if (push(path, node))
			return -ENOMEM;
		print_path(text, path, times);
		if (node->first) {
			node = node->first;
			continue;
		}
		while (!node->next && node->parent != root) {
			node = node->parent;
			path->nr--;
		}
		node = node->next;
		path->nr--;
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
	free(path.nodes);
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
