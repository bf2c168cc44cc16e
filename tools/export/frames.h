/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - numbers of functions, frames and call stacks
 *
 * A frame is an address in a binary or, at that address, one of the functions that are
 * inlined there. Its function and source line do not change, so they are looked up once. A
 * call stack is a node of a tree: its innermost frame, and the stack of the callers.
 */
#ifndef TPROF_EXPORT_FRAMES_H
#define TPROF_EXPORT_FRAMES_H

#include "base/arena.h"
#include "export/names.h"
#include "world/world.h"

/* Maximum number of frames and of stacks: together they take about 1 GB. */
#define FRAMES_LIMIT	(8U << 20)

/* The kinds of frames. */
enum frame_kind { FRAME_OTHER, FRAME_USER, FRAME_KERNEL, FRAME_INLINED, FRAME_JIT,
		  FRAME_INTERRUPT, NR_FRAME_KINDS };

/**
 * struct function - a function
 * @name:	its name, or that of the binary if the address is in no function
 * @path:	its source file, "" if unknown
 * @binary:	name of the binary
 * @object:	the binary
 * @line:	its first line, 0 if unknown
 * @number:	unique number, from 0
 */
struct function {
	const char *name;
	const char *path;
	const char *binary;
	const struct object *object;
	u32	line;
	u32	number;
};

/**
 * struct frame - a frame
 * @function:	its function
 * @object:	the binary
 * @addr:	address in the binary
 * @inlined:	symbol of the inlined function; NULL if it is not inlined
 * @symbol:	symbol of the function or of the inlined function
 * @depth:	number of functions that it is inlined into
 * @line:	source line in function.path, 0 if unknown or if it is in another file
 * @number:	unique number, from 0
 * @is_kernel:	@addr is in the kernel
 * @in_interrupt: an interrupt calls it; only with frames.by_interrupt
 * @is_entry:	it is the entry of an interrupt; only with frames.by_interrupt
 */
struct frame {
	const struct function *function;
	struct object *object;
	u64	addr;
	const struct symbol *inlined;
	const struct symbol *symbol;
	u32	depth;
	u32	line;
	u32	number;
	bool	is_kernel;
	bool	in_interrupt;
	bool	is_entry;
};

/**
 * struct stack_node - a call stack
 * @parent:	number of the stack of the callers, 0 if there are none
 * @frame:	number of the innermost frame or, with frames.by_function, of its function
 */
struct stack_node {
	u32	parent;
	u32	frame;
};

/**
 * struct frames - functions, frames and call stacks; empty if all members are zero
 * @by_function: stacks have functions, not frames
 * @by_interrupt: an address in the kernel has another frame if an interrupt calls it
 * @names:	names of functions and files
 * @memory:	memory of functions
 * @frame_memory: memory of frames
 * @function_table: functions, by name and binary
 * @functions:	functions, by number
 * @function_room: capacity of @functions
 * @table:	frames, by address
 * @list:	frames, by number
 * @list_room:	capacity of @list
 * @node_table:	numbers of @nodes, by parent and frame
 * @nodes:	stacks, by number; number 0 has no frame
 * @nr_nodes:	number of @nodes
 * @node_room:	capacity of @nodes
 */
struct frames {
	bool	by_function;
	bool	by_interrupt;
	struct interned names;
	struct arena memory;
	struct arena frame_memory;
	struct hash_table function_table;
	struct function **functions;
	size_t	function_room;
	struct hash_table table;
	struct frame **list;
	size_t	list_room;
	struct hash_table node_table;
	struct stack_node *nodes;
	size_t	nr_nodes;
	size_t	node_room;
};

int frames_find(struct frames *frames, struct world *world, struct spot *spots, int nr,
		const struct frame **found);
int frames_add(struct frames *frames, struct world *world, struct spot *spots, int nr,
	       u32 *number);
enum frame_kind frame_kind(const struct frame *frame);
size_t frames_path(const struct frames *frames, u32 stack, u32 *path);
void frames_forget(struct frames *frames);
void frames_clear_stacks(struct frames *frames);
void frames_clear(struct frames *frames);
void frames_free(struct frames *frames);

#endif /* TPROF_EXPORT_FRAMES_H */
