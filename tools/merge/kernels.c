// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - addresses of kernels and modules in the output
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "merge/kernels.h"

/* Parts that cannot keep their addresses are here, where no kernel has code. */
#define FIRST_FREE	0xfffff00000000000ULL
#define PAGE		4096

/* The kernel's KERNEL_IMAGE_SIZE. perf may record a kernel that ends with the address space. */
#define LARGEST		(1ULL << 30)

/* More parts, or more ranges of one recording, are not those of a real kernel. */
#define PARTS_MAX	8192

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static u64 max_of(u64 a, u64 b)
{
	return a > b ? a : b;
}

static bool is_same_id(const struct build_id *a, const struct build_id *b)
{
	return a->size && b->size && !memcmp(a->data, b->data, sizeof(a->data));
}

/* Without build-ids, only the same address shows that parts are the same. */
static bool is_part(const struct kernel_part *part, const char *name, const struct build_id *id,
		    u64 start)
{
	if (strcmp(part->name, name))
		return false;
	return is_same_id(&part->id, id) ||
	       (!part->id.size && !id->size && part->old_start == start);
}

static bool is_free(const struct kernels *kernels, u64 start, u64 end)
{
	size_t i;

	for (i = 0; i < kernels->nr; i++) {
		if (start < kernels->parts[i].end && kernels->parts[i].start < end)
			return false;
	}
	return true;
}

static bool has_name(const struct kernels *kernels, const char *name)
{
	size_t i;

	for (i = 0; i < kernels->nr; i++) {
		if (!strcmp(kernels->parts[i].new_name, name))
			return true;
	}
	return false;
}

/* Return @name or, if another part has it, a name that readers take for a module's. */
static const char *new_name(struct kernels *kernels, const char *name)
{
	const char *base = strrchr(name, '/');
	char text[128];
	unsigned int i;

	if (!has_name(kernels, name))
		return interned_get(&kernels->names, name);
	base = base ? base + 1 : name;
	base += *base == '[';
	for (i = 2; i; i++) {
		snprintf(text, sizeof(text), "[%.*s %u]", (int)strcspn(base, "]."), base, i);
		if (!has_name(kernels, text))
			break;
	}
	return interned_get(&kernels->names, text);
}

static struct kernel_part *add_part(struct kernels *kernels, const char *name,
				    const struct build_id *id, u64 start, u64 len)
{
	struct kernel_part *part = array_grow(kernels->parts, kernels->nr, &kernels->room,
					      sizeof(*part));

	if (!part)
		return NULL;
	kernels->parts = part;
	part += kernels->nr;
	*part = (struct kernel_part){ .name = interned_get(&kernels->names, name), .id = *id,
				      .old_start = start, .start = start,
				      .new_name = new_name(kernels, name) };
	if (!part->name || !part->new_name)
		return NULL;
	if (!is_free(kernels, start, start + len)) {
		if (!kernels->next)
			kernels->next = FIRST_FREE;
		part->start = kernels->next;
		kernels->next += ALIGN_UP(len, PAGE) + PAGE;
	}
	part->end = part->start + len;
	kernels->nr++;
	return part;
}

/* Return the index of the first range that ends after @addr. */
static size_t find_range(const struct kernel_map *map, u64 addr)
{
	size_t low = 0, high = map->nr, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (map->ranges[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Add @range to the end of the ranges, unless it is empty. There is room for it. */
static void append(struct kernel_map *map, u64 start, u64 end, u64 to_output)
{
	if (start < end)
		map->ranges[map->nr++] = (struct kernel_range){ start, end, to_output };
}

/* Add a range. It replaces what was at its addresses: a module that was unloaded. */
static int add_range(struct kernel_map *map, const struct kernel_range *range)
{
	struct kernel_map old = *map;
	size_t i;

	if (old.nr >= PARTS_MAX)
		return -E2BIG;
	/* A range in which the new one begins and ends becomes two. */
	map->ranges = calloc(old.nr + 2, sizeof(*map->ranges));
	if (!map->ranges) {
		map->ranges = old.ranges;
		return -ENOMEM;
	}
	map->nr = 0;
	for (i = 0; i < old.nr; i++)
		append(map, old.ranges[i].start, min_of(old.ranges[i].end, range->start),
		       old.ranges[i].to_output);
	append(map, range->start, range->end, range->to_output);
	for (i = 0; i < old.nr; i++)
		append(map, max_of(old.ranges[i].start, range->end), old.ranges[i].end,
		       old.ranges[i].to_output);
	free(old.ranges);
	return 0;
}

/*
 * Map a part of a recording's kernel. Set @part to the part in the output, which is valid
 * until the next call, or to NULL if the output has it already. Return 0 or -errno.
 */
int kernels_add(struct kernels *kernels, struct kernel_map *map, const char *name,
		const struct build_id *id, u64 start, u64 len, const struct kernel_part **part)
{
	struct kernel_range range = { .start = start };
	size_t i;

	len = min_of(len, min_of(LARGEST, ~0ULL - start));
	range.end = start + len;
	*part = NULL;
	for (i = 0; i < kernels->nr && !is_part(&kernels->parts[i], name, id, start); i++)
		;
	if (i == PARTS_MAX)
		return -E2BIG;
	if (i == kernels->nr) {
		*part = add_part(kernels, name, id, start, len);
		if (!*part)
			return -ENOMEM;
	}
	range.to_output = kernels->parts[i].start - start;
	return add_range(map, &range);
}

/* Return the first part with this name and build-id, or NULL. */
const struct kernel_part *kernels_find(const struct kernels *kernels, const char *name,
				       const struct build_id *id)
{
	size_t i;

	for (i = 0; i < kernels->nr; i++) {
		if (!strcmp(kernels->parts[i].name, name) &&
		    (is_same_id(&kernels->parts[i].id, id) ||
		     (!id->size && !kernels->parts[i].id.size)))
			return &kernels->parts[i];
	}
	return NULL;
}

/* Return the address in the output of a kernel address of a recording. */
u64 kernels_address(const struct kernels *kernels, struct kernel_map *map, u64 addr)
{
	const struct kernel_range *range = map->ranges + find_range(map, addr);

	if (range < map->ranges + map->nr && range->start <= addr)
		return addr + range->to_output;
	if (is_free(kernels, addr, addr + 1))
		return addr;
	map->nr_nowhere++;
	return KERNEL_NOWHERE;
}

void kernels_free(struct kernels *kernels)
{
	free(kernels->parts);
	interned_free(&kernels->names);
}

void kernel_map_free(struct kernel_map *map)
{
	free(map->ranges);
}
