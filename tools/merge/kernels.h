/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - addresses of kernels and modules in the output
 *
 * The kernels of two recordings may have the same addresses, and the same kernel has other
 * addresses after each boot. In the output, each kernel and each module has addresses of its
 * own; all recordings with the same build of it share them.
 */
#ifndef TPROF_MERGE_KERNELS_H
#define TPROF_MERGE_KERNELS_H

#include "base/interned.h"
#include "perfdata/perfdata.h"

/**
 * struct kernel_part - a kernel, a module or a generated function in the output
 * @name:	its name in the recordings
 * @id:		its build-id, of size 0 if unknown
 * @old_start:	its first address in the first recording that has it
 * @start:	its first address
 * @end:	its last address + 1
 * @new_name:	its name; it differs from @name if another build has that
 */
struct kernel_part {
	const char *name;
	struct build_id id;
	u64	old_start;
	u64	start;
	u64	end;
	const char *new_name;
};

/**
 * struct kernels - all parts in the output; empty if all members are zero
 * @parts:	struct kernel_part, by name and build-id, or by name and address
 * @firsts:	the first part without a build-id of each name, by name
 * @sorted:	all parts, by address
 * @nr:		number of @sorted
 * @room:	capacity of @sorted
 * @next:	the next free address for parts that cannot keep theirs
 * @names:	all names in the recordings
 * @new_names:	all names in the output
 * @suffixes:	struct suffix, by the beginning of a new name
 */
struct kernels {
	struct hash_table parts;
	struct hash_table firsts;
	struct kernel_part **sorted;
	size_t	nr;
	size_t	room;
	u64	next;
	struct interned names;
	struct interned new_names;
	struct hash_table suffixes;
};

/**
 * struct kernel_range - addresses of a part in one recording
 * @start:	first address
 * @end:	last address + 1
 * @to_output:	what to add to an address to get the one in the output
 */
struct kernel_range {
	u64	start;
	u64	end;
	u64	to_output;
};

/**
 * struct kernel_map - the current addresses in one recording; empty if all members are zero
 * @ranges:	the ranges, sorted; they do not overlap
 * @nr:		number of @ranges
 * @room:	capacity of @ranges
 * @nr_parts:	number of parts that the output has of this recording
 * @nr_nowhere:	number of addresses that got KERNEL_NOWHERE
 */
struct kernel_map {
	struct kernel_range *ranges;
	size_t	nr;
	size_t	room;
	u32	nr_parts;
	u64	nr_nowhere;
};

/* More parts or more ranges of one recording are not those of a real kernel. */
#define KERNELS_MAX_PARTS	8192

/* An address of no mapping, for an address that has none but would have one in the output. */
#define KERNEL_NOWHERE	0xffff800000000000ULL

int kernels_add(struct kernels *kernels, struct kernel_map *map, const char *name,
		const struct build_id *id, u64 start, u64 len, const struct kernel_part **part);
const struct kernel_part *kernels_find(const struct kernels *kernels, const char *name,
				       const struct build_id *id);
u64 kernels_address(const struct kernels *kernels, struct kernel_map *map, u64 addr);
void kernels_free(struct kernels *kernels);
void kernel_map_free(struct kernel_map *map);

#endif /* TPROF_MERGE_KERNELS_H */
