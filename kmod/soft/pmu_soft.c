// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the back end `soft`: events that the kernel causes
 *
 * Task switches, page faults and the like are counted by hooks (soft_hooks.c), so they
 * need no hardware counter and work in any virtual machine. The task clock needs no
 * hook: it counts nanoseconds while the event runs. A task clock with a gate counts
 * only while the gate is open.
 *
 * An event with a period also takes samples, where the hook counts it.
 *
 * Hooks see from afar that an event runs, and their counts are always up to date. Only the two
 * kinds that count time need calls on the CPU of the count.
 *
 * Context: process; soft_call_*() and soft_gate() on the CPU of the count, with
 * interrupts off.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/gfp.h"
#include "base/grace.h"
#include "base/ipi.h"
#include "base/mono.h"
#include "soft/pmu_soft.h"
#include "soft/soft_hooks.h"

#define MAX_PERIOD	BIT_ULL(62)

/**
 * struct name - a kind of event, as an attr and as NAMES have it
 * @name:	its name
 * @alias:	second name, or NULL
 * @type:	type of the attr
 * @config:	config of the attr
 * @text:	what it counts
 */
struct name {
	const char	*name;
	const char	*alias;
	u32		type;
	u64		config;
	const char	*text;
};

#define NAME(name, alias, type, config, text, kind) \
	[TPROF_SOFT_##kind] = { name, alias, type, config, text },
static const struct name names[] = { TPROF_LX_SOFT_EVENTS(NAME) };
static_assert(ARRAY_SIZE(names) == TPROF_SOFT_NR_KINDS);

/*
 * Protects the lists of events. Taken inside the session lock.
 * Hooks are registered under this lock, and registering them takes the CPU
 * hotplug lock.
 */
static DEFINE_MUTEX(soft_lock);

/**
 * struct cell_call - argument of a function that a CPU calls in an IPI
 * @event:	event
 * @cell:	count of @event on the CPU
 * @since_ns:	soft_call_start(): CLOCK_MONOTONIC from which on time off CPU is counted
 */
struct cell_call {
	const struct tprof_soft_event	*event;
	struct tprof_soft_cell		*cell;
	u64				since_ns;
};

/* Add the time since the last call to the count of a task clock. */
static void settle_clock(const struct tprof_soft_event *event, struct tprof_soft_cell *cell)
{
	u64 now;

	if (event->kind != TPROF_SOFT_TASK_CLOCK)
		return;
	now = tprof_mono_ns();
	if (cell->runs && !cell->is_shut)
		local64_add(now - cell->since_ns, &cell->count);
	cell->since_ns = now;
}

static void soft_call_start(void *data)
{
	struct cell_call *call = data;

	settle_clock(call->event, call->cell);
	if (call->event->kind == TPROF_SOFT_OFF_CPU)
		call->cell->since_ns = call->since_ns;
	call->cell->is_shut = call->event->pmu->is_gated;
	call->cell->runs = true;
}

static void soft_call_stop(void *data)
{
	struct cell_call *call = data;

	settle_clock(call->event, call->cell);
	call->cell->runs = false;
}

static void soft_call_settle(void *data)
{
	struct cell_call *call = data;

	settle_clock(call->event, call->cell);
}

/*
 * Return since when the event runs. A thread may wait on one CPU and go on running on
 * another that has come online since.
 *
 * Context: under the cpu lock.
 */
static u64 runs_since(const struct tprof_soft_event *event)
{
	const struct tprof_soft_cell *cell;
	u64 since = tprof_mono_ns();
	int cpu;

	for_each_online_cpu(cpu) {
		cell = per_cpu_ptr(event->cells, cpu);
		if (READ_ONCE(cell->runs))
			since = min(since, READ_ONCE(cell->since_ns));
	}
	return since;
}

static int soft_start(struct tprof_pmu_event *pmu, int cpu)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct cell_call call = { .event = event, .cell = per_cpu_ptr(event->cells, cpu) };

	if (event->kind == TPROF_SOFT_OFF_CPU)
		call.since_ns = runs_since(event);
	if (event->kind == TPROF_SOFT_TASK_CLOCK || event->kind == TPROF_SOFT_OFF_CPU)
		tprof_ipi_call(cpu, soft_call_start, &call);
	else
		/* Barrier X, pairs with tprof_soft_cell_runs(). */
		smp_store_release(&call.cell->runs, true);
	return 0;
}

/*
 * A hook may count once more, and its sample may stall the event, which clears @runs, too. The
 * session waits for a grace period.
 */
static void soft_stop(struct tprof_pmu_event *pmu, int cpu)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct cell_call call = { .event = event, .cell = per_cpu_ptr(event->cells, cpu) };

	if (event->kind == TPROF_SOFT_TASK_CLOCK)
		tprof_ipi_call(cpu, soft_call_stop, &call);
	else
		WRITE_ONCE(call.cell->runs, false);
}

static u64 soft_read(struct tprof_pmu_event *pmu, int cpu)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct cell_call call = { .event = event, .cell = per_cpu_ptr(event->cells, cpu) };

	/* START and STOP do not run meanwhile. */
	if (event->kind == TPROF_SOFT_TASK_CLOCK && READ_ONCE(call.cell->runs))
		tprof_ipi_call(cpu, soft_call_settle, &call);
	return local64_read(&call.cell->count);
}

static u64 soft_read_here(const struct tprof_pmu_event *pmu)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct tprof_soft_cell *cell = this_cpu_ptr(event->cells);

	settle_clock(event, cell);
	return local64_read(&cell->count);
}

static void soft_write(struct tprof_pmu_event *pmu, int cpu, u64 value)
{
	const struct tprof_soft_event *event = pmu->priv;

	struct tprof_soft_cell *cell = per_cpu_ptr(event->cells, cpu);

	local64_set(&cell->count, value);
	cell->sampled = value;
}

static u64 soft_slowed(const struct tprof_pmu_event *pmu, int cpu)
{
	const struct tprof_soft_event *event = pmu->priv;

	return READ_ONCE(per_cpu_ptr(event->cells, cpu)->slowed);
}

/* Return the counts of @pmu on this CPU, which are up to date. */
static struct tprof_soft_cell *settled_cell(const struct tprof_pmu_event *pmu)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct tprof_soft_cell *cell = this_cpu_ptr(event->cells);

	settle_clock(event, cell);
	return cell;
}

/*
 * Open or close the gates of task clocks. All other events ignore @is_shut: for
 * them, tprof_soft_event_count() checks whether the task is a target.
 */
static void soft_gate(const struct tprof_pmu_gate *gate, bool is_open)
{
	struct tprof_soft_cell *cell;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		cell = settled_cell(gate->members[i].event);
		cell->is_shut = !is_open;
	}
}

/*
 * Let hooks skip the event while it is stalled. Time off CPU before it goes on is left out, as
 * before a start.
 */
static void soft_stall(const struct tprof_pmu_event *pmu, bool is_stalled)
{
	const struct tprof_soft_event *event = pmu->priv;
	struct tprof_soft_cell *cell = this_cpu_ptr(event->cells);

	if (event->kind == TPROF_SOFT_OFF_CPU && !is_stalled)
		cell->since_ns = tprof_mono_ns();
	WRITE_ONCE(cell->runs, !is_stalled);
}

static void soft_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
	struct tprof_soft_cell *cell;
	u32 i;

	for (i = 0; i < gate->nr_members; i++) {
		cell = settled_cell(gate->members[i].event);
		tprof_pmu_settle(&gate->members[i], local64_read(&cell->count), marks, sums);
	}
}

static int find_kind(const struct perf_event_attr *attr, enum tprof_soft_kind *kind)
{
	int i;

	for (i = 0; i < TPROF_SOFT_NR_KINDS; i++) {
		if (names[i].type == attr->type && names[i].config == attr->config) {
			*kind = i;
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

/* Return true if @kind has hooks and no event. The task clock has no hooks. */
static bool has_unused_hooks(enum tprof_soft_kind kind)
{
	return kind != TPROF_SOFT_TASK_CLOCK && !tprof_soft_event_exists(kind);
}

/* To sample by time is the task of the clocks. */
static bool can_sample(enum tprof_soft_kind kind)
{
	return kind != TPROF_SOFT_TASK_CLOCK && tprof_soft_hooks_can_sample(kind);
}

/* A task migrates, is off CPU and is woken while it does not run. */
static bool needs_running_task(enum tprof_soft_kind kind)
{
	return kind != TPROF_SOFT_CPU_MIGRATIONS && kind != TPROF_SOFT_OFF_CPU &&
	       kind != TPROF_SOFT_WAKEUPS;
}

static bool has_raw(enum tprof_soft_kind kind)
{
	return kind == TPROF_SOFT_OFF_CPU || kind == TPROF_SOFT_WAKEUPS;
}

/* A sample is of the task that wakes a target. */
static bool samples_others(enum tprof_soft_kind kind)
{
	return kind == TPROF_SOFT_WAKEUPS;
}

static int check_kind(const struct tprof_pmu_event *pmu, enum tprof_soft_kind kind)
{
	if (pmu->is_tallied && !needs_running_task(kind))
		return -EOPNOTSUPP;
	if (pmu->attr->sample_type & PERF_SAMPLE_RAW && !has_raw(kind))
		return -EOPNOTSUPP;
	return pmu->is_confined && samples_others(kind) ? -EACCES : 0;
}

static int watch_event(struct tprof_soft_event *event)
{
	int err;

	guard(mutex)(&soft_lock);
	if (has_unused_hooks(event->kind)) {
		err = tprof_soft_hooks_get(event->kind);
		if (err)
			return err;
	}
	if (event->pmu->period && !can_sample(event->kind)) {
		if (has_unused_hooks(event->kind))
			tprof_soft_hooks_put(event->kind);
		tprof_grace_of_probes();
		return -EOPNOTSUPP;
	}
	tprof_soft_event_add(event);
	return 0;
}

/* Hooks may use the event for a grace period: the kprobe and the irq_work are RCU readers. */
static void soft_event_end(struct tprof_pmu_event *pmu)
{
	struct tprof_soft_event *event = pmu->priv;

	guard(mutex)(&soft_lock);
	tprof_soft_event_remove(event);
	if (has_unused_hooks(event->kind))
		tprof_soft_hooks_put(event->kind);
}

static void free_event(struct tprof_soft_event *event)
{
	free_percpu(event->cells);
	kfree(event);
}

/* For each possible CPU and event: Documentation/calls.md. */
static_assert(sizeof(struct tprof_soft_cell) <= 56);

static int soft_event_init(struct tprof_pmu_event *pmu)
{
	const struct perf_event_attr *attr = pmu->attr;
	struct tprof_soft_event *event;
	enum tprof_soft_kind kind;
	int err = find_kind(attr, &kind) ?: check_kind(pmu, kind);

	if (err)
		return err;
	pmu->samples_others = samples_others(kind);
	event = kzalloc(sizeof(*event), TPROF_GFP);
	if (!event)
		return -ENOMEM;
	event->pmu = pmu;
	event->kind = kind;
	event->excludes[false] = attr->exclude_kernel;
	event->excludes[true] = attr->exclude_user;
	event->cells = alloc_percpu_gfp(struct tprof_soft_cell, TPROF_GFP);
	err = event->cells ? watch_event(event) : -ENOMEM;
	if (err) {
		free_event(event);
		return err;
	}
	pmu->priv = event;
	return 0;
}

static void soft_event_uninit(struct tprof_pmu_event *pmu)
{
	free_event(pmu->priv);
}

/* Context: under the soft lock. */
static u32 flags_of(enum tprof_soft_kind kind)
{
	u32 flags = 0;

	if (tprof_soft_hooks_exist(kind))
		flags |= TPROF_LX_NAME_HERE;
	if (flags && can_sample(kind))
		flags |= TPROF_LX_NAME_SAMPLES;
	if (needs_running_task(kind))
		flags |= TPROF_LX_NAME_THREADS;
	if (has_raw(kind))
		flags |= TPROF_LX_NAME_RAW;
	if (samples_others(kind))
		flags |= TPROF_LX_NAME_PRIVILEGED;
	return flags;
}

static u32 soft_list_names(struct tprof_lx_name *list, u32 room)
{
	u32 i;

	guard(mutex)(&soft_lock);
	for (i = 0; i < min_t(u32, room, TPROF_SOFT_NR_KINDS); i++) {
		strscpy(list[i].name, names[i].name, sizeof(list[i].name));
		strscpy(list[i].alias, names[i].alias ?: "", sizeof(list[i].alias));
		strscpy(list[i].text, names[i].text, sizeof(list[i].text));
		list[i].type = names[i].type;
		list[i].config = names[i].config;
		list[i].flags = flags_of(i);
	}
	return TPROF_SOFT_NR_KINDS;
}

static bool soft_describe(char *text, size_t bytes)
{
	strscpy(text, "software events, such as task switches and page faults", bytes);
	return false;
}

static const struct tprof_pmu_ops soft_ops = {
	.version = TPROF_PMU_VERSION,
	.name = "soft",
	.owner = THIS_MODULE,
	.flags = TPROF_LX_BACKEND_COUNTS,
	.min_period = 1,
	.max_period = MAX_PERIOD,
	.describe = soft_describe,
	.event_init = soft_event_init,
	.event_end = soft_event_end,
	.event_uninit = soft_event_uninit,
	.start = soft_start,
	.stop = soft_stop,
	.read = soft_read,
	.read_here = soft_read_here,
	.write = soft_write,
	.gate = soft_gate,
	.stall = soft_stall,
	.slowed = soft_slowed,
	.settle = soft_settle,
	.raw = tprof_soft_event_raw,
	.list_names = soft_list_names,
};

/**
 * tprof_pmu_soft_init - register the back end `soft`, at module load
 *
 * Return: 0 or -errno.
 */
int tprof_pmu_soft_init(void)
{
	return tprof_pmu_register(&soft_ops);
}

/** tprof_pmu_soft_uninit - unregister the back end `soft`, at module exit */
void tprof_pmu_soft_uninit(void)
{
	tprof_pmu_unregister(&soft_ops);
}
