// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a target that causes events until its test ends it
 */
#include <errno.h>
#include <sys/mman.h>

#include "harness/progress.h"

volatile struct progress *progress;

/* Make @progress, which the targets that are started afterwards share. */
int progress_share(void)
{
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return (void *)progress == MAP_FAILED ? -errno : 0;
}

/* Cause events of the fake back end on @cpu while @progress->is_over is not set. */
int count_until_over(struct target *target, __u64 cpu)
{
	int err = cpu_pin(cpu);

	while (!progress->is_over && !err) {
		progress->begun++;
		err = fake_count(target->key, 1, NULL);
		progress->ended++;
	}
	return err;
}
