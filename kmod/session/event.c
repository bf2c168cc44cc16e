// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an event: an attr, its back end and its sampler
 *
 * Context: process, under the lock of the session that owns the event.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "base/gfp.h"
#include "base/params.h"
#include "chain/stack_copy.h"
#include "gate/page.h"
#include "pmu/pmu.h"
#include "rights/degree.h"
#include "sample/sample.h"
#include "sample/sample_layout.h"
#include "session/attr.h"
#include "session/event.h"

static u64 period_of(const struct perf_event_attr *attr)
{
	return attr->freq ? div64_u64(NSEC_PER_SEC, attr->sample_freq) :
			    attr->sample_period;
}

/*
 * The module parameter max_rate also limits the period of a clock. It cannot limit
 * the period of a counter, because the rate of a counter is not known in advance.
 */
static int check_period(const struct tprof_pmu_ops *ops, u64 period)
{
	if (period < ops->min_period || period > ops->max_period)
		return -ERANGE;
	if (ops->flags & TPROF_LX_BACKEND_CLOCK &&
	    period < div64_u64(NSEC_PER_SEC, tprof_params_max_rate()))
		return -ERANGE;
	return 0;
}

static int set_event_period(struct tprof_pmu_event *pmu)
{
	const struct perf_event_attr *attr = pmu->attr;
	u32 flags = pmu->ops->flags;

	if (!tprof_attr_is_sampling(attr))
		return flags & TPROF_LX_BACKEND_COUNTS ? 0 : -EINVAL;
	if (!pmu->ops->max_period)
		return -EOPNOTSUPP;
	if (attr->freq && flags & TPROF_LX_BACKEND_COUNTER)
		return attr->sample_freq > tprof_params_max_rate() ? -ERANGE : 0;
	if (attr->freq && !(flags & TPROF_LX_BACKEND_CLOCK))
		return -EOPNOTSUPP;
	pmu->period = period_of(attr);
	return check_period(pmu->ops, pmu->period);
}

/*
 * Refuse options that need a hardware counter if the event has none, and options that
 * need samples if the event only counts.
 */
static int check_counter(const struct tprof_pmu_event *pmu)
{
	const struct perf_event_attr *attr = pmu->attr;

	bool is_sampling = tprof_attr_is_sampling(attr);

	if (pmu->is_random && !is_sampling)
		return -EINVAL;
	/*
	 * A counter keeps counting while the idle task runs: exclude_idle only drops
	 * samples of that task.
	 */
	if (attr->exclude_idle && !is_sampling)
		return -EOPNOTSUPP;
	if ((pmu->is_random || attr->exclude_host || attr->exclude_guest) &&
	    !(pmu->ops->flags & TPROF_LX_BACKEND_COUNTER))
		return -EOPNOTSUPP;
	return 0;
}

/* Refuse a gate if the back end has none. Refuse enable_on_exec without a gate. */
static int check_gate(const struct tprof_pmu_event *pmu)
{
	if (!pmu->is_gated)
		return pmu->attr->enable_on_exec ? -EOPNOTSUPP : 0;
	return pmu->ops->gate ? 0 : -EOPNOTSUPP;
}

/*
 * Counts by thread need a gate, and READ records need counts by thread. Refuse both if the
 * back end cannot count by thread.
 */
static int check_tally(const struct tprof_event *event, u32 flags)
{
	const struct tprof_pmu_event *pmu = &event->sampler.pmu;

	if ((pmu->is_tallied && !pmu->is_gated) ||
	    (event->attr.inherit_stat && !pmu->is_tallied) ||
	    (flags & TPROF_LX_EVENT_SWITCHES && !event->attr.inherit_stat))
		return -EINVAL;
	return !pmu->is_tallied || pmu->ops->settle ? 0 : -EOPNOTSUPP;
}

/* Refuse to stall without samples, or if the back end cannot. */
static int check_stall(const struct tprof_pmu_event *pmu)
{
	if (!pmu->is_stalling)
		return 0;
	if (!tprof_attr_is_sampling(pmu->attr))
		return -EINVAL;
	return pmu->ops->stall ? 0 : -EOPNOTSUPP;
}

/*
 * A count page needs a gate, and a counter that user mode can read. Counts by thread are for
 * many threads, a page is for one.
 */
static int check_page(const struct tprof_pmu_event *pmu, u32 flags)
{
	if (!(flags & TPROF_LX_EVENT_PAGE))
		return 0;
	if (!pmu->is_gated || pmu->is_tallied)
		return -EINVAL;
	return pmu->ops->show ? 0 : -EOPNOTSUPP;
}

/* Refuse an event for one kind of CPUs if the back end knows none. */
static int check_cores(const struct tprof_pmu_event *pmu)
{
	if (pmu->cores == (TPROF_LX_EVENT_CPU_CORE | TPROF_LX_EVENT_CPU_ATOM))
		return -EINVAL;
	return !pmu->cores || pmu->ops->is_for ? 0 : -EOPNOTSUPP;
}

/*
 * PERF_SAMPLE_WEIGHT is the parallelism of targets, and nothing else. So an event that requests
 * it as perf's weight is refused as before.
 */
static int check_parallelism(const struct perf_event_attr *attr, u32 flags)
{
	bool is_weighed = attr->sample_type & PERF_SAMPLE_WEIGHT;

	if (!(flags & TPROF_LX_EVENT_PARALLELISM))
		return is_weighed ? -EOPNOTSUPP : 0;
	return is_weighed && flags & TPROF_LX_EVENT_PROCESS ? 0 : -EINVAL;
}

/* Refuse PERF_SAMPLE_RAW if no event of the back end has it. */
static int check_raw(const struct tprof_pmu_event *pmu)
{
	return pmu->attr->sample_type & PERF_SAMPLE_RAW && !pmu->ops->raw ? -EOPNOTSUPP : 0;
}

/* Fill in @owner, except @id and @event, which install_event() fills in. */
static void fill_owner(struct tprof_pmu_event *pmu)
{
	struct tprof_lx_row *owner = &pmu->owner;

	owner->pid = task_tgid_nr(current);
	owner->type = pmu->attr->type;
	owner->config = pmu->attr->config;
	get_task_comm(owner->comm, current->group_leader);
}

static struct perf_event_header
sample_header(const struct tprof_sampler *sampler, u16 misc)
{
	return (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE,
		.misc = misc,
		.size = sampler->bytes,
	};
}

static void fill_sampler(struct tprof_event *event, u32 flags)
{
	struct tprof_sampler *sampler = &event->sampler;
	const struct perf_event_attr *attr = &event->attr;

	sampler->clock = tprof_attr_clock(attr);
	sampler->sample_type = attr->sample_type;
	sampler->bytes = tprof_sample_bytes(attr->sample_type);
	sampler->chain = tprof_attr_chain(attr);
	sampler->chain.deferred = flags & TPROF_LX_EVENT_DEFERRED;
	sampler->user_regs = attr->sample_regs_user;
	sampler->user_stack = attr->sample_stack_user;
	sampler->excludes[false] = attr->exclude_kernel;
	sampler->excludes[true] = attr->exclude_user;
	sampler->headers[false] = sample_header(sampler, PERF_RECORD_MISC_KERNEL);
	sampler->headers[true] = sample_header(sampler, PERF_RECORD_MISC_USER);
	sampler->exclude_idle = attr->exclude_idle;
	sampler->sample_id_all = attr->sample_id_all;
	/* Addresses of the kernel are in the sample itself and in the kernel part of its chain. */
	sampler->chain.kernel &= !sampler->hides_kernel;
	sampler->tells_exits = attr->inherit_stat;
	sampler->tells_switches = flags & TPROF_LX_EVENT_SWITCHES;
}

static enum tprof_sample_detour choose_detour(const struct tprof_sampler *sampler, bool is_user)
{
	if (sampler->excludes[is_user])
		return TPROF_SAMPLE_EXCLUDED;
	return sampler->sample_type & PERF_SAMPLE_WEIGHT ? TPROF_SAMPLE_WEIGHED :
							   TPROF_SAMPLE_STRAIGHT;
}

/* Set what depends on all parts of a sample, so on the walker too. */
static int set_layout(struct tprof_sampler *sampler)
{
	const u64 weight = PERF_SAMPLE_WEIGHT;

	sampler->has_common_fields = tprof_sample_has_common_fields(sampler);
	sampler->is_common = sampler->has_common_fields &&
			     !(sampler->sample_type & TPROF_SAMPLE_DEEP_TYPES & ~weight);
	sampler->detours[false] = choose_detour(sampler, false);
	sampler->detours[true] = choose_detour(sampler, true);
	sampler->fits_nmi = tprof_sample_fits_nmi(sampler);
	sampler->max_bytes = tprof_sample_max_bytes(sampler);
	if (sampler->is_common) {
		sampler->headers[false].size = sampler->max_bytes;
		sampler->headers[true].size = sampler->max_bytes;
	}
	/* The length of a record must fit into @size of its header, a u16. */
	return sampler->max_bytes + tprof_stack_copy_max(sampler->chain.stack_bytes) > U16_MAX ?
	       -EINVAL : 0;
}

static bool needs_counter(const struct tprof_event *event)
{
	return event->sampler.pmu.ops->flags & TPROF_LX_BACKEND_COUNTER;
}

/* Return the rate of a clock with a period, rounded up; 0 if the event is no clock. */
static u64 clock_hz(const struct tprof_event *event, u64 period)
{
	if (!(event->sampler.pmu.ops->flags & TPROF_LX_BACKEND_CLOCK))
		return 0;
	return DIV64_U64_ROUND_UP(NSEC_PER_SEC, period);
}

static int take_quota(struct tprof_event *event)
{
	return tprof_quota_take_event(event->quota, needs_counter(event),
				      clock_hz(event, event->sampler.pmu.period));
}

static void give_quota(struct tprof_event *event)
{
	tprof_quota_give_event(event->quota, needs_counter(event),
			       clock_hz(event, event->sampler.pmu.period));
}

static int init_backend(struct tprof_pmu_event *pmu)
{
	int err = tprof_cost_init(&pmu->cost);

	if (err)
		return err;
	err = pmu->ops->event_init(pmu);
	if (err)
		tprof_cost_uninit(&pmu->cost);
	return err;
}

static int init_pmu(struct tprof_event *event, bool has_page)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;
	int err = take_quota(event);

	if (err)
		return err;
	if (has_page) {
		pmu->page = tprof_page_alloc();
		err = pmu->page ? 0 : -ENOMEM;
	}
	if (!err)
		err = init_backend(pmu);
	if (err) {
		tprof_page_free(pmu->page);
		give_quota(event);
	}
	return err;
}

/* Check that the back end can do what the event wants. */
static int check_pmu(struct tprof_event *event, u32 flags)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;

	return check_counter(pmu) ?: check_gate(pmu) ?: check_tally(event, flags) ?:
	       check_stall(pmu) ?: check_cores(pmu) ?: check_raw(pmu) ?: check_page(pmu, flags);
}

static int fill_pmu(struct tprof_event *event, const char *backend, u32 flags)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;
	int err;

	pmu->attr = &event->attr;
	pmu->sink = flags & TPROF_LX_EVENT_PARALLELISM ? tprof_sample_overflow_weighed :
							 tprof_sample_overflow;
	pmu->is_random = flags & TPROF_LX_EVENT_RANDOM;
	pmu->is_gated = flags & TPROF_LX_EVENT_PROCESS;
	pmu->is_tallied = flags & TPROF_LX_EVENT_THREADS;
	pmu->is_stalling = flags & TPROF_LX_EVENT_STALL;
	pmu->cores = flags & (TPROF_LX_EVENT_CPU_CORE | TPROF_LX_EVENT_CPU_ATOM);
	pmu->is_confined = event->quota;
	fill_owner(pmu);
	pmu->ops = tprof_pmu_get(backend);
	if (IS_ERR(pmu->ops))
		return PTR_ERR(pmu->ops);
	err = set_event_period(pmu) ?: check_pmu(event, flags) ?:
	      init_pmu(event, flags & TPROF_LX_EVENT_PAGE);
	if (err)
		tprof_pmu_put(pmu->ops);
	return err;
}

/*
 * Return true if the event can have deferred chains. Readers match a deferred chain
 * with samples by thread and time, so the attr must request both.
 */
static bool has_deferred_chains(const struct tprof_event *event)
{
	const u64 known = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	const struct perf_event_attr *attr = &event->attr;

	return event->sampler.chain.frames &&
	       event->sampler.chain.way != TPROF_CHAIN_NO_USER &&
	       !attr->exclude_user && attr->sample_id_all && (attr->sample_type & known) == known;
}

/*
 * Choose the way of an event's chains. Those by tables must be deferrable, because the mappings
 * of a process may be unknown when it is sampled.
 */
static int set_way(struct tprof_event *event, u32 flags, u32 stack_bytes)
{
	struct tprof_chain_plan *chain = &event->sampler.chain;

	if (chain->deferred && !has_deferred_chains(event))
		return -EINVAL;
	if (!(flags & TPROF_LX_EVENT_TABLES))
		return stack_bytes ? -EINVAL : 0;
	if (!chain->deferred || stack_bytes > TPROF_LX_MAX_STACK_BYTES ||
	    !IS_ALIGNED(stack_bytes, sizeof(u64)))
		return -EINVAL;
	chain->way = TPROF_CHAIN_BY_TABLES;
	chain->stack_bytes = stack_bytes;
	return 0;
}

static int fill_event(struct tprof_event *event, const struct tprof_lx_event *arg,
		      struct tprof_tables *tables)
{
	struct tprof_sampler *sampler = &event->sampler;
	u32 flags = arg->flags;
	int err;

	fill_sampler(event, flags);
	err = set_way(event, flags, arg->stack_bytes);
	if (err)
		return err;
	sampler->runtimes = kvcalloc(nr_cpu_ids, sizeof(*sampler->runtimes),
				     TPROF_GFP);
	if (!sampler->runtimes)
		return -ENOMEM;
	err = tprof_chain_prepare(&sampler->chain, tables);
	if (err)
		goto err_free_runtimes;
	err = set_layout(sampler);
	if (!err)
		err = fill_pmu(event, arg->backend, flags);
	if (err)
		goto err_release_chain;
	return 0;

err_release_chain:
	tprof_chain_release(&sampler->chain);
err_free_runtimes:
	kvfree(sampler->runtimes);
	return err;
}

/**
 * tprof_event_alloc - allocate an event, not running
 * @owner:	its session
 * @attr:	attr of the event
 * @arg:	argument of the ioctl: its back end and flags
 *
 * In a session that was opened with CAP_SYS_ADMIN, the period of an event that counts only user
 * code is not bounded: its samples may take all of that code's time.
 *
 * Context: process, may sleep.
 * Return: the event, or ERR_PTR() of the errors of TPROF_LX_IOC_EVENT.
 */
struct tprof_event *tprof_event_alloc(const struct tprof_event_owner *owner,
				      const struct perf_event_attr *attr,
				      const struct tprof_lx_event *arg)
{
	struct tprof_event *event;
	int err;

	err = tprof_attr_check(attr) ?: check_parallelism(attr, arg->flags);
	if (!err && owner->watcher)
		err = tprof_degree_check_event(attr, arg->flags);
	if (err)
		return ERR_PTR(err);
	event = kzalloc(sizeof(*event), TPROF_GFP);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->attr = *attr;
	event->flags = arg->flags;
	event->sampler.pmu.is_bounded = !owner->is_trusted;
	event->quota = owner->quota;
	event->sampler.hides_kernel = owner->watcher &&
				      tprof_degree_hides_kernel(owner->watcher, attr);
	err = fill_event(event, arg, owner->tables);
	if (err) {
		kfree(event);
		return ERR_PTR(err);
	}
	return event;
}

/**
 * tprof_event_set_period - change the period of an event
 * @event:	event that does not run and has a fixed period
 * @period:	events, or nanoseconds of a clock
 *
 * Return: 0, -ERANGE, or -EDQUOT as for TPROF_LX_IOC_EVENT.
 */
int tprof_event_set_period(struct tprof_event *event, u64 period)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;
	int err = check_period(pmu->ops, period);

	if (!err)
		err = tprof_quota_change_rate(event->quota, clock_hz(event, pmu->period),
					      clock_hz(event, period));
	if (!err)
		pmu->period = period;
	return err;
}

/**
 * tprof_event_release - free the part of an event that belongs to its back end
 * @event:	event, after tprof_event_end_all()
 *
 * Context: process, may sleep.
 */
void tprof_event_release(struct tprof_event *event)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;

	pmu->ops->event_uninit(pmu);
	tprof_cost_uninit(&pmu->cost);
	tprof_page_free(pmu->page);
	pmu->page = NULL;
	give_quota(event);
	tprof_pmu_put(pmu->ops);
	pmu->ops = NULL;
}

/**
 * tprof_event_free - free an event
 * @event:	event, released or after tprof_event_end_all()
 *
 * Context: process, may sleep.
 */
void tprof_event_free(struct tprof_event *event)
{
	if (event->sampler.pmu.ops)
		tprof_event_release(event);
	tprof_chain_release(&event->sampler.chain);
	kvfree(event->sampler.runtimes);
	kfree(event->sampler.cpus);
	kfree(event);
}

/*
 * A session's deferred chains are all found in the same way, so its samples must be, too. An
 * event without user chains goes with both.
 */
static bool is_same_way(const struct tprof_chain_plan *a, const struct tprof_chain_plan *b)
{
	return !a->frames || a->way == TPROF_CHAIN_NO_USER ||
	       !b->frames || b->way == TPROF_CHAIN_NO_USER || a->way == b->way;
}

/**
 * tprof_event_check_pair - check that two events can share a session
 * @first:	event
 * @second:	event
 *
 * From the bytes of a record alone, a reader must be able to find the event of the
 * record. It must also be able to order the records of both events by time. These two
 * rules do not concern an event without sample_type, because it has no record of its own.
 *
 * Events with a gate share one gate per CPU, so they must have the same enable_on_exec. A
 * count page is for one thread, and a tally for many. All count pages are for the same thread.
 *
 * Return: 0 or -EINVAL.
 */
int tprof_event_check_pair(const struct tprof_event *first,
			   const struct tprof_event *second)
{
	const struct perf_event_attr *a = &first->attr, *b = &second->attr;

	if (first->sampler.pmu.is_gated && second->sampler.pmu.is_gated &&
	    a->enable_on_exec != b->enable_on_exec)
		return -EINVAL;
	if ((first->sampler.pmu.page && second->sampler.pmu.is_tallied) ||
	    (first->sampler.pmu.is_tallied && second->sampler.pmu.page))
		return -EINVAL;
	if (first->sampler.pmu.page && second->sampler.pmu.page &&
	    first->sampler.pmu.page->reader != second->sampler.pmu.page->reader)
		return -EINVAL;
	if (!a->sample_type || !b->sample_type)
		return 0;
	if (!is_same_way(&first->sampler.chain, &second->sampler.chain))
		return -EINVAL;
	if (!(a->sample_type & b->sample_type & PERF_SAMPLE_IDENTIFIER))
		return -EINVAL;
	if (a->sample_id_all != b->sample_id_all ||
	    a->use_clockid != b->use_clockid || a->clockid != b->clockid)
		return -EINVAL;
	return 0;
}
