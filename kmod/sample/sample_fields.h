/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the fields of a sample
 *
 * Context: any, NMI included, not preemptible. The functions are inline in those of sample.c,
 * which know as constants what an event has.
 */
#ifndef TPROF_SAMPLE_FIELDS_H
#define TPROF_SAMPLE_FIELDS_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "base/mono.h"
#include "sample/sample_layout.h"
#include "sample/sampler.h"

/**
 * struct tprof_common_fields - the fields that tprof_sample_has_common_fields() names. They follow
 * the header of a sample, or its PERF_SAMPLE_IDENTIFIER.
 * @ip:		PERF_SAMPLE_IP
 * @pid:	PERF_SAMPLE_TID
 * @tid:	PERF_SAMPLE_TID
 * @time:	PERF_SAMPLE_TIME
 * @more:	PERF_SAMPLE_PERIOD, then PERF_SAMPLE_WEIGHT, if the event has them
 */
struct tprof_common_fields {
	u64	ip;
	u32	pid;
	u32	tid;
	u64	time;
	u64	more[];
};

/*
 * Read the event's clock. CLOCK_MONOTONIC, the default of `record`, needs no call.
 */
static __always_inline u64 tprof_sample_read_clock(const struct tprof_sampler *sampler)
{
	return likely(sampler->clock == tprof_mono_clock) ? tprof_mono_ns() :
							    sampler->clock();
}

/* Return the interrupted address, or 0 if the reader may not see it. */
static __always_inline u64 tprof_sample_shown_address(const struct tprof_sampler *sampler,
						      struct pt_regs *regs)
{
	return sampler->hides_kernel && !user_mode(regs) ? 0 : instruction_pointer(regs);
}

/*
 * Write the header and the fields of fixed length. Return one past the last field.
 */
static __always_inline u64 *
tprof_sample_write_plain(const struct tprof_sampler *sampler, struct perf_event_header *header,
			 struct pt_regs *regs, u64 period)
{
	u64 type = sampler->sample_type;
	u64 *field = (u64 *)(header + 1);

	*header = sampler->headers[user_mode(regs)];
	if (type & PERF_SAMPLE_IDENTIFIER)
		*field++ = sampler->id;
	if (type & PERF_SAMPLE_IP)
		*field++ = tprof_sample_shown_address(sampler, regs);
	if (type & PERF_SAMPLE_TID)
		/* Racy read: a thread in exec may be taking its leader's pid. */
		*field++ = tprof_sample_words(current->tgid, READ_ONCE(current->pid));
	if (type & PERF_SAMPLE_TIME)
		*field++ = tprof_sample_read_clock(sampler);
	if (type & PERF_SAMPLE_CPU)
		*field++ = tprof_sample_words(raw_smp_processor_id(), 0);
	if (type & PERF_SAMPLE_PERIOD)
		*field++ = period;
	return field;
}

/*
 * Do the same as tprof_sample_write_plain(), for the common fields, except the time. The caller
 * adds the time afterwards, when no other value needs a register. Return where the time belongs.
 * @is_weighed, a constant: the record ends with PERF_SAMPLE_WEIGHT.
 */
static __always_inline u64 *
tprof_sample_write_common(const struct tprof_sampler *sampler, struct perf_event_header *header,
			  struct pt_regs *regs, bool is_user, u64 period, bool is_weighed)
{
	u64 *after_header = (u64 *)(header + 1);
	struct tprof_common_fields *fields;
	u64 weight;

	*header = sampler->headers[is_user];
	if (unlikely(sampler->sample_type & PERF_SAMPLE_IDENTIFIER))
		*after_header++ = sampler->id;
	fields = (struct tprof_common_fields *)after_header;
	fields->ip = instruction_pointer(regs);
	fields->pid = current->tgid;
	/* Racy read: a thread in exec may be taking its leader's pid. */
	fields->tid = READ_ONCE(current->pid);
	weight = is_weighed ? tprof_sample_parallelism(sampler) : 0;
	if (sampler->sample_type & PERF_SAMPLE_PERIOD) {
		fields->more[0] = period;
		if (is_weighed)
			fields->more[1] = weight;
	} else if (is_weighed) {
		fields->more[0] = weight;
	}
	return &fields->time;
}

/*
 * Write PERF_SAMPLE_WEIGHT after the other fields of a record, which has @bytes so far. Return the
 * length of the record.
 */
static __always_inline u32 tprof_sample_write_weight(const struct tprof_sampler *sampler,
						     struct perf_event_header *header, u32 bytes)
{
	*(u64 *)((void *)header + bytes) = tprof_sample_parallelism(sampler);
	bytes += sizeof(u64);
	header->size = bytes;
	return bytes;
}

#endif /* TPROF_SAMPLE_FIELDS_H */
