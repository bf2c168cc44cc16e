/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - writing records that are no samples
 *
 * The writers of COMM, FORK, MMAP2 and so on fill the fixed part of a record
 * on their stack; this puts it, the text at its end and the trailer into the
 * ring of this CPU, with the time, and counts it.
 *
 * Context: any but NMI. No locks, no allocation, nothing that sleeps.
 */
#ifndef TPROF_SIDEBAND_H
#define TPROF_SIDEBAND_H

#include <linux/types.h>

struct perf_event_header;
struct task_struct;
struct tprof_sampler;

/**
 * struct tprof_sideband - a record to be written
 * @header:	start of its fixed part, all of it set but the size
 * @bytes:	length of the fixed part, a multiple of 8
 * @text:	string that ends the record, shorter than 32 KiB, or NULL
 * @time:	field of the fixed part that repeats the time, or NULL
 * @task:	whom the trailer names, or NULL for nobody
 * @is_extra:	may only have the room of samples; without any it is not counted
 */
struct tprof_sideband {
	struct perf_event_header	*header;
	u32				bytes;
	const char			*text;
	u64				*time;
	const struct task_struct	*task;
	bool				is_extra;
};

bool tprof_sideband_write(const struct tprof_sampler *sampler,
			  const struct tprof_sideband *record);
void tprof_sideband_lose(const struct tprof_sampler *sampler);

#endif /* TPROF_SIDEBAND_H */
