/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the registry of back ends, and what a back end has to do
 *
 * A back end is where overflows come from: a counter, a clock, or a test. It
 * registers a table of operations under a name; events ask for it by that
 * name and hold it for as long as they live.
 *
 * This header is the whole interface between a back end and the rest, and the
 * only one that another module needs.
 */
#ifndef TPROF_PMU_H
#define TPROF_PMU_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>
#include <linux/types.h>

struct module;
struct pt_regs;
struct tprof_pmu_event;

/* Changes whenever struct tprof_pmu_ops or struct tprof_pmu_event does. */
#define TPROF_PMU_VERSION	4

/**
 * struct tprof_pmu_stats - NMIs of one CPU, for STATS
 * @sampled:	NMIs that took samples
 * @late:	NMIs of ours that found their work done
 * @foreign:	NMIs that were passed on
 * @collapsed:	NMIs not sent because one was on its way
 */
struct tprof_pmu_stats {
	u64	sampled;
	u64	late;
	u64	foreign;
	u64	collapsed;
};

/**
 * struct tprof_pmu_ops - a back end
 * @version:	TPROF_PMU_VERSION
 * @name:	unique, shorter than TPROF_LX_NAME_LEN
 * @owner:	module that may not leave while an event uses the back end
 * @flags:	enum tprof_lx_backend_flag, without DEGRADED
 * @nr_counters: hardware counters per CPU, 0 if it needs none
 * @counter_bits: their width
 * @min_period:	smallest period; the core refuses smaller ones
 * @max_period:	largest; 0 if it only counts
 * @describe:	fills one line of text for people; returns true if the back end
 *		works less well now than its flags say. Process context.
 * @event_init:	checks the attr's type and config and takes what the event
 *		needs: 0, EOPNOTSUPP, EINVAL, ERANGE, ENOMEM, EBUSY, EIO. Process
 *		context.
 * @event_uninit: gives it back. Process context.
 * @nr_choices:	how many counters of @cpu can count @event, whoever has them: who
 *		has fewest is started first. As @start. NULL if any can.
 * @start:	makes overflows of @event happen on @cpu, which is online and
 *		stays so. Process context, CPU hotplug locked.
 * @stop:	ends that: when it returns, no call of the sink for @cpu will
 *		begin, though one may be under way. @cpu may be on its way
 *		down, but still runs. Does nothing if @event was not started
 *		there. Process context, CPU hotplug locked.
 * @read:	what was counted on @cpu so far. It may run, or be offline. Process
 *		context, CPU hotplug locked. NULL if it does not count.
 * @write:	sets that, of an event that runs nowhere; NULL as @read
 * @slowed:	how many samples of @event on @cpu came later than its frequency
 *		asks, because taking one takes too long. Any context. NULL if it
 *		holds no frequency.
 * @list_rows:	fills in the counters of @cpu, as many as there is room for;
 *		returns how many there are. Process context. NULL if none.
 * @admin_row:	takes a counter of @cpu, or of all CPUs with TPROF_LX_SUM, out
 *		of use, or gives it back: 0, ENOENT, EBUSY. NULL if none.
 * @is_degraded: true if @event runs less well than promised; may be NULL
 * @read_stats:	adds NMI statistics of @cpu; may be NULL
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
	void (*event_uninit)(struct tprof_pmu_event *event);
	u32 (*nr_choices)(struct tprof_pmu_event *event, int cpu);
	int (*start)(struct tprof_pmu_event *event, int cpu);
	void (*stop)(struct tprof_pmu_event *event, int cpu);
	u64 (*read)(struct tprof_pmu_event *event, int cpu);
	void (*write)(struct tprof_pmu_event *event, int cpu, u64 value);
	u64 (*slowed)(const struct tprof_pmu_event *event, int cpu);
	u32 (*list_rows)(int cpu, struct tprof_lx_row *rows, u32 room);
	int (*admin_row)(const struct tprof_lx_row_admin *arg);
	bool (*is_degraded)(struct tprof_pmu_event *event);
	void (*read_stats)(int cpu, struct tprof_pmu_stats *stats);
};

/**
 * typedef tprof_pmu_sink_t - where overflows go
 * @event:	event that overflowed
 * @regs:	what was interrupted
 * @period:	events or nanoseconds since the last sample on this CPU
 * @merged:	further ticks that this one stands for
 *
 * Context: any, NMI included, on the CPU that is sampled, not preemptible.
 */
typedef void (*tprof_pmu_sink_t)(struct tprof_pmu_event *event,
				 struct pt_regs *regs, u64 period, u64 merged);

/**
 * struct tprof_pmu_event - an event, as its back end sees it
 * @ops:	its back end
 * @attr:	what was asked for; constant for the life of the event
 * @period:	events or nanoseconds from sample to sample; 0 if it only counts,
 *		or holds attr->sample_freq by adapting. Changes only while the
 *		event does not run.
 * @is_random:	vary the low part of the period
 * @is_bounded:	a short period may grow, so that samples do not take all the time
 * @sink:	to be called for each overflow
 * @owner:	for list_rows(): everything but @kind, @number, @bits, @state
 *		and @period is filled in
 * @priv:	the back end's own
 */
struct tprof_pmu_event {
	const struct tprof_pmu_ops	*ops;
	const struct perf_event_attr	*attr;
	u64				period;
	bool				is_random;
	bool				is_bounded;
	tprof_pmu_sink_t		sink;
	struct tprof_lx_row		owner;
	void				*priv;
};

int tprof_pmu_register(const struct tprof_pmu_ops *ops);
int tprof_pmu_unregister(const struct tprof_pmu_ops *ops);

const struct tprof_pmu_ops *tprof_pmu_get(const char *name);
void tprof_pmu_put(const struct tprof_pmu_ops *ops);
u32 tprof_pmu_list_rows(int cpu, struct tprof_lx_row *rows, u32 room);
int tprof_pmu_admin_row(const struct tprof_lx_row_admin *arg);
u32 tprof_pmu_list(struct tprof_lx_backend *list, u32 room);
void tprof_pmu_read_stats(int cpu, struct tprof_pmu_stats *stats);

#endif /* TPROF_PMU_H */
