// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - numbers of functions, frames and call stacks
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/frames.h"
#include "export/interrupts.h"
#include "profile/columns.h"
#include "symbols/object_dwarf.h"

static bool is_function(const void *entry, const void *wanted)
{
	const struct function *function = entry, *key = wanted;

	return function->name == key->name && function->object == key->object;
}

/* Find or add a function. Return NULL if out of memory. @source is of its first line. */
static const struct function *function_of(struct frames *frames, const struct spot *spot,
					  const struct source *source)
{
	struct function key = { .object = spot->object, .number = frames->function_table.nr,
				.line = source->line > 0 ? source->line : 0 }, *function;
	void *grown;
	u64 hash;

	key.name = name_get(&frames->names, frame_name(spot));
	hash = hash_number(hash_number((uintptr_t)key.name) + (uintptr_t)key.object);
	function = hash_table_find(&frames->function_table, hash, is_function, &key);
	if (function || !key.name)
		return function;
	key.path = name_get(&frames->names, source->path ? source->path : "");
	key.binary = name_get(&frames->names, spot->object->short_name);
	grown = array_grow(frames->functions, key.number, &frames->function_room,
			   sizeof(*frames->functions));
	if (grown)
		frames->functions = grown;
	function = arena_get(&frames->memory, sizeof(*function));
	if (!key.path || !key.binary || !grown || !function ||
	    hash_table_add(&frames->function_table, hash, function))
		return NULL;
	*function = key;
	frames->functions[key.number] = function;
	return function;
}

/**
 * struct origin - where a frame comes from
 * @here:	source line of the frame
 * @first:	source line of its function
 * @depth:	number of functions that it is inlined into
 */
struct origin {
	struct source here;
	struct source first;
	u32	depth;
};

/* Set @list to the functions that are inlined at @spot, or to NULL if they are not needed. */
static int find_inlines(struct world *world, const struct spot *spot,
			const struct inline_list **list)
{
	struct symbol_sources *sources = &world->objects.sources;
	const struct symbol *around;

	*list = NULL;
	if (!sources->options.inlines)
		return 0;
	around = object_resolve(&world->objects, spot->object, spot->addr);
	if (!around)
		return -ENOMEM;
	if (!around->name)
		return 0;
	*list = object_inlines(sources, spot->object, spot->addr, around);
	return *list ? 0 : -ENOMEM;
}

/*
 * Find the origin of a frame. At an address with inlined functions, the line of the address
 * is that of the innermost one. Each other function has the line of its call.
 */
static int find_origin(struct world *world, const struct spot *spot, struct origin *origin)
{
	struct symbol_sources *sources = &world->objects.sources;
	const struct inline_list *list;
	int err = find_inlines(world, spot, &list);
	size_t i = 0;

	*origin = (struct origin){ .here = object_source(sources, spot->object, spot->addr) };
	while (list && i < list->nr && list->functions[i].symbol != spot->symbol)
		origin->here = list->functions[i++].call;
	if (list)
		origin->depth = list->nr - i;
	if (spot->symbol->inlined)
		origin->first.path = origin->here.path;
	else if (spot->symbol->name)
		origin->first = object_source(sources, spot->object, spot->symbol->start);
	return err;
}

static bool ends_with(const char *path, const char *tail)
{
	size_t len = strlen(path), tail_len = strlen(tail);

	return len > tail_len && path[len - tail_len - 1] == '/' &&
	       !strcmp(path + len - tail_len, tail);
}

/* The compiler may list a file twice, with and without its directory. */
static bool is_same_file(const struct source *source, const struct source *other)
{
	return source->path && other->path &&
	       (!strcmp(source->path, other->path) || ends_with(source->path, other->path) ||
		ends_with(other->path, source->path));
}

static struct frame key_of(const struct spot *spot)
{
	return (struct frame){ .object = spot->object, .addr = spot->addr,
			       .is_kernel = spot->is_kernel,
			       .inlined = spot->symbol && spot->symbol->inlined ? spot->symbol :
										  NULL };
}

static bool is_frame(const void *entry, const void *wanted)
{
	const struct frame *frame = entry, *key = wanted;

	return frame->addr == key->addr && frame->object == key->object &&
	       frame->inlined == key->inlined && frame->is_kernel == key->is_kernel &&
	       frame->in_interrupt == key->in_interrupt;
}

static struct frame *add_frame(struct frames *frames, struct world *world, u64 hash,
			       const struct frame *key, struct spot *spot)
{
	struct origin origin;
	struct frame *frame;
	void *grown;

	if (!spot->symbol && world_find_function(world, spot))
		return NULL;
	grown = array_grow(frames->list, frames->table.nr, &frames->list_room,
			   sizeof(*frames->list));
	if (grown)
		frames->list = grown;
	frame = arena_get(&frames->frame_memory, sizeof(*frame));
	if (!grown || !frame || find_origin(world, spot, &origin))
		return NULL;
	*frame = *key;
	frame->number = frames->table.nr;
	frame->symbol = spot->symbol;
	frame->is_entry = frames->by_interrupt && key->is_kernel && spot->symbol->name &&
			  is_interrupt_entry(spot->symbol->name);
	frame->depth = origin.depth;
	if (origin.here.line > 0 && is_same_file(&origin.here, &origin.first))
		frame->line = origin.here.line;
	frame->function = function_of(frames, spot, &origin.first);
	if (!frame->function || hash_table_add(&frames->table, hash, frame))
		return NULL;
	frames->list[frame->number] = frame;
	return frame;
}

static u64 hash_of(const struct frame *key)
{
	return hash_number(hash_number(key->addr) + ((u64)key->object->number << 1) +
			   key->is_kernel + (uintptr_t)key->inlined);
}

/* Prefetch the memory that frame_of() will read: the slots, then the frames in them. */
static void expect_frames(const struct frames *frames, const struct spot *spots, int nr)
{
	struct frame key;
	int i;

	for (i = nr - 1; i >= 0; i--) {
		key = key_of(&spots[i]);
		hash_table_expect(&frames->table, hash_of(&key));
	}
	for (i = nr - 1; i >= 0; i--) {
		key = key_of(&spots[i]);
		hash_table_expect_entry(&frames->table, hash_of(&key));
	}
}

/* Find or add a frame, which @caller calls unless NULL. Return NULL if out of memory. */
static const struct frame *frame_of(struct frames *frames, struct world *world,
				    struct spot *spot, const struct frame *caller)
{
	struct frame key = key_of(spot), *frame;
	u64 hash = hash_of(&key);

	if (caller && key.is_kernel && (caller->in_interrupt || caller->is_entry)) {
		key.in_interrupt = true;
		hash = hash_number(hash);
	}
	frame = hash_table_find(&frames->table, hash, is_frame, &key);
	return frame ? frame : add_frame(frames, world, hash, &key, spot);
}

/*
 * Set @found to the frames of @spots, in the same order. frames_forget() frees them. Return 0,
 * -ENOMEM, or -E2BIG if there are too many functions.
 */
int frames_find(struct frames *frames, struct world *world, struct spot *spots, int nr,
		const struct frame **found)
{
	const struct frame *frame = NULL;

	expect_frames(frames, spots, nr);
	while (nr--) {
		frame = frame_of(frames, world, &spots[nr], frame);
		if (!frame)
			return -ENOMEM;
		found[nr] = frame;
	}
	return frames->function_table.nr > FRAMES_LIMIT ? -E2BIG : 0;
}

/* Set @number to that of the stack of @frame, called from stack @parent. */
static int node_of(struct frames *frames, u32 parent, u32 frame, u32 *number)
{
	u64 hash = hash_number((u64)parent << 32 | frame);
	void *found = hash_table_find(&frames->node_table, hash, NULL, NULL);
	struct stack_node *nodes;

	if (found) {
		*number = (uintptr_t)found;
		return 0;
	}
	/* The root has number 0. Its place in the array is allocated with the first stack. */
	if (!frames->nr_nodes)
		frames->nr_nodes = 1;
	if (frames->nr_nodes > FRAMES_LIMIT)
		return -E2BIG;
	nodes = array_grow(frames->nodes, frames->nr_nodes, &frames->node_room, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	frames->nodes = nodes;
	*number = frames->nr_nodes;
	nodes[*number] = (struct stack_node){ parent, frame };
	if (hash_table_add(&frames->node_table, hash, (void *)(uintptr_t)*number))
		return -ENOMEM;
	frames->nr_nodes++;
	return 0;
}

/*
 * Find or add a call stack, and set @number. @spots[0] is its innermost frame. Return 0,
 * -ENOMEM, or -E2BIG if there are too many stacks.
 */
int frames_add(struct frames *frames, struct world *world, struct spot *spots, int nr,
	       u32 *number)
{
	const struct frame *frame = NULL;
	int err = 0;

	*number = 0;
	expect_frames(frames, spots, nr);
	while (nr-- && !err) {
		frame = frame_of(frames, world, &spots[nr], frame);
		if (!frame)
			return -ENOMEM;
		if (frames->table.nr > FRAMES_LIMIT)
			return -E2BIG;
		err = node_of(frames, *number,
			      frames->by_function ? frame->function->number : frame->number,
			      number);
	}
	return err;
}

/* FRAME_OTHER is a frame outside all mappings. */
enum frame_kind frame_kind(const struct frame *frame)
{
	if (frame->in_interrupt || frame->is_entry)
		return FRAME_INTERRUPT;
	if (frame->inlined)
		return FRAME_INLINED;
	if (frame->is_kernel)
		return FRAME_KERNEL;
	switch (frame->object->kind) {
	case OBJECT_JIT:
	case OBJECT_JIT_DUMP:
		return FRAME_JIT;
	case OBJECT_NOTHING:
		return FRAME_OTHER;
	default:
		return FRAME_USER;
	}
}

/*
 * Set @path, which has room for FRAMES_MAX entries, to the frames of a stack, innermost
 * first. With frames.by_function, the entries are functions. Return their number.
 */
size_t frames_path(const struct frames *frames, u32 stack, u32 *path)
{
	size_t nr = 0;

	for (; stack; stack = frames->nodes[stack].parent)
		path[nr++] = frames->nodes[stack].frame;
	return nr;
}

/* Remove all frames. There must be no stacks. Functions keep their numbers. */
void frames_forget(struct frames *frames)
{
	hash_table_clear(&frames->table);
	arena_free(&frames->frame_memory);
}

/* Remove all stacks. Functions and frames keep their numbers. */
void frames_clear_stacks(struct frames *frames)
{
	hash_table_clear(&frames->node_table);
	frames->nr_nodes = 0;
}

/* Remove all functions, frames and stacks. */
void frames_clear(struct frames *frames)
{
	frames_clear_stacks(frames);
	hash_table_free(&frames->table, NULL);
	hash_table_free(&frames->function_table, NULL);
	arena_free(&frames->frame_memory);
	arena_free(&frames->memory);
	interned_free(&frames->names);
}

void frames_free(struct frames *frames)
{
	frames_clear(frames);
	hash_table_free(&frames->node_table, NULL);
	free(frames->nodes);
	free(frames->list);
	free(frames->functions);
}
