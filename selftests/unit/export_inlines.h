/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a sample in a function of this program that is inlined into another
 */
#ifndef TPROF_EXPORT_INLINES_H
#define TPROF_EXPORT_INLINES_H

#include <limits.h>

#include "export_records.h"

static u64 sampled;
static int sampled_line, call_line;

static __attribute__((noinline)) void note_caller(void)
{
	sampled = (uintptr_t)__builtin_return_address(0) - 1;
	__asm__ volatile("" : : : "memory");
}

static inline __attribute__((always_inline)) void inlined_function(void)
{
	sampled_line = __LINE__ + 1;
	note_caller();
	__asm__ volatile("" : : : "memory");
}

static __attribute__((noinline)) void outer_function(void)
{
	call_line = __LINE__ + 1;
	inlined_function();
}

/* Find the mapping of this program that has @sampled. */
static inline void find_own_mapping(struct mapping *map, char *path)
{
	unsigned long start, end, offset;
	char line[PATH_MAX + 128];
	FILE *file = fopen("/proc/self/maps", "re");

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &start, &end, &offset,
			   path) < 4 ||
		    sampled < start || sampled >= end)
			continue;
		*map = (struct mapping){ .start = start, .len = end - start, .pgoff = offset,
					 .prot = 5, .flags = 2, .name = path };
		break;
	}
	if (file)
		fclose(file);
}

/* A recording of one sample, with the period 9, in inlined_function(). */
static inline void make_recording_of_inlines(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	static char path[PATH_MAX];
	struct mapping map = { 0 };

	outer_function();
	find_own_mapping(&map, path);
	begin_records(true);
	record_mmap2(&records, &task, &map);
	ADD(0, 0, 9, sampled);
	end_records(1);
}

#endif /* TPROF_EXPORT_INLINES_H */
