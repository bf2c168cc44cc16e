// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - from an overflow to a record
 *
 * Context: any, NMI included, not preemptible. No locks, no allocation, nothing
 * that sleeps; loops only for call chains, registers and stacks.
 *
 * Nothing interrupts the writer of a ring in an NMI. So functions for NMIs write the record
 * in place first and reserve its space afterwards; the others reserve first:
 *
 *   context   samples				function
 *   NMI       common ones			take_common_in_nmi()
 *   NMI       tprof_sample_fits_nmi()		take_in_nmi()
 *   others    common ones			take_common_outside_nmi()
 *   any       all others			take_reserving_first()
 *
 * Common samples have the common fields (tprof_sample_has_common_fields()) and no call chain.
 * Events with PERF_SAMPLE_WEIGHT have it as the last field of their samples. They have a sink of
 * their own, so that other events do not pay for it: tprof_sample_overflow_weighed().
 *
 * If such a function cannot take a sample, take_reserving_first() does, in any context.
 */
#include <linux/bits.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "base/mono.h"
#include "base/totals.h"
#include "chain/chain.h"
#include "chain/deferred.h"
#include "chain/stack_copy.h"
#include "pmu/overflow.h"
#include "sample/deep.h"
#include "sample/sample.h"
#include "sample/sample_fields.h"
#include "sample/sample_layout.h"
#include "sample/sample_stall.h"
#include "tables/tables.h"

static __always_inline bool is_target(const struct tprof_tasks *targets)
{
	return !targets || tprof_tasks_has(targets, current);
}

static __always_inline bool
is_sample_wanted(const struct tprof_sampler *sampler, struct pt_regs *regs)
{
	if (sampler->excludes[user_mode(regs)])
		return false;
	/* Racy read: the interrupted task may be writing other bits of its own @flags. */
	if (sampler->exclude_idle && data_race(is_idle_task(current)))
		return false;
	return is_target(sampler->targets);
}

/* The walker counts the other cuts: see end_walk() and be_unmapped() in chain/walker.c. */
static void count_cuts(struct tprof_counts *counts, u32 cuts)
{
	if (cuts & BIT(TPROF_CHAIN_DEEP))
		local64_inc(&counts->cut_deep);
	if (cuts & BIT(TPROF_CHAIN_ABSENT))
		local64_inc(&counts->cut_absent);
	if (cuts & BIT(TPROF_CHAIN_LOST))
		local64_inc(&counts->cut_lost);
}

static void write_sample(const struct tprof_sampler *sampler, void *record,
			 struct pt_regs *regs, u64 period,
			 const struct tprof_deep *deep, bool is_asked)
{
	struct perf_event_header *header = record;
	u64 *field = tprof_sample_write_plain(sampler, record, regs, period);

	if (is_asked)
		header->misc |= TPROF_LX_MISC_CHAIN_DEFERRED;
	if (deep->bytes) {
		header->size = sampler->bytes + deep->bytes;
		tprof_deep_write(sampler, field, deep);
	}
}

/*
 * If samples were refused since the last stored one, write a record that reports them.
 * Return false if the ring has no space for this record. The caller then refuses the
 * present sample too, even if there is space for it now, because no sample may follow
 * an unreported loss.
 */
static bool report_lost(const struct tprof_sampler *sampler,
			struct tprof_lane *lane, struct tprof_counts *counts)
{
	u64 lost = tprof_stats_claim_lost(counts);
	void *record;

	if (likely(!lost))
		return true;
	record = tprof_lane_begin(lane, tprof_sample_lost_bytes(sampler),
				  TPROF_RING_SAMPLES);
	if (!record) {
		atomic64_sub(lost, &counts->lost_reported);
		return false;
	}
	tprof_sample_write_lost(sampler, record, lane->cpu, lost);
	tprof_lane_end(lane);
	return true;
}

/*
 * Request the rest of a chain that ends at absent memory, unless the sample is
 * of kernel mode: deferred.c explains why. A sample in the context of its task is one of
 * a page fault. Its task runs in kernel mode now, although the sample is of user mode.
 */
static bool ask_for_rest(const struct tprof_sampler *sampler,
			 struct pt_regs *regs,
			 const struct tprof_chain_end *end)
{
	struct tprof_tables *tables = tprof_chain_tables(&sampler->chain);

	if (!end->absent_at || !sampler->chain.deferred || !user_mode(regs) || in_task())
		return false;
	if (tprof_deferred_ask(regs, &sampler->chain, end->absent_at))
		return true;
	/* No task will learn the mappings, so a worker must: later chains need them, too. */
	if (tables && end->cuts & BIT(TPROF_CHAIN_UNMAPPED))
		tprof_tables_want(tables);
	return false;
}

/* Count a sample for which the ring has no space. The event may wait for space. */
static noinline void lose_sample(const struct tprof_sampler *sampler, struct tprof_lane *lane,
				 struct tprof_counts *counts)
{
	local64_inc(&counts->lost_ring);
	tprof_totals_add(TPROF_TOTAL_LOST, 1);
	if (sampler->pmu.is_stalling)
		tprof_sample_stall(sampler, lane);
}

/* Return the length of a copy of the user's stack, 0 if the event wants none. */
static u32 stack_copy_bytes(const struct tprof_sampler *sampler, struct pt_regs *regs)
{
	const struct pt_regs *user = sampler->chain.stack_bytes ? tprof_user_regs(regs) : NULL;

	return user ? tprof_stack_copy_bytes(sampler->chain.stack_bytes, user) : 0;
}

/* Add a copy of the user's stack to the end of a record. */
static noinline void add_stack(const struct tprof_sampler *sampler,
			       struct perf_event_header *header, const struct pt_regs *user,
			       u32 bytes)
{
	tprof_stack_copy_write((void *)header + header->size, bytes, sampler->chain.frames, user);
	header->size += bytes;
	header->misc |= TPROF_LX_MISC_STACK;
}

/*
 * Reserve space for a sample with parts of variable length. The copy of the stack may not fill
 * the ring beyond its watermark: samples come first.
 */
static void *begin_deep(const struct tprof_sampler *sampler, struct tprof_lane *lane,
			struct tprof_deep *deep)
{
	u32 bytes = sampler->bytes + deep->bytes;
	void *record;

	if (unlikely(deep->stack_bytes) &&
	    tprof_lane_calm_begin(lane, bytes + deep->stack_bytes, &record))
		return record;
	deep->stack_bytes = 0;
	return tprof_lane_begin(lane, bytes, TPROF_RING_SAMPLES);
}

/*
 * Take a sample in any context: gather its parts of variable length, reserve space for
 * the record and write it.
 */
static noinline void take_reserving_first(const struct tprof_sampler *sampler,
					  struct pt_regs *regs, u64 period,
					  struct tprof_lane *lane,
					  struct tprof_counts *counts)
{
	struct tprof_deep deep = {};
	bool is_asked = false;
	void *record = NULL;

	if (unlikely(sampler->sample_type & TPROF_SAMPLE_DEEP_TYPES))
		tprof_deep_find(sampler, regs, &deep);
	if (unlikely(deep.end.cuts)) {
		is_asked = ask_for_rest(sampler, regs, &deep.end);
		if (!is_asked && deep.end.cuts & BIT(TPROF_CHAIN_TABLELESS))
			deep.stack_bytes = stack_copy_bytes(sampler, regs);
	}
	if (report_lost(sampler, lane, counts))
		record = begin_deep(sampler, lane, &deep);
	if (unlikely(!record)) {
		lose_sample(sampler, lane, counts);
		return;
	}
	local64_inc(&counts->stored);
	if (unlikely(deep.end.cuts))
		count_cuts(counts, deep.end.cuts);
	write_sample(sampler, record, regs, period, &deep, is_asked);
	if (unlikely(deep.stack_bytes))
		add_stack(sampler, record, tprof_user_regs(regs), deep.stack_bytes);
	tprof_lane_end(lane);
}

/*
 * Request the rest of a truncated chain. Readers add the rest only to samples that are
 * not older than the request. So write the fixed fields again after the request, with a
 * new time.
 */
static noinline void request_rest(const struct tprof_sampler *sampler,
				  struct perf_event_header *header,
				  struct pt_regs *regs, u64 period,
				  struct tprof_chain_end end)
{
	tprof_chain_check_end(&end, regs);
	if (!ask_for_rest(sampler, regs, &end))
		return;
	tprof_sample_write_plain(sampler, header, regs, period);
	header->misc |= TPROF_LX_MISC_CHAIN_DEFERRED;
}

/*
 * Write the chain of a record, which is its last field, and the length of the record. Return
 * the length.
 */
static __always_inline u32
write_chain(const struct tprof_sampler *sampler, struct perf_event_header *header,
	    struct pt_regs *regs, u64 period, struct tprof_counts *counts,
	    struct tprof_chain_end *end)
{
	u64 *field = (void *)header + sampler->bytes;
	u32 bytes;

	field = tprof_chain_write(&sampler->chain, field, regs, end);
	bytes = (void *)field - (void *)header;
	if (unlikely(end->cuts)) {
		count_cuts(counts, end->cuts);
		request_rest(sampler, header, regs, period, *end);
	}
	header->size = bytes;
	return bytes;
}

/*
 * Add a copy of the user's stack to the record that is being written, if the event wants one, the
 * task does not complete the chain, and the ring has room. Return the length of the record.
 */
static noinline u32 add_stack_in_nmi(const struct tprof_sampler *sampler, struct tprof_lane *lane,
				     struct perf_event_header *header, struct pt_regs *regs)
{
	bool is_asked = header->misc & TPROF_LX_MISC_CHAIN_DEFERRED;
	u32 bytes = is_asked ? 0 : stack_copy_bytes(sampler, regs);

	if (bytes && tprof_lane_nmi_has_room(lane, header->size + bytes))
		add_stack(sampler, header, regs, bytes);
	return header->size;
}

/*
 * Take a sample in an NMI. tprof_chain_write() can follow 64-bit user code only, so
 * take_reserving_first() takes the chains of all other code. It takes the sample also if a
 * loss must be reported first, or if the ring has no space for a sample of the maximum length.
 * @is_weighed is a constant.
 */
static __always_inline void take_any_in_nmi(const struct tprof_sampler *sampler,
					    struct pt_regs *regs, u64 period,
					    struct tprof_lane *lane, struct tprof_counts *counts,
					    bool is_weighed)
{
	bool has_chain = sampler->chain.frames;
	struct tprof_chain_end end = {};
	u32 bytes = sampler->bytes;
	void *record;
	u64 *time;

	if (unlikely((has_chain && !tprof_user_is_64bit(regs)) ||
		     tprof_stats_has_unreported(counts)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	if (unlikely(!tprof_lane_nmi_begin(lane, sampler->max_bytes, &record)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	if (likely(sampler->has_common_fields)) {
		time = tprof_sample_write_common(sampler, record, regs, user_mode(regs), period,
						 false);
		*time = tprof_mono_ns();
	} else {
		tprof_sample_write_plain(sampler, record, regs, period);
	}
	if (has_chain)
		bytes = write_chain(sampler, record, regs, period, counts, &end);
	if (is_weighed)
		bytes = tprof_sample_write_weight(sampler, record, bytes);
	if (unlikely(end.cuts & BIT(TPROF_CHAIN_TABLELESS)))
		bytes = add_stack_in_nmi(sampler, lane, record, regs);
	local64_inc(&counts->stored);
	tprof_lane_nmi_end(lane, bytes);
}

static noinline void take_in_nmi(const struct tprof_sampler *sampler, struct pt_regs *regs,
				 u64 period, struct tprof_lane *lane,
				 struct tprof_counts *counts)
{
	take_any_in_nmi(sampler, regs, period, lane, counts, false);
}

static noinline void take_weighed_in_nmi(const struct tprof_sampler *sampler,
					 struct pt_regs *regs, u64 period,
					 struct tprof_lane *lane, struct tprof_counts *counts)
{
	take_any_in_nmi(sampler, regs, period, lane, counts, true);
}

/*
 * Complete a common sample whose time the copy of the timekeeper's values does not give.
 * @time is the place of the time in the record.
 */
static noinline void complete_common_in_nmi(struct tprof_lane *lane,
					    struct tprof_counts *counts, u32 bytes,
					    u64 *time)
{
	*time = ktime_get_mono_fast_ns();
	local64_inc(&counts->stored);
	tprof_lane_nmi_end(lane, bytes);
}

/*
 * Take a common sample in an NMI, as take_in_nmi() does. Whatever is called is called last,
 * so few registers need saving. @is_weighed is a constant.
 */
static __always_inline void
take_common_in_nmi(const struct tprof_sampler *sampler, struct pt_regs *regs, bool is_user,
		   u64 period, struct tprof_lane *lane, struct tprof_counts *counts,
		   bool is_weighed)
{
	u32 bytes = is_weighed ? sampler->max_bytes : sampler->bytes;
	void *record;
	u64 *time;

	if (unlikely(tprof_stats_has_unreported(counts)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	if (unlikely(!tprof_lane_nmi_begin(lane, bytes, &record)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	time = tprof_sample_write_common(sampler, record, regs, is_user, period, is_weighed);
	if (unlikely(!tprof_mono_read(time)))
		return complete_common_in_nmi(lane, counts, bytes, time);
	local64_inc(&counts->stored);
	tprof_lane_nmi_end(lane, bytes);
}

/*
 * Complete a common sample outside of NMIs, for the same reason as complete_common_in_nmi().
 * The sample is counted already.
 */
static noinline void complete_common_outside_nmi(struct tprof_lane *lane, u64 *time)
{
	*time = ktime_get_mono_fast_ns();
	tprof_lane_calm_end(lane);
}

/*
 * Take a common sample, perhaps with its weight, in a context that a writer of the ring may
 * interrupt. @is_weighed is a constant.
 */
static __always_inline void
take_common_outside_nmi(const struct tprof_sampler *sampler, struct pt_regs *regs, bool is_user,
			u64 period, struct tprof_lane *lane, struct tprof_counts *counts,
			bool is_weighed)
{
	u32 bytes = is_weighed ? sampler->max_bytes : sampler->bytes;
	void *record;
	u64 *time;

	if (unlikely(tprof_stats_has_unreported(counts)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	if (unlikely(!tprof_lane_calm_begin(lane, bytes, &record)))
		return take_reserving_first(sampler, regs, period, lane, counts);
	local64_inc(&counts->stored);
	time = tprof_sample_write_common(sampler, record, regs, is_user, period, is_weighed);
	if (unlikely(!tprof_mono_read(time)))
		return complete_common_outside_nmi(lane, time);
	tprof_lane_calm_end(lane);
}

/*
 * Take a sample of any event in a context that a writer of the ring may interrupt. @is_weighed is
 * a constant.
 */
static __always_inline void take_any_outside_nmi(const struct tprof_sampler *sampler,
						 struct pt_regs *regs, u64 period,
						 struct tprof_lane *lane,
						 struct tprof_counts *counts, bool is_weighed)
{
	if (sampler->is_common)
		take_common_outside_nmi(sampler, regs, user_mode(regs), period, lane, counts,
					is_weighed);
	else
		take_reserving_first(sampler, regs, period, lane, counts);
}

static noinline void take_outside_nmi(const struct tprof_sampler *sampler,
				      struct pt_regs *regs, u64 period,
				      struct tprof_lane *lane,
				      struct tprof_counts *counts)
{
	take_any_outside_nmi(sampler, regs, period, lane, counts, false);
}

/* The same for an event with PERF_SAMPLE_WEIGHT. */
static noinline void take_weighed_outside_nmi(const struct tprof_sampler *sampler,
					      struct pt_regs *regs, u64 period,
					      struct tprof_lane *lane,
					      struct tprof_counts *counts)
{
	take_any_outside_nmi(sampler, regs, period, lane, counts, true);
}

/* Take a sample. @is_weighed is a constant. */
static __always_inline void take_overflow(struct tprof_pmu_event *event, struct pt_regs *regs,
					  u64 period, u64 merged, bool is_weighed)
{
	struct tprof_sampler *sampler =
		container_of(event, struct tprof_sampler, pmu);
	struct tprof_counts *counts;
	struct tprof_lane *lane;

	/* Races with STOP, which clears @is_open and then waits for a grace period. */
	if (unlikely(!READ_ONCE(sampler->is_open)))
		return;
	lane = tprof_stream_lane(sampler->stream);
	if (unlikely(!lane))
		return;

	counts = &lane->counts[sampler->pmu.index];
	local64_inc(&counts->taken);
	if (unlikely(merged))
		local64_add(merged, &counts->merged);
	if (!is_sample_wanted(sampler, regs)) {
		local64_inc(&counts->filtered);
		return;
	}

	if (is_weighed && !in_nmi())
		take_weighed_outside_nmi(sampler, regs, period, lane, counts);
	else if (is_weighed && sampler->fits_nmi)
		take_weighed_in_nmi(sampler, regs, period, lane, counts);
	else if (!in_nmi())
		take_outside_nmi(sampler, regs, period, lane, counts);
	else if (sampler->is_common)
		take_common_in_nmi(sampler, regs, user_mode(regs), period, lane, counts, false);
	else if (sampler->fits_nmi)
		take_in_nmi(sampler, regs, period, lane, counts);
	else
		take_reserving_first(sampler, regs, period, lane, counts);
}

/**
 * tprof_sample_overflow - take a sample
 * @event:	event that overflowed
 * @regs:	interrupted registers
 * @period:	events or nanoseconds since the last sample on this CPU
 * @merged:	number of further samples that were due and are part of this one
 *
 * Context: any, NMI included, on the CPU that is sampled, not preemptible.
 */
void tprof_sample_overflow(struct tprof_pmu_event *event, struct pt_regs *regs,
			   u64 period, u64 merged)
{
	take_overflow(event, regs, period, merged, false);
}

/**
 * tprof_sample_overflow_weighed - do the same for an event with PERF_SAMPLE_WEIGHT
 * @event:	event that overflowed
 * @regs:	interrupted registers
 * @period:	events or nanoseconds since the last sample on this CPU
 * @merged:	number of further samples that were due and are part of this one
 *
 * Context: any, NMI included, on the CPU that is sampled, not preemptible.
 */
void tprof_sample_overflow_weighed(struct tprof_pmu_event *event, struct pt_regs *regs,
				   u64 period, u64 merged)
{
	take_overflow(event, regs, period, merged, true);
}

/* Take a common sample that is weighed or excluded. @is_nmi is a constant. */
static __always_inline void take_detour(const struct tprof_sampler *sampler,
					struct pt_regs *regs, bool is_user, u64 period,
					struct tprof_lane *lane, struct tprof_counts *counts,
					bool is_nmi)
{
	if (sampler->detours[is_user] == TPROF_SAMPLE_EXCLUDED || !is_target(sampler->targets))
		local64_inc(&counts->filtered);
	else if (is_nmi)
		take_common_in_nmi(sampler, regs, is_user, period, lane, counts, true);
	else
		take_common_outside_nmi(sampler, regs, is_user, period, lane, counts, true);
}

/* Take a common sample, by one of two functions. @is_nmi is a constant. */
static __always_inline void take_common(struct tprof_pmu_event *event, struct pt_regs *regs,
					u64 period, bool is_nmi)
{
	const struct tprof_sampler *sampler = container_of(event, struct tprof_sampler, pmu);
	struct tprof_lane *lane = tprof_stream_lane(sampler->stream);
	bool is_user = user_mode(regs);
	struct tprof_counts *counts;

	if (unlikely(!lane))
		return;
	counts = &lane->counts[event->index];
	/* The compiler must not keep the offset in @lane too: that takes another register. */
	OPTIMIZER_HIDE_VAR(counts);
	local64_inc(&counts->taken);
	/* The weight has a copy of the code, so that other samples do not pay for it. */
	if (unlikely(sampler->detours[is_user]))
		return take_detour(sampler, regs, is_user, period, lane, counts, is_nmi);
	if (unlikely(!is_target(sampler->targets)))
		local64_inc(&counts->filtered);
	else if (is_nmi)
		take_common_in_nmi(sampler, regs, is_user, period, lane, counts, false);
	else
		take_common_outside_nmi(sampler, regs, is_user, period, lane, counts, false);
}

/*
 * Both functions are declared in pmu/overflow.h. They sample any task, or targets. The caller
 * has tested @is_common. It is false while the event is stopped, and if is_sample_wanted() must
 * look for the idle task.
 */
void tprof_sample_take_common(struct tprof_pmu_event *event, struct pt_regs *regs, u64 period)
{
	take_common(event, regs, period, true);
}

void tprof_sample_take_common_outside_nmi(struct tprof_pmu_event *event, struct pt_regs *regs,
					  u64 period)
{
	take_common(event, regs, period, false);
}

/**
 * tprof_sample_accept - accept or reject overflows of an event
 * @sampler:	sampler of the event
 * @is_open:	accept overflows
 *
 * Context: process. Races with tprof_sample_overflow(), tprof_sample_take_common() and
 * tprof_sample_take_common_outside_nmi().
 */
void tprof_sample_accept(struct tprof_sampler *sampler, bool is_open)
{
	/* The idle task runs in kernel mode only, so @excludes may exclude it already. */
	bool looks_for_idle = sampler->exclude_idle && !sampler->excludes[false];
	bool is_common = sampler->is_common && !looks_for_idle;

	WRITE_ONCE(sampler->is_open, is_open);
	WRITE_ONCE(sampler->pmu.is_common, is_open && is_common);
}
