// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - compute the metrics printed next to counts
 *
 * A ratio is computed only if both events count the same modes on the same kind of cores:
 * user instructions per kernel cycle mean nothing.
 */
#include <string.h>

#include "counts/metrics.h"

/*
 * value = scale * count(@event) / count(@of). Both members are values of attr.config
 * with PERF_TYPE_HARDWARE.
 */
static const struct ratio {
	u64 event;
	u64 of;
	double scale;
	const char *unit;
} ratios[] = {
	{ PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, 1, "insn per cycle" },
	{ PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100,
	  "% of all branches" },
	{ PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, 100, "% of all cache refs" },
	{ PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES, 100,
	  "% frontend cycles idle" },
	{ PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES, 100,
	  "% backend cycles idle" },
};

/*
 * Return true if the event counts cycles of a clock: count / ns is then a frequency
 * in GHz.
 */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE &&
	       (attr->config == PERF_COUNT_HW_CPU_CYCLES ||
		attr->config == PERF_COUNT_HW_REF_CPU_CYCLES ||
		attr->config == PERF_COUNT_HW_BUS_CYCLES);
}

static bool same_cpus(const struct cpu_list *one, const struct cpu_list *other)
{
	return one->bytes == other->bytes && !memcmp(one->bits, other->bits, one->bytes);
}

/* Return true if both events count the same modes, on the same kind of cores and CPUs. */
static bool same_modes(const struct counted_event *one, const struct counted_event *other)
{
	const struct perf_event_attr *a = &one->attr, *b = &other->attr;

	return one->cores == other->cores && same_cpus(&one->cpus, &other->cpus) &&
	       a->exclude_user == b->exclude_user &&
	       a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_idle == b->exclude_idle &&
	       a->exclude_host == b->exclude_host && a->exclude_guest == b->exclude_guest;
}

static const struct counted_event *find(const struct counting *counting,
					const struct counted_event *like, u64 config)
{
	const struct counted_event *event;
	u32 i;

	for (i = 0; i < counting->nr_events; i++) {
		event = &counting->events[i];
		if (event->state == COUNTED && event->attr.type == PERF_TYPE_HARDWARE &&
		    event->attr.config == config && same_modes(event, like))
			return event;
	}
	return NULL;
}

/* Return the mean of a count over the runs, or the last reading if no run has ended. */
static double value_of(const struct counted_event *event, u32 lane)
{
	const struct count_cell *cell = &event->cells[lane];

	return cell->values.nr ? cell->values.mean : cell->value;
}

static double time_of(const struct counted_event *event, u32 lane)
{
	const struct count_cell *cell = &event->cells[lane];

	return cell->times.nr ? cell->times.mean : cell->ran_ns;
}

static bool find_ratio(const struct counting *counting, const struct counted_event *event,
		       u32 lane, struct metric *metric)
{
	const struct counted_event *of;
	size_t i;

	if (event->attr.type != PERF_TYPE_HARDWARE)
		return false;
	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		if (ratios[i].event != event->attr.config)
			continue;
		of = find(counting, event, ratios[i].of);
		if (!of || value_of(of, lane) == 0)
			continue;
		*metric = (struct metric){
			.value = ratios[i].scale * value_of(event, lane) / value_of(of, lane),
			.digits = 2,
			.unit = ratios[i].unit,
		};
		return true;
	}
	return false;
}

static void find_rate(const struct counted_event *event, u32 lane, struct metric *metric)
{
	static const struct {
		double per_second;
		const char *unit;
	} units[] = { { 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" }, { 1, "/sec" } };
	double rate, ns = time_of(event, lane);
	size_t i = 0;

	if (ns == 0)
		return;
	rate = value_of(event, lane) * NSEC_PER_SEC / ns;
	while (i < ARRAY_SIZE(units) - 1 && rate < units[i].per_second)
		i++;
	*metric = (struct metric){ rate / units[i].per_second, 3, units[i].unit };
}

/* Compare the time of a task clock with the elapsed time. */
static void find_utilization(const struct counting *counting, const struct counted_event *event,
			     u32 lane, struct metric *metric)
{
	if (counting->elapsed_ns > 0)
		*metric = (struct metric){ value_of(event, lane) / counting->elapsed_ns, 3,
					   "CPUs utilized" };
}

/*
 * Compute the metric of a count:
 * - the ratio to another counted event, if ratios[] has one;
 * - for a task clock, the number of CPUs that were used;
 * - for an event that counts cycles, the frequency in GHz;
 * - for any other event, count / (seconds that the event ran).
 */
void metric_of(const struct counting *counting, const struct counted_event *event, u32 lane,
	       struct metric *metric)
{
	double ns;

	*metric = (struct metric){ 0 };
	if (event->state != COUNTED || find_ratio(counting, event, lane, metric))
		return;
	if (counts_time(event)) {
		find_utilization(counting, event, lane, metric);
		return;
	}
	if (!is_clock(&event->attr)) {
		find_rate(event, lane, metric);
		return;
	}
	ns = time_of(event, lane);
	if (ns != 0)
		*metric = (struct metric){ value_of(event, lane) / ns, 3, "GHz" };
}
