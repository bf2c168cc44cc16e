// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - weights of source lines, by function and the functions inlined into it
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/linked_sort.h"
#include "export/source_tree.h"

/* Sample profiles of LLVM have 16 bits for a line. */
#define LINE_MASK	0xffff

/* Add a function to a path, innermost first. */
int source_path_add(void *arg, const struct code_line *line)
{
	struct source_path *path = arg;

	if (path->nr == SOURCE_DEPTH)
		return -E2BIG;
	path->lines[path->nr++] = *line;
	return 0;
}

/*
 * A discriminator of LLVM has three numbers: the block, how many copies of the block the
 * compiler has made, and which copy it is. Bit 0 of a number is set if it is zero. Otherwise
 * bits 1 to 5 are its lowest, and bit 6 is set if 7 more follow.
 */
static u32 first_number(u32 packed)
{
	if (packed & 1)
		return 0;
	packed >>= 1;
	return packed & 0x20 ? (packed >> 1 & 0xfe0) | (packed & 0x1f) : packed & 0x1f;
}

static u32 without_first(u32 packed)
{
	if (packed & 1)
		return packed >> 1;
	return packed >> (packed & 0x40 ? 14 : 7);
}

static u32 copies_of(const struct code_line *line)
{
	u32 nr = first_number(without_first(line->discriminator));

	return nr ? nr : 1;
}

static struct source_place place_of(const struct code_line *line)
{
	return (struct source_place){ (line->line - line->first) & LINE_MASK,
				      first_number(line->discriminator) };
}

static bool is_same_place(struct source_place place, struct source_place other)
{
	return place.line == other.line && place.discriminator == other.discriminator;
}

static u64 hash_place(const void *thing, struct source_place place)
{
	return hash_number(hash_number((uintptr_t)thing) +
			   ((u64)place.line << 32 | place.discriminator));
}

static bool is_function(const void *entry, const void *wanted)
{
	const struct source_function *function = entry, *key = wanted;

	return function->name == key->name && function->caller == key->caller &&
	       is_same_place(function->node.place, key->node.place);
}

/* Find or add a function. Return NULL if out of memory. */
static struct source_function *function_at(struct source_tree *tree,
					   struct source_function *caller,
					   struct source_place place, const char *name)
{
	struct source_node **list = caller ? &caller->inlined : &tree->functions;
	struct source_function key = { .node = { *list, place }, .caller = caller }, *function;
	u64 hash;

	key.name = name_get(&tree->names, name);
	if (!key.name)
		return NULL;
	hash = hash_place(key.name, place) ^ hash_number((uintptr_t)caller);
	function = hash_table_find(&tree->function_table, hash, is_function, &key);
	if (function)
		return function;
	function = arena_get(&tree->memory, sizeof(*function));
	if (!function || hash_table_add(&tree->function_table, hash, function))
		return NULL;
	*function = key;
	*list = &function->node;
	return function;
}

static bool is_line(const void *entry, const void *wanted)
{
	const struct source_line *line = entry, *key = wanted;

	return line->function == key->function && is_same_place(line->node.place, key->node.place);
}

/* Find or add a line. Return NULL if out of memory. */
static struct source_line *line_at(struct source_tree *tree, struct source_function *function,
				   struct source_place place)
{
	struct source_line key = { { function->lines, place }, function, 0 }, *line;
	u64 hash = hash_place(function, place);

	line = hash_table_find(&tree->line_table, hash, is_line, &key);
	if (line)
		return line;
	line = arena_get(&tree->memory, sizeof(*line));
	if (!line || hash_table_add(&tree->line_table, hash, line))
		return NULL;
	*line = key;
	function->lines = &line->node;
	return line;
}

/* Find or add the line of @path, and its outermost function. Return NULL if out of memory. */
static struct source_line *line_of(struct source_tree *tree, const struct source_path *path,
				   struct source_function **outermost)
{
	const struct code_line *line = &path->lines[path->nr - 1];
	struct source_function *function = function_at(tree, NULL, (struct source_place){ 0 },
						       line->function);

	*outermost = function;
	for (; function && line != path->lines; line--)
		function = function_at(tree, function, place_of(line), line[-1].function);
	return function ? line_at(tree, function, place_of(line)) : NULL;
}

/*
 * Add the weight of an instruction at @path, which has at least one function. A block is
 * executed as often as its most frequent instruction: the weights of the others are smaller
 * by chance only. A block with copies was executed as often as all copies together.
 *
 * Set @function to the outermost function. Return 0 or -ENOMEM.
 */
int source_tree_add(struct source_tree *tree, const struct source_path *path, u64 weight,
		    const struct source_function **function)
{
	struct source_function *outermost;
	struct source_line *line = line_of(tree, path, &outermost);

	if (!line)
		return -ENOMEM;
	*function = outermost;
	weight *= copies_of(&path->lines[0]);
	if (weight > line->weight)
		line->weight = weight;
	return 0;
}

/* Note that the outermost function of @path begins there. Return 0 or -ENOMEM. */
int source_tree_begin(struct source_tree *tree, const struct source_path *path)
{
	struct source_function *outermost;
	struct source_line *line = line_of(tree, path, &outermost);

	if (!line)
		return -ENOMEM;
	outermost->entry = line;
	return 0;
}

static bool is_before(const void *a, const void *b)
{
	const struct source_node *node = a, *other = b;

	if (node->place.line != other->place.line)
		return node->place.line < other->place.line;
	return node->place.discriminator <= other->place.discriminator;
}

static bool is_heavier(const void *a, const void *b)
{
	const struct source_function *function = container_of(a, struct source_function, node);
	const struct source_function *other = container_of(b, struct source_function, node);

	if (function->total != other->total)
		return function->total > other->total;
	return strcmp(function->name, other->name) <= 0;
}

static struct source_node *sort(struct source_node *list, linked_order order)
{
	return linked_sort(list, offsetof(struct source_node, next), order);
}

/* Sort the lines of a function and of those inlined into it, and add up their weights. */
static u64 finish_function(struct source_function *function)
{
	struct source_node *node;

	function->total = 0;
	for (node = function->lines; node; node = node->next)
		function->total += source_line(node)->weight;
	for (node = function->inlined; node; node = node->next)
		function->total += finish_function(source_function(node));
	function->lines = sort(function->lines, is_before);
	function->inlined = sort(function->inlined, is_before);
	return function->total;
}

/*
 * Add up and sort, when all weights have been added: functions by total, and within a function
 * lines and calls by place.
 */
void source_tree_finish(struct source_tree *tree)
{
	struct source_node *node;

	for (node = tree->functions; node; node = node->next)
		finish_function(source_function(node));
	tree->functions = sort(tree->functions, is_heavier);
}

void source_tree_free(struct source_tree *tree)
{
	hash_table_free(&tree->line_table, NULL);
	hash_table_free(&tree->function_table, NULL);
	arena_free(&tree->memory);
	interned_free(&tree->names);
}
