/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx bench - the module's walk by unwind tables, on a copy of a stack
 */
#ifndef TPROF_WALK_COPY_H
#define TPROF_WALK_COPY_H

#include <linux/tprof_lx.h>
#include <stdbool.h>
#include <stddef.h>

/* Maximum number of mappings of a process, and of frames of a chain. */
#define COPY_MAPS	512
#define COPY_FRAMES	1024

/**
 * struct copy_table - an unwind table
 * @page0:	number of its first page
 * @nr_pages:	number of pages
 * @nr_rows:	number of @rows
 * @nr_rules:	number of @rules
 * @pages:	index of the first row of each page
 * @rows:	rows
 * @rules:	rules
 */
struct copy_table {
	__u32	page0;
	__u32	nr_pages;
	__u32	nr_rows;
	__u32	nr_rules;
	const __u32 *pages;
	const struct tprof_lx_unwind_row *rows;
	const struct tprof_lx_unwind_rule *rules;
};

/**
 * struct copy_map - an executable mapping
 * @start:	first address
 * @end:	address after it
 * @offset:	file offset of @start
 * @table:	table of the file, or NULL
 */
struct copy_map {
	__u64	start;
	__u64	end;
	__u64	offset;
	const struct copy_table *table;
};

/**
 * struct stack_copy - registers, and a copy of the stack
 * @regs:	registers by their DWARF numbers; the last is rip
 * @bytes:	the stack, from rsp on
 * @size:	bytes of the copy
 */
struct stack_copy {
	__u64	regs[17];
	const unsigned char *bytes;
	__u64	size;
};

/**
 * struct copy_chain - a call chain
 * @ips:	addresses, innermost frame first
 * @nr:		number of @ips
 * @is_whole:	the last frame is an outermost one
 * @is_beyond:	the next frame is not in the copy
 */
struct copy_chain {
	__u64	ips[COPY_FRAMES];
	size_t	nr;
	bool	is_whole;
	bool	is_beyond;
};

void walk_copy(const struct copy_map *maps, size_t nr, const struct stack_copy *copy,
	       struct copy_chain *chain);

#endif /* TPROF_WALK_COPY_H */
