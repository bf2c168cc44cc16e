// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - from an overflow to a record
 *
 * Context: any, NMI included, not preemptible. No locks, no allocation,
 * nothing that sleeps, no loop.
 */
#include <linux/bits.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "sample.h"

static bool is_target(const unsigned long *targets)
{
	return !targets || test_bit(current->tgid, targets);
}

static bool is_wanted(const struct tprof_sampler *sampler,
		      struct pt_regs *regs)
{
	if (user_mode(regs) ? sampler->exclude_user : sampler->exclude_kernel)
		return false;
	if (sampler->exclude_idle && is_idle_task(current))
		return false;
	return is_target(sampler->targets);
}

static u64 both(u32 low, u32 high)
{
	return low | (u64)high << 32;
}

static void write_sample(const struct tprof_sampler *sampler, void *record,
			 struct pt_regs *regs, u64 period)
{
	struct perf_event_header *header = record;
	u64 type = sampler->sample_type;
	u64 *field = record + sizeof(*header);

	header->type = PERF_RECORD_SAMPLE;
	header->misc = user_mode(regs) ? PERF_RECORD_MISC_USER :
					 PERF_RECORD_MISC_KERNEL;
	header->size = sampler->bytes;

	if (type & PERF_SAMPLE_IDENTIFIER)
		*field++ = sampler->id;
	if (type & PERF_SAMPLE_IP)
		*field++ = instruction_pointer(regs);
	if (type & PERF_SAMPLE_TID)
		*field++ = both(current->tgid, current->pid);
	if (type & PERF_SAMPLE_TIME)
		*field++ = sampler->clock();
	if (type & PERF_SAMPLE_CPU)
		*field++ = both(raw_smp_processor_id(), 0);
	if (type & PERF_SAMPLE_PERIOD)
		*field++ = period;
}

/*
 * Tell of the samples that were refused since the last that was not, so that
 * the stream has the gap where it is: before the sample that now comes. False
 * if there is no room to; then the sample may not come either, even if the
 * consumer makes room this moment.
 */
static bool tell_lost(const struct tprof_sampler *sampler,
		      struct tprof_lane *lane, struct tprof_counts *counts)
{
	u64 lost = tprof_stats_claim_lost(counts);
	void *record;

	if (likely(!lost))
		return true;
	record = tprof_lane_begin(lane, tprof_sample_lost_bytes(sampler),
				  TPROF_RING_SAMPLES);
	if (!record) {
		atomic64_sub(lost, &counts->lost_told);
		return false;
	}
	tprof_sample_write_lost(sampler, record, lane->cpu, lost);
	tprof_lane_end(lane);
	return true;
}

/**
 * tprof_sample_overflow - take a sample
 * @event:	event that overflowed, as its back end knows it
 * @regs:	what was interrupted
 * @period:	events or nanoseconds since the last sample on this CPU
 * @merged:	further ticks that this one stands for
 *
 * Context: any, NMI included, on the CPU that is sampled, not preemptible.
 */
void tprof_sample_overflow(struct tprof_pmu_event *event, struct pt_regs *regs,
			   u64 period, u64 merged)
{
	struct tprof_sampler *sampler =
		container_of(event, struct tprof_sampler, pmu);
	struct tprof_counts *counts;
	struct tprof_lane *lane;
	void *record = NULL;

	/* Races with STOP, which then waits for a grace period. */
	if (unlikely(!READ_ONCE(sampler->is_open)))
		return;
	lane = tprof_flush_lane(sampler->flush);
	if (unlikely(!lane))
		return;

	counts = &lane->counts[sampler->index];
	local64_inc(&counts->taken);
	if (unlikely(merged))
		local64_add(merged, &counts->merged);
	if (!is_wanted(sampler, regs)) {
		local64_inc(&counts->filtered);
		return;
	}

	if (tell_lost(sampler, lane, counts))
		record = tprof_lane_begin(lane, sampler->bytes,
					  TPROF_RING_SAMPLES);
	if (unlikely(!record)) {
		local64_inc(&counts->lost_ring);
		return;
	}
	local64_inc(&counts->stored);
	write_sample(sampler, record, regs, period);
	tprof_lane_end(lane);
}

/**
 * tprof_sample_bytes - length of a sample's record
 * @sample_type: of TPROF_SAMPLE_TYPES
 *
 * Return: bytes, header included.
 */
u32 tprof_sample_bytes(u64 sample_type)
{
	return sizeof(struct perf_event_header) +
	       hweight64(sample_type & TPROF_SAMPLE_TYPES) * sizeof(u64);
}

/**
 * tprof_sample_id_bytes - length of the trailer of other records
 * @sampler:	event they belong to
 *
 * Return: bytes, 0 if they have none.
 */
u32 tprof_sample_id_bytes(const struct tprof_sampler *sampler)
{
	if (!sampler->sample_id_all)
		return 0;
	return hweight64(sampler->sample_type & TPROF_SAMPLE_ID_TYPES) *
	       sizeof(u64);
}

/**
 * tprof_sample_write_id - write the trailer of a record that is no sample
 * @sampler:	event it belongs to
 * @trailer:	where, tprof_sample_id_bytes()
 * @time:	of the record, by the event's clock
 * @task:	that it is about, or NULL for none
 * @cpu:	that it is about
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
	if (type & PERF_SAMPLE_TID)
		*field++ = task ? both(task->tgid, task->pid) : both(-1, -1);
	if (type & PERF_SAMPLE_TIME)
		*field++ = time;
	if (type & PERF_SAMPLE_CPU)
		*field++ = both(cpu, 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		*field++ = sampler->id;
}

/**
 * tprof_sample_lost_bytes - length of a record of lost samples
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
 * @record:	where, tprof_sample_lost_bytes()
 * @cpu:	that lost them
 * @lost:	how many
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
