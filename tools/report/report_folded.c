// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - call paths, one a line, as flame graphs are made of
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/printable.h"
#include "report/report_output.h"

/**
 * struct path - from the root of a tree to a node
 * @nodes:	what is on the way
 * @nr:		how many
 * @room:	how many fit
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

/* What separates frames and ends a line must not be in a name. */
static void print_name(const char *name)
{
	for (name = printable(name); *name; name++)
		putchar(*name == ';' ? ':' : *name);
}

static void print_path(const struct path *path)
{
	const struct call_node *last = path->nodes[path->nr - 1];
	size_t i;

	if (!last->own_samples)
		return;
	for (i = 0; i < path->nr; i++) {
		if (i)
			putchar(';');
		print_name((const char *)(uintptr_t)path->nodes[i]->key);
	}
	printf(" %llu\n", last->own_samples);
}

static int print_tree(const struct call_node *root, struct path *path)
{
	const struct call_node *node = root->first;

	path->nr = 0;
	while (node) {
		if (push(path, node))
			return -ENOMEM;
		print_path(path);
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

/**
 * report_folded - print all call paths with the number of their samples
 * @gather:	what was gathered
 *
 * Return: 0 or -ENOMEM.
 */
int report_folded(const struct gather *gather)
{
	struct path path = { 0 };
	int err = 0;
	u32 i;

	for (i = 0; i < gather->nr_profiles && !err; i++) {
		if (gather->profiles[i])
			err = print_tree(&gather->profiles[i]->paths, &path);
	}
	free(path.nodes);
	return err;
}
