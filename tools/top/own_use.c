// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - the time and memory that this process uses
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "top/own_use.h"

/* Return the CPU time of all threads of this process in ns. */
u64 own_cpu_time(void)
{
	struct timespec time = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * NSEC_PER_SEC + time.tv_nsec;
}

/* Return the memory of this process in bytes, without what is not present; 0 if unknown. */
u64 own_memory(void)
{
	unsigned long long size, present = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file)
		return 0;
	if (fscanf(file, "%llu %llu", &size, &present) != 2)
		present = 0;
	fclose(file);
	return present * sysconf(_SC_PAGESIZE);
}
