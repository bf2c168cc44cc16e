/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - side-band: records that are not samples
 *
 * A probe builds the fixed part of a COMM, FORK, MMAP2 or other record on its stack.
 * tprof_sideband_write() then writes three parts into the ring of this CPU: the fixed
 * part, a text if there is one, and the sample_id trailer with the time. It also counts
 * the record.
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
 * @header:	start of the fixed part, complete except for the size
 * @bytes:	length of the fixed part, a multiple of 8
 * @text:	string at the end of the record, shorter than 32 KiB, or NULL
 * @more:	what follows the fixed part, in place of a text; the record then goes into a ring
 *		below its watermark only
 * @more_bytes:	its length, a multiple of 8
 * @time:	field of the fixed part to which the record's time is written, or NULL
 * @task:	task that the trailer names, or NULL
 * @id:		value of PERF_SAMPLE_IDENTIFIER in the trailer, 0 for that of the sampler
 * @is_retried:	do not count a loss: the caller writes the record again, or calls
 *		tprof_sideband_lose()
 * @is_extra:	use only the part of the ring that samples may use, and do not count a
 *		loss
 * @is_urgent:	flush the ring at once
 */
struct tprof_sideband {
	struct perf_event_header	*header;
	u32				bytes;
	const char			*text;
	const void			*more;
	u32				more_bytes;
	u64				*time;
	const struct task_struct	*task;
	u64				id;
	bool				is_retried;
	bool				is_extra;
	bool				is_urgent;
};

bool tprof_sideband_write(const struct tprof_sampler *sampler,
			  const struct tprof_sideband *record);
void tprof_sideband_lose(const struct tprof_sampler *sampler);

#endif /* TPROF_SIDEBAND_H */
