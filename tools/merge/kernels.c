// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - addresses of kernels and modules in the output
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sorted.h"
#include "merge/kernels.h"

/* Parts that cannot keep their addresses are here, where no kernel has code. */
#define FIRST_FREE	0xfffff00000000000ULL
#define PAGE		4096

/* The kernel's KERNEL_IMAGE_SIZE. perf may record a kernel that ends with the address space. */
#define LARGEST		(1ULL << 30)

/* Longer names are truncated in a new name. */
#define BASE_LIMIT	100

/**
 * struct suffix - a number at the end of new names
 * @last:	the last one that was tried
 */
struct suffix {
	u32	last;
};

/**
 * struct part_key - what distinguishes parts
 * @name:	the name
 * @id:		the build-id
 * @start:	first address, which counts without a build-id
 */
struct part_key {
	const char *name;
	const struct build_id *id;
	u64	start;
};

static u64 min_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

static bool is_same_id(const struct build_id *a, const struct build_id *b)
{
	return a->size && b->size && !memcmp(a->data, b->data, sizeof(a->data));
}

/* Without build-ids, only the same address shows that parts are the same. */
static bool is_part(const void *entry, const void *arg)
{
	const struct kernel_part *part = entry;
	const struct part_key *key = arg;

	if (strcmp(part->name, key->name))
		return false;
	return is_same_id(&part->id, key->id) ||
	       (!part->id.size && !key->id->size && part->old_start == key->start);
}

static u64 hash_of(const struct part_key *key)
{
	u64 hash = hash_text(key->name);

	if (key->id->size)
		return hash_bytes(hash, key->id->data, sizeof(key->id->data));
	return hash_bytes(hash, &key->start, sizeof(key->start));
}

static bool is_name(const void *entry, const void *name)
{
	return !strcmp(((const struct kernel_part *)entry)->name, name);
}

/* Return the index of the first part that ends after @addr. Parts do not overlap. */
static size_t find_place(const struct kernels *kernels, u64 addr)
{
	size_t low = 0, high = kernels->nr, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (kernels->sorted[middle]->end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_free(const struct kernels *kernels, u64 start, u64 end)
{
	size_t place = find_place(kernels, start);

	return place == kernels->nr || end <= kernels->sorted[place]->start;
}

static bool is_text(const void *entry, const void *text)
{
	return !strcmp(entry, text);
}

static bool has_name(const struct kernels *kernels, const char *name)
{
	return hash_table_find(&kernels->new_names.table, hash_text(name), is_text, name);
}

/* Return @name or, if another part has it, a name that readers take for a module's. */
static const char *new_name(struct kernels *kernels, const char *name)
{
	const char *base = strrchr(name, '/');
	char text[BASE_LIMIT + 16];
	struct suffix *suffix;
	size_t len;

	if (!has_name(kernels, name))
		return interned_get(&kernels->new_names, name);
	base = base ? base + 1 : name;
	base += *base == '[';
	len = min_of(strcspn(base, "]."), BASE_LIMIT);
	snprintf(text, sizeof(text), "%.*s", (int)len, base);
	suffix = hash_table_get(&kernels->suffixes, hash_text(text), sizeof(*suffix));
	if (!suffix)
		return NULL;
	if (!suffix->last)
		suffix->last = 1;
	do
		snprintf(text, sizeof(text), "[%.*s %u]", (int)len, base, ++suffix->last);
	while (has_name(kernels, text));
	return interned_get(&kernels->new_names, text);
}

/* Choose the addresses of a part: its own if they are free. */
static void set_addresses(struct kernels *kernels, struct kernel_part *part, u64 len)
{
	part->start = part->old_start;
	if (!is_free(kernels, part->start, part->start + len)) {
		if (!kernels->next)
			kernels->next = FIRST_FREE;
		part->start = kernels->next;
		kernels->next += ALIGN_UP(len, PAGE) + PAGE;
	}
	part->end = part->start + len;
}

/* Add @part to the sorted ones, which own it. Return 0 or -ENOMEM. */
static int add_sorted(struct kernels *kernels, struct kernel_part *part)
{
	struct kernel_part **sorted = array_grow(kernels->sorted, kernels->nr, &kernels->room,
						 sizeof(*sorted));
	size_t place;

	if (!sorted)
		return -ENOMEM;
	kernels->sorted = sorted;
	place = find_place(kernels, part->start);
	memmove(sorted + place + 1, sorted + place, (kernels->nr - place) * sizeof(*sorted));
	sorted[place] = part;
	kernels->nr++;
	return 0;
}

static int add_to_tables(struct kernels *kernels, struct kernel_part *part,
			 const struct part_key *key)
{
	u64 hash = hash_text(part->name);
	int err = 0;

	if (!part->id.size && !hash_table_find(&kernels->firsts, hash, is_name, part->name))
		err = hash_table_add(&kernels->firsts, hash, part);
	return err ? err : hash_table_add(&kernels->parts, hash_of(key), part);
}

static struct kernel_part *add_part(struct kernels *kernels, const struct part_key *key, u64 len)
{
	struct kernel_part *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	part->name = interned_get(&kernels->names, key->name);
	part->new_name = new_name(kernels, key->name);
	part->id = *key->id;
	part->old_start = key->start;
	set_addresses(kernels, part, len);
	if (!part->name || !part->new_name || add_sorted(kernels, part)) {
		free(part);
		return NULL;
	}
	return add_to_tables(kernels, part, key) ? NULL : part;
}

/* Return the index of the first range that ends after @addr. */
static size_t find_range(const struct kernel_map *map, u64 addr)
{
	return sorted_above(map->ranges, 0, map->nr, end, addr);
}

/* Put @nr ranges in place of @old ones at @place. */
static void replace_ranges(struct kernel_map *map, size_t place, size_t old,
			   const struct kernel_range *ranges, size_t nr)
{
	struct kernel_range *at = map->ranges + place;

	memmove(at + nr, at + old, (map->nr - place - old) * sizeof(*at));
	memcpy(at, ranges, nr * sizeof(*at));
	map->nr += nr - old;
}

/*
 * Add a range. It replaces what was at its addresses: a module that was unloaded. A range in
 * which it begins and ends becomes two.
 */
static int add_range(struct kernel_map *map, const struct kernel_range *range)
{
	struct kernel_range *ranges = array_grow(map->ranges, map->nr + 1, &map->room,
						 sizeof(*ranges));
	struct kernel_range new[3];
	size_t first, end, nr = 0;

	if (!ranges)
		return -ENOMEM;
	map->ranges = ranges;
	if (range->start == range->end)
		return 0;
	first = find_range(map, range->start);
	end = first;
	while (end < map->nr && ranges[end].start < range->end)
		end++;
	if (end > first && ranges[first].start < range->start) {
		new[nr] = ranges[first];
		new[nr++].end = range->start;
	}
	new[nr++] = *range;
	if (end > first && ranges[end - 1].end > range->end) {
		new[nr] = ranges[end - 1];
		new[nr++].start = range->end;
	}
	replace_ranges(map, first, end - first, new, nr);
	return 0;
}

/*
 * Map a part of a recording's kernel. Set @part to the part in the output, or to NULL if the
 * output has it already. Return 0 or -errno; -E2BIG if the recording has too many.
 */
int kernels_add(struct kernels *kernels, struct kernel_map *map, const char *name,
		const struct build_id *id, u64 start, u64 len, const struct kernel_part **part)
{
	struct part_key key = { name, id, start };
	struct kernel_range range = { .start = start };
	const struct kernel_part *old = hash_table_find(&kernels->parts, hash_of(&key), is_part,
							&key);

	len = min_of(len, min_of(LARGEST, ~0ULL - start));
	range.end = start + len;
	*part = NULL;
	if (map->nr >= KERNELS_MAX_PARTS || (!old && map->nr_parts == KERNELS_MAX_PARTS))
		return -E2BIG;
	if (!old) {
		old = add_part(kernels, &key, len);
		if (!old)
			return -ENOMEM;
		*part = old;
		map->nr_parts++;
	}
	range.to_output = old->start - start;
	return add_range(map, &range);
}

/* Return the first part with this name and build-id, or NULL. */
const struct kernel_part *kernels_find(const struct kernels *kernels, const char *name,
				       const struct build_id *id)
{
	struct part_key key = { name, id, 0 };

	if (!id->size)
		return hash_table_find(&kernels->firsts, hash_text(name), is_name, name);
	return hash_table_find(&kernels->parts, hash_of(&key), is_part, &key);
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
	size_t i;

	for (i = 0; i < kernels->nr; i++)
		free(kernels->sorted[i]);
	free(kernels->sorted);
	hash_table_free(&kernels->parts, NULL);
	hash_table_free(&kernels->firsts, NULL);
	hash_table_free(&kernels->suffixes, free);
	interned_free(&kernels->names);
	interned_free(&kernels->new_names);
}

void kernel_map_free(struct kernel_map *map)
{
	free(map->ranges);
}
