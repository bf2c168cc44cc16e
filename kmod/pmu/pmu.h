/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the registry of back ends, and the interface of a back end
 *
 * A back end is a source of overflows or counts: counters, a clock or a test.
 * It registers a table of operations under a name. An event names its back end
 * and holds it until the event is freed.
 *
 * This header is the whole interface between a back end and the rest of the
 * module, and with cost.h, which it includes, all that a back end in another
 * module needs.
 */
#ifndef TPROF_PMU_H
#define TPROF_PMU_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>
#include <linux/types.h>

#include "pmu/cost.h"

struct module;
struct pt_regs;
struct tprof_page;
struct tprof_pmu_event;
struct tprof_tasks;

/*
 * Increment the version when struct tprof_pmu_ops or struct tprof_pmu_event changes.
 */
#define TPROF_PMU_VERSION	19

/**
 * struct tprof_pmu_member - an event behind a gate
 * @event:	the event
 * @here:	for the back end: the event on the CPU of the gate, if @join has set it
 * @index:	@event->index
 */
struct tprof_pmu_member {
	struct tprof_pmu_event	*event;
	void			*here;
	u32			index;
};

/**
 * struct tprof_pmu_gate - events of a back end that are gated together on a CPU
 * @ops:	operations of the back end
 * @swing:	opens or closes the gate: @gate of the back end, or what @join has set
 * @settle:	adds up counts: @settle of the back end, or what @join has set
 * @rows:	for the back end: @join adds to it; 0 before
 * @members:	the events
 * @nr_members:	number of @members
 */
struct tprof_pmu_gate {
	const struct tprof_pmu_ops	*ops;
	void (*swing)(const struct tprof_pmu_gate *gate, bool is_open);
	void (*settle)(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums);
	u64				rows;
	struct tprof_pmu_member		*members;
	u32				nr_members;
};

/**
 * struct tprof_pmu_opening - how long the gate of events was open on a CPU
 * @is_open:	the gate is open
 * @since_tsc:	TSC when the gate was last opened
 * @open_tsc:	TSC cycles for which the gate was open, without the current opening
 *
 * Changed on the CPU, with interrupts off. An NMI and other CPUs may read it between two
 * steps of a change.
 */
struct tprof_pmu_opening {
	bool	is_open;
	u64	since_tsc;
	u64	open_tsc;
};

/**
 * tprof_pmu_open_cycles - return how long a gate has been open
 * @opening:	gate
 * @tsc:	TSC now
 *
 * A call during a change of the gate may return too little. A later call corrects it.
 *
 * Context: any, on any CPU.
 * Return: TSC cycles for which the gate has been open.
 */
static inline u64 tprof_pmu_open_cycles(const struct tprof_pmu_opening *opening, u64 tsc)
{
	u64 cycles = READ_ONCE(opening->open_tsc);
	s64 since;

	if (!READ_ONCE(opening->is_open))
		return cycles;
	/* The TSC may have started again from 0 in suspend. */
	since = tsc - READ_ONCE(opening->since_tsc);
	return since > 0 ? cycles + since : cycles;
}

/**
 * struct tprof_pmu_stats - NMIs of one CPU, for STATS
 * @sampled:	NMIs that took samples
 * @late:	NMIs of this module whose work was already done
 * @foreign:	NMIs of other sources
 * @collapsed:	NMIs not sent because another was on its way
 */
struct tprof_pmu_stats {
	u64	sampled;
	u64	late;
	u64	foreign;
	u64	collapsed;
};

/**
 * struct tprof_pmu_yields - how often an event stopped because another program uses its counter
 * @nr:		number of times
 * @doubtful_ns: nanoseconds before, in which counts and samples may be wrong
 * @last_ns:	CLOCK_MONOTONIC of the last time, or 0
 */
struct tprof_pmu_yields {
	u64	nr;
	u64	doubtful_ns;
	u64	last_ns;
};

/**
 * struct tprof_pmu_ops - operations of a back end
 * @version:	TPROF_PMU_VERSION
 * @name:	unique, shorter than TPROF_LX_NAME_LEN
 * @owner:	module that cannot be unloaded while an event uses the back end
 * @flags:	enum tprof_lx_backend_flag, without DEGRADED
 * @nr_counters: number of hardware counters per CPU, 0 if the back end needs none
 * @counter_bits: width of a counter
 * @min_period:	smallest period; the core refuses smaller ones
 * @max_period:	largest period; 0 if the back end only counts
 * @describe:	fills in one line of text for the user; returns true if the back
 *		end has a limitation now, TPROF_LX_BACKEND_DEGRADED. Process
 *		context.
 * @event_init:	checks the type and config of the attr and allocates what the
 *		event needs; returns 0, -EOPNOTSUPP, -EINVAL, -ERANGE, -ENOMEM,
 *		-EBUSY, -EIO or -EACCES. Process context.
 * @event_end:	lets nothing find @event any more, which was stopped. Before @event_uninit, the core
 *		waits for all RCU readers and all probes that may have found it, once for all
 *		events that end. Process context. NULL if only @start lets something find it.
 * @event_uninit: releases what @event_init allocated. Process context.
 * @is_for:	returns false if @event is not for @cpu, because of its @cores. Then @start does
 *		nothing, and all other operations find an event that never counts there.
 *		Process context, CPU hotplug locked, after @start of @event on @cpu. NULL if
 *		there is only one kind of CPUs.
 * @start:	starts @event on @cpu, which is online and stays online. Events of other
 *		sessions may move to other counters. Process context, CPU hotplug locked.
 * @stop:	stops @event on @cpu. After the return, no call of the sink for @cpu
 *		begins, though one may still be running. @cpu may be going offline,
 *		but still runs code. If @event was not started there, @stop does
 *		nothing. Process context, CPU hotplug locked.
 * @commit:	lets the events of @cpu begin that @start has prepared, and those end that @stop
 *		has noted, all in one call of the CPU. So after @start, and after @stop, the core
 *		calls @commit, but once for several events. Returns 0, -EBUSY or -EIO; then the
 *		core stops all events that it has started since the last @commit. Context same as
 *		@start. NULL if @start and @stop do all.
 * @read:	returns the count of @event on @cpu; @event may be running, and @cpu
 *		may be offline. Process context, CPU hotplug locked. NULL if the
 *		back end does not count.
 * @read_here:	returns the count of @event, which runs behind a gate of this CPU. Interrupts off,
 *		on the CPU. NULL if @read or @gate is.
 * @write:	sets the count of @event on @cpu, while @event runs on no CPU.
 *		Context same as @read. NULL if the back end does not count.
 * @join:	notes that an event, which was started on @cpu, has become a @member of @gate. It
 *		may change @member->here and the @rows, @swing and @settle of @gate, which is
 *		used from the next time that gates of @cpu change, until another @join or a @stop
 *		of the event. Until then, the back end may change them again: @rows on @cpu,
 *		with interrupts off. Context same as @start. NULL if @gate needs no mask.
 * @gate:	opens or closes the gate of events on this CPU. While the gate of an
 *		event is closed, the event neither counts nor begins an overflow. @start
 *		leaves the gate closed. Interrupts off, on the CPU, locks of the
 *		scheduler held. NULL if the back end has no gates.
 * @settle:	calls tprof_pmu_settle() for all events of @gate on this CPU. Context same as
 *		@gate. NULL if the back end cannot count by thread.
 * @count:	returns the count of @event on this CPU. Context same as @gate. NULL if @show is.
 * @show:	shows the counter of @event on this CPU in its page: tprof_page_show(), or
 *		tprof_page_hide() if it has none. The back end does so by itself when the
 *		counter begins or ends, or is written. Context same as @gate. NULL if user
 *		mode cannot read the counters.
 * @collides:	returns true if @event shares a counter, on any CPU, with an event that has
 *		one of @tasks among its @members. Context same as @start. NULL if events share
 *		no counters.
 * @stall:	stops @event on this CPU, or lets it go on: while @is_stalled, the event
 *		neither counts nor begins an overflow, whatever @gate does. @stop ends this,
 *		too. It may be called twice for the same state. To stop: called by the
 *		sink, so in its context, with interrupts off. To go on: @event was started
 *		on this CPU; interrupts off. NULL if no event of the back end can stall.
 * @slowed:	returns the number of samples of @event on @cpu that came later than
 *		requested, because samples would have taken too much of the CPU's
 *		time. Any context. NULL if the back end never delays samples.
 * @add_yields:	adds to @sum how often @event stopped on @cpu because another program uses its
 *		counter. Any context. NULL if the back end has no counters.
 * @raw:	returns PERF_SAMPLE_RAW of the sample that @sink is taking; context same as
 *		@sink. NULL if no event has this field.
 * @list_names:	fills in the first @room events that the back end has by name, all but @backend;
 *		returns their number. Process context. NULL if it has none.
 * @list_rows:	fills in the first @room counters of @cpu; returns the number of
 *		counters. Process context. NULL if the back end has no counters.
 * @admin_row:	disables or enables a counter of one CPU, or of all CPUs if
 *		@arg->cpu is TPROF_LX_SUM; returns 0, -ENOENT or -EBUSY. Process
 *		context. NULL if the back end has no counters.
 * @is_degraded: returns true if @event has a limitation now; may be NULL
 * @read_stats:	adds the NMI statistics of @cpu to @stats; may be NULL
 */
struct tprof_pmu_ops {
	unsigned int	version;
	const char	*name;
	struct module	*owner;
	u32		flags;
	u32		nr_counters;
	u32		counter_bits;
	u64		min_period;
	u64		max_period;
	bool (*describe)(char *text, size_t bytes);
	int (*event_init)(struct tprof_pmu_event *event);
	void (*event_end)(struct tprof_pmu_event *event);
	void (*event_uninit)(struct tprof_pmu_event *event);
	bool (*is_for)(const struct tprof_pmu_event *event, int cpu);
	int (*start)(struct tprof_pmu_event *event, int cpu);
	void (*stop)(struct tprof_pmu_event *event, int cpu);
	int (*commit)(int cpu);
	u64 (*read)(struct tprof_pmu_event *event, int cpu);
	u64 (*read_here)(const struct tprof_pmu_event *event);
	void (*write)(struct tprof_pmu_event *event, int cpu, u64 value);
	void (*join)(struct tprof_pmu_gate *gate, struct tprof_pmu_member *member, int cpu);
	void (*gate)(const struct tprof_pmu_gate *gate, bool is_open);
	void (*settle)(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums);
	u64 (*count)(const struct tprof_pmu_event *event);
	void (*show)(const struct tprof_pmu_event *event);
	bool (*collides)(struct tprof_pmu_event *event, const struct tprof_tasks *tasks);
	void (*stall)(const struct tprof_pmu_event *event, bool is_stalled);
	u64 (*slowed)(const struct tprof_pmu_event *event, int cpu);
	void (*add_yields)(const struct tprof_pmu_event *event, int cpu,
			   struct tprof_pmu_yields *sum);
	u32 (*raw)(const struct tprof_pmu_event *event);
	u32 (*list_names)(struct tprof_lx_name *names, u32 room);
	u32 (*list_rows)(int cpu, struct tprof_lx_row *rows, u32 room);
	int (*admin_row)(const struct tprof_lx_row_admin *arg);
	bool (*is_degraded)(struct tprof_pmu_event *event);
	void (*read_stats)(int cpu, struct tprof_pmu_stats *stats);
};

/**
 * typedef tprof_pmu_sink_t - handle an overflow
 * @event:	event that overflowed
 * @regs:	registers of the interrupted context, or of the function that runs:
 *		see tprof_chain_gather()
 * @period:	events or nanoseconds since the last sample on this CPU
 * @merged:	number of further samples that were due and are part of this one
 *
 * Context: any, NMI included, on the CPU that is sampled, not preemptible.
 */
typedef void (*tprof_pmu_sink_t)(struct tprof_pmu_event *event,
				 struct pt_regs *regs, u64 period, u64 merged);

/**
 * struct tprof_pmu_event - an event, as its back end sees it
 * @ops:	operations of its back end
 * @attr:	attr that the user passed; constant for the life of the event
 * @index:	index of the event in its session; constant while the event runs
 * @period:	events or nanoseconds from sample to sample; 0 if the event only
 *		counts, or if the back end adapts the period to hold
 *		attr->sample_freq. Changes only while the event does not run.
 * @is_random:	vary each period at random
 * @is_bounded:	do not let samples with a short period take all of the CPU's time:
 *		the session was opened without CAP_SYS_ADMIN
 * @is_gated:	count and sample only while the event's gate is open
 * @is_stalling: stop on a CPU whose ring is full, until the ring has space again
 * @cores:	kind of CPUs that the event is for: TPROF_LX_EVENT_CPU_CORE, _CPU_ATOM, or 0
 *		for all
 * @is_confined:	refuse with -EACCES what would count other tasks than the one that runs
 *		on the CPU, such as the other thread of its core
 * @samples_others: with a gate, the back end checks whether an occurrence belongs to a target,
 *		and the sampled task need not be one. Set by @event_init
 * @openings:	the event's gate on each CPU. Constant while the event runs; NULL if
 *		the event has no gate.
 * @is_tallied:	counts are kept by thread. So the event must happen to the task that
 *		runs
 * @targets:	targets that open the gate, for a back end whose events can happen
 *		to a task that is not running. Constant while the event runs;
 *		NULL if the event has no gate.
 * @page:	count page of the event, or NULL. Constant
 * @members:	@targets, and all tasks that may become such without an ATTACH. If no task is
 *		among the members of two events, their gates are never open at the same time
 *		on a CPU, so they may share a counter. NULL if the event has no gate.
 * @is_common:	tprof_sample_take_common() or tprof_sample_take_common_outside_nmi() may take a
 *		sample instead of @sink. Cleared at STOP, which then waits for a grace period
 * @sink:	function to call for each overflow
 * @cost:	what its samples cost; the back end adds to it by tprof_cost_spend()
 * @owner:	entry that @list_rows returns for the event's counter. The back end
 *		fills in @kind, @number, @bits, @state and @period.
 * @priv:	private data of the back end
 */
struct tprof_pmu_event {
	const struct tprof_pmu_ops	*ops;
	const struct perf_event_attr	*attr;
	u32				index;
	u64				period;
	bool				is_random;
	bool				is_bounded;
	bool				is_gated;
	bool				is_stalling;
	u32				cores;
	bool				is_confined;
	bool				samples_others;
	const struct tprof_pmu_opening __percpu *openings;
	bool				is_tallied;
	const struct tprof_tasks	*targets;
	struct tprof_page		*page;
	struct tprof_tasks		*members;
	bool				is_common;
	tprof_pmu_sink_t		sink;
	struct tprof_cost		cost;
	struct tprof_lx_row		owner;
	void				*priv;
};

/**
 * tprof_pmu_settle - add to a sum what an event has counted since the last call
 * @member:	event
 * @count:	count of the event
 * @marks:	for each event of the session, by index: @count at the last call
 * @sums:	sums of the session's events, by index
 *
 * Context: the same as the back end's @settle.
 */
static __always_inline void tprof_pmu_settle(const struct tprof_pmu_member *member, u64 count,
					     u64 *marks, u64 *sums)
{
	u32 index = member->index;
	u64 delta = count - marks[index];

	/* The compiler must not add and subtract in another order: that takes more moves. */
	OPTIMIZER_HIDE_VAR(delta);
	marks[index] = count;
	sums[index] += delta;
}

int tprof_pmu_register(const struct tprof_pmu_ops *ops);
int tprof_pmu_unregister(const struct tprof_pmu_ops *ops);

const struct tprof_pmu_ops *tprof_pmu_get(const char *name);
void tprof_pmu_put(const struct tprof_pmu_ops *ops);
u32 tprof_pmu_list_rows(int cpu, struct tprof_lx_row *rows, u32 room);
int tprof_pmu_admin_row(const struct tprof_lx_row_admin *arg);
u32 tprof_pmu_list(struct tprof_lx_backend *list, u32 room);
u32 tprof_pmu_list_names(struct tprof_lx_name *names, u32 room);
void tprof_pmu_read_stats(int cpu, struct tprof_pmu_stats *stats);

#endif /* TPROF_PMU_H */
