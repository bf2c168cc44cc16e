/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - the perf map of the test program, which names functions
 */
#ifndef TPROF_OWN_MAP_H
#define TPROF_OWN_MAP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char own_map_path[64];

/* Make the perf map. Each line of @lines is "START SIZE NAME" in hexadecimal. */
static inline void own_map_make(const char *lines)
{
	FILE *file;

	snprintf(own_map_path, sizeof(own_map_path), "/tmp/perf-%d.map", getpid());
	file = fopen(own_map_path, "we");
	if (!file)
		abort();
	fputs(lines, file);
	fclose(file);
}

static inline void own_map_remove(void)
{
	unlink(own_map_path);
}

#endif /* TPROF_OWN_MAP_H */
