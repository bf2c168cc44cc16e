/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - weights of source lines, by function and the functions inlined into it
 *
 * Lines are numbered from the line of their function's declaration, so that a change
 * elsewhere in the file does not move them. A line of several blocks has several weights,
 * which have different discriminators.
 */
#ifndef TPROF_EXPORT_SOURCE_TREE_H
#define TPROF_EXPORT_SOURCE_TREE_H

#include "base/arena.h"
#include "export/names.h"
#include "symbols/symbol_lines.h"

/* Maximum number of functions that are inlined into each other at an address. */
#define SOURCE_DEPTH	64

/**
 * struct source_path - the place of an address in the source code
 * @nr:		number of functions
 * @lines:	the functions, innermost first
 */
struct source_path {
	size_t	nr;
	struct code_line lines[SOURCE_DEPTH];
};

/**
 * struct source_place - a line in a function
 * @line:	its number, from the line of the declaration
 * @discriminator: block or call in the line
 */
struct source_place {
	u32	line;
	u32	discriminator;
};

/**
 * struct source_node - what lines and functions have in common
 * @next:	next one in the same list
 * @place:	place of the line, or of the call that is inlined
 */
struct source_node {
	struct source_node *next;
	struct source_place place;
};

/**
 * struct source_line - the weight of a line
 * @node:	entry in source_function.lines
 * @function:	its function
 * @weight:	the largest weight of an instruction of the line
 */
struct source_line {
	struct source_node node;
	const struct source_function *function;
	u64	weight;
};

/**
 * struct source_function - a function, or a call that is inlined
 * @node:	entry in source_tree.functions or in @inlined of @caller
 * @name:	name of the function
 * @caller:	function that it is inlined into, or NULL
 * @entry:	the line where it begins, NULL if unknown
 * @lines:	its lines
 * @inlined:	functions that are inlined into it
 * @total:	sum of the weights of @lines and @inlined, after source_tree_finish()
 */
struct source_function {
	struct source_node node;
	const char *name;
	const struct source_function *caller;
	const struct source_line *entry;
	struct source_node *lines;
	struct source_node *inlined;
	u64	total;
};

static inline struct source_line *source_line(struct source_node *node)
{
	return container_of(node, struct source_line, node);
}

static inline struct source_function *source_function(struct source_node *node)
{
	return container_of(node, struct source_function, node);
}

/**
 * struct source_tree - functions and lines; empty if all members are zero
 * @functions:	functions that are not inlined
 * @names:	their names
 * @memory:	memory of functions and lines
 * @function_table: all functions, by name, caller and place
 * @line_table:	all lines, by function and place
 */
struct source_tree {
	struct source_node *functions;
	struct interned names;
	struct arena memory;
	struct hash_table function_table;
	struct hash_table line_table;
};

int source_path_add(void *path, const struct code_line *line);
int source_tree_add(struct source_tree *tree, const struct source_path *path, u64 weight,
		    const struct source_function **function);
int source_tree_begin(struct source_tree *tree, const struct source_path *path);
void source_tree_finish(struct source_tree *tree);
void source_tree_free(struct source_tree *tree);

#endif /* TPROF_EXPORT_SOURCE_TREE_H */
