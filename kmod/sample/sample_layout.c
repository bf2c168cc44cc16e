// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the lengths of an event's records, and the trailer of records that are
 * not samples
 *
 * Context: any, NMI included. No locks, no allocation, nothing that sleeps.
 */
#include <linux/bitops.h>
#include <linux/sched.h>

#include "base/mono.h"
#include "chain/snapshot.h"
#include "sample/sample_layout.h"

/**
 * tprof_sample_bytes - return the length of a sample without its variable parts
 * @sample_type: bits of TPROF_SAMPLE_TYPES
 *
 * Return: bytes, header included.
 */
u32 tprof_sample_bytes(u64 sample_type)
{
	return sizeof(struct perf_event_header) +
	       hweight64(sample_type & TPROF_SAMPLE_PLAIN_TYPES) * sizeof(u64);
}

/**
 * tprof_sample_has_common_fields - report whether an event's samples have the common fields
 * @sampler:	sampler of the event, filled in
 *
 * These are address, thread and CLOCK_MONOTONIC, perhaps the identifier of the event and a
 * period, and no other fields of fixed length. tprof-lx record requests no others, except for
 * options that need more fields. An address that may have to be hidden is not common.
 *
 * Return: true if they have.
 */
bool tprof_sample_has_common_fields(const struct tprof_sampler *sampler)
{
	u64 other = ~(u64)(TPROF_SAMPLE_DEEP_TYPES | TPROF_SAMPLE_COMMON_EXTRAS);

	return (sampler->sample_type & other) == TPROF_SAMPLE_COMMON_TYPES &&
	       sampler->clock == tprof_mono_clock && !sampler->hides_kernel;
}

/**
 * tprof_sample_fits_nmi - report whether an NMI can write an event's samples in place
 * @sampler:	sampler of the event, filled in
 *
 * Return: true if the samples have no variable part but a call chain with user frames, and the
 * weight.
 */
bool tprof_sample_fits_nmi(const struct tprof_sampler *sampler)
{
	u64 deep = sampler->sample_type & TPROF_SAMPLE_DEEP_TYPES & ~(u64)PERF_SAMPLE_WEIGHT;

	return !deep || (deep == PERF_SAMPLE_CALLCHAIN &&
			 sampler->chain.way != TPROF_CHAIN_NO_USER);
}

/**
 * tprof_sample_max_bytes - return the length of the longest sample of an event
 * @sampler:	sampler of the event, filled in
 *
 * Return: bytes, header included.
 */
u32 tprof_sample_max_bytes(const struct tprof_sampler *sampler)
{
	/*
	 * Samples with user registers are the longest. The values in @some do not
	 * matter.
	 */
	const struct pt_regs some = {};
	u64 type = sampler->sample_type;
	u32 bytes = sampler->bytes;

	if (type & PERF_SAMPLE_CALLCHAIN)
		bytes += sizeof(u64) * tprof_chain_max_words(&sampler->chain);
	bytes += hweight64(type & (PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT)) * sizeof(u64);
	if (type & PERF_SAMPLE_REGS_USER)
		bytes += tprof_snapshot_regs_bytes(sampler->user_regs, &some);
	if (type & PERF_SAMPLE_STACK_USER)
		bytes += tprof_snapshot_stack_bytes(sampler->user_stack, &some);
	return bytes;
}

/**
 * tprof_sample_id_bytes - return the length of the sample_id trailer
 * @sampler:	event of the record
 *
 * Return: bytes, 0 if records of this event have no trailer.
 */
u32 tprof_sample_id_bytes(const struct tprof_sampler *sampler)
{
	if (!sampler->sample_id_all)
		return 0;
	return hweight64(sampler->sample_type & TPROF_SAMPLE_ID_TYPES) *
	       sizeof(u64);
}

/**
 * tprof_sample_write_id - write the sample_id trailer of a record
 * @sampler:	event of the record
 * @trailer:	result, tprof_sample_id_bytes() long
 * @time:	time of the record, by the clock of the event
 * @task:	task that the record is about, or NULL
 * @cpu:	CPU that the record is about
 *
 * Context: any, NMI included.
 */
void tprof_sample_write_id(const struct tprof_sampler *sampler, void *trailer,
			   u64 time, const struct task_struct *task, int cpu)
{
	u64 type = sampler->sample_type;
	u64 *field = trailer;

	if (!sampler->sample_id_all)
		return;
	/* Racy read: a thread in exec may be taking its leader's pid. */
	if (type & PERF_SAMPLE_TID)
		*field++ = task ? tprof_sample_words(task->tgid, READ_ONCE(task->pid)) :
				  tprof_sample_words(-1, -1);
	if (type & PERF_SAMPLE_TIME)
		*field++ = time;
	if (type & PERF_SAMPLE_CPU)
		*field++ = tprof_sample_words(cpu, 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		*field++ = sampler->id;
}

/**
 * tprof_sample_lost_bytes - return the length of a record of lost samples
 * @sampler:	event that lost them
 *
 * Return: bytes, header and trailer included.
 */
u32 tprof_sample_lost_bytes(const struct tprof_sampler *sampler)
{
	return sizeof(struct perf_event_header) + sizeof(u64) +
	       tprof_sample_id_bytes(sampler);
}

/**
 * tprof_sample_write_lost - write a record of lost samples
 * @sampler:	event that lost them
 * @record:	result, tprof_sample_lost_bytes() long
 * @cpu:	CPU that lost the samples
 * @lost:	number of lost samples
 *
 * Context: any, NMI included.
 */
void tprof_sample_write_lost(const struct tprof_sampler *sampler, void *record,
			     int cpu, u64 lost)
{
	struct perf_event_header *header = record;
	u64 *field = record + sizeof(*header);

	header->type = PERF_RECORD_LOST_SAMPLES;
	header->misc = 0;
	header->size = tprof_sample_lost_bytes(sampler);
	*field++ = lost;
	tprof_sample_write_id(sampler, field, sampler->clock(), NULL, cpu);
}
