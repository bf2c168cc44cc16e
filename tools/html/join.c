// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - join the functions and stacks of several recordings
 *
 * Functions are the same if their names and the names of their binaries are. So a program
 * that was built again is compared function by function.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "html/join.h"

/**
 * struct joined - a function of the page
 * @name:	its name
 * @binary:	name of its binary
 * @number:	its number in the page
 */
struct joined {
	const char *name;
	const char *binary;
	u32	number;
};

/**
 * struct join - the state of joining
 * @data:	the page
 * @table:	struct joined, by names
 * @shared:	names that are the same in all recordings
 * @names:	names of functions and binaries
 * @functions:	numbers in the page of the functions of a recording
 * @nodes:	numbers in the page of the nodes of a recording
 */
struct join {
	struct page_data *data;
	struct hash_table table;
	const struct join_names *shared;
	struct interned names;
	u32	*functions;
	u32	*nodes;
};

static bool is_joined(const void *entry, const void *wanted)
{
	const struct joined *function = entry, *key = wanted;

	return function->name == key->name && function->binary == key->binary;
}

/* Add the first function with these names to the page. */
static struct joined *add_function(struct join *join, u64 hash, const struct joined *key,
				   const struct function *function)
{
	struct page_data *data = join->data;
	struct joined *joined = malloc(sizeof(*joined));

	if (!joined)
		return NULL;
	*joined = *key;
	joined->number = data->nr_functions;
	if (hash_table_add(&join->table, hash, joined)) {
		free(joined);
		return NULL;
	}
	data->functions[data->nr_functions++] = function;
	return joined;
}

/* Set @number to the number of a function in the page. Return 0 or -ENOMEM. */
static int place_function(struct join *join, u32 run, const struct function *function,
			  u32 *number)
{
	const struct join_names *shared = join->shared;
	const char *binary = shared->binary(shared->arg, run, function->object);
	/* Outside all functions, the name is that of the binary. */
	const char *name = strcmp(function->name, function->binary) ?
		shared->function(shared->arg, run, function->name) : binary;
	struct joined key = { .name = interned_get(&join->names, name),
			      .binary = interned_get(&join->names, binary) }, *joined;
	u64 hash = hash_number(hash_number((uintptr_t)key.name) + (uintptr_t)key.binary);

	if (!key.name || !key.binary)
		return -ENOMEM;
	joined = hash_table_find(&join->table, hash, is_joined, &key);
	if (!joined)
		joined = add_function(join, hash, &key, function);
	if (!joined)
		return -ENOMEM;
	*number = joined->number;
	return 0;
}

static int place_functions(struct join *join, u32 run)
{
	const struct frames *frames = &join->data->runs[run].frames;
	size_t i;
	int err = 0;

	for (i = 0; i < frames->function_table.nr && !err; i++)
		err = place_function(join, run, frames->functions[i], &join->functions[i]);
	return err;
}

/* The nodes of callers have lower numbers. */
static int place_nodes(struct join *join, const struct tree *tree)
{
	struct tree_node node;
	int err = tree_begin(&join->data->joined);
	size_t i;

	for (i = 1; i < tree->nr && !err; i++) {
		node = tree->nodes[i];
		node.parent = join->nodes[node.parent];
		node.missed = join->data->joined.missed;
		if (node.function != TREE_SMALL)
			node.function = join->functions[node.function];
		err = tree_place(&join->data->joined, &node, &join->nodes[i]);
	}
	return err;
}

static void move_points(const struct join *join, u32 run)
{
	struct points *points = &join->data->points;
	size_t i;

	for (i = 0; i < points->nr; i++) {
		if (points->list[i].run == run)
			points->list[i].stack = join->nodes[points->list[i].stack];
	}
}

static int join_run(struct join *join, u32 run)
{
	struct page_run *from = &join->data->runs[run];
	int err = -ENOMEM;

	join->functions = calloc(from->frames.function_table.nr + 1, sizeof(u32));
	join->nodes = calloc(from->tree.nr + 1, sizeof(u32));
	if (join->functions && join->nodes)
		err = place_functions(join, run);
	if (!err)
		err = place_nodes(join, &from->tree);
	if (!err)
		move_points(join, run);
	free(join->functions);
	free(join->nodes);
	tree_free(&from->tree);
	return err;
}

/*
 * Make the functions and the tree of the page from those of all recordings. Return 0 or
 * -ENOMEM. After an error, the page must not be written.
 */
int join_runs(struct page_data *data, const struct join_names *names)
{
	struct join join = { .data = data, .shared = names };
	size_t most = 1;
	int err = 0;
	u32 run;

	for (run = 0; run < data->nr_runs; run++) {
		data->joined.missed += data->runs[run].tree.missed;
		most += data->runs[run].frames.function_table.nr;
	}
	data->functions = calloc(most, sizeof(*data->functions));
	if (!data->functions)
		return -ENOMEM;
	for (run = 0; run < data->nr_runs && !err; run++)
		err = join_run(&join, run);
	hash_table_free(&join.table, free);
	interned_free(&join.names);
	return err;
}
