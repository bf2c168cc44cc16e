// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - convert events to the back ends and attrs that the module takes
 */
#include <cpuid.h>
#include <errno.h>
#include <string.h>

#include <asm/perf_regs.h>

#include "events/event_attr.h"
#include "events/event_name.h"

/* Upper bound of the number of user-mode events between an overflow and its NMI. */
#define LATE_EVENTS	10000

/* Return the back end of the hardware counters, or NULL if there is none. */
const struct tprof_lx_backend *event_counters(const struct tprof_lx_backend *backends, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (backends[i].flags & TPROF_LX_BACKEND_COUNTER)
			return &backends[i];
	}
	return NULL;
}

/* Return why the module has no back end for the counters, judging by CPUID. */
const char *event_why_no_counters(void)
{
	unsigned int a, b, c, d;

	if (__get_cpuid(1, &a, &b, &c, &d) && c & 1U << 31)
		return "this is a virtual machine without a virtual PMU";
	if (__get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx &&
	    (!__get_cpuid(0xa, &a, &b, &c, &d) || !(a & 0xff)))
		return "the processor has none by CPUID leaf 0AH";
	return "the module has no back end for those of this processor";
}

/* Return the back end of an event, or set @msg and return NULL. */
const struct tprof_lx_backend *event_backend(const struct event_spec *spec,
					     const struct tprof_lx_backend *backends, u32 nr,
					     struct message *msg)
{
	struct suggestion search = { .word = spec->backend };
	const struct tprof_lx_backend *backend;
	u32 i;

	if (!spec->backend[0]) {
		backend = event_counters(backends, nr);
		if (!backend)
			message_set(msg, -ENODEV,
				    "event %s needs a hardware counter, and there are none: %s; use -e nmi",
				    spec->name, event_why_no_counters());
		return backend;
	}
	for (i = 0; i < nr; i++) {
		if (!strcmp(backends[i].name, spec->backend))
			return &backends[i];
		suggest_try(&search, backends[i].name);
	}
	event_name_unknown(spec->backend, &search, msg);
	return NULL;
}

static bool is_raw_soft(const struct event_spec *spec, u64 config)
{
	return !strcmp(spec->backend, EVENT_SOFT) && spec->type == PERF_TYPE_RAW &&
	       spec->config == config;
}

/* Return true for the event of the time for which threads do not run. */
bool event_is_off_cpu(const struct event_spec *spec)
{
	return is_raw_soft(spec, TPROF_LX_SOFT_OFF_CPU);
}

/* Return true for the event of wakeups. */
bool event_is_wakeups(const struct event_spec *spec)
{
	return is_raw_soft(spec, TPROF_LX_SOFT_WAKEUPS);
}

/* Software events can be sampled by a period, but not by a frequency. */
static bool samples_by_period_only(const struct tprof_lx_backend *backend)
{
	const u32 kinds = TPROF_LX_BACKEND_COUNTER | TPROF_LX_BACKEND_CLOCK |
			  TPROF_LX_BACKEND_COUNTS;

	return backend->max_period && (backend->flags & kinds) == TPROF_LX_BACKEND_COUNTS;
}

static void set_rate(const struct event_spec *spec, const struct event_defaults *defaults,
		     const struct tprof_lx_backend *backend, struct perf_event_attr *attr)
{
	u64 period = spec->period;
	u64 freq = spec->freq;

	if (!period && !freq) {
		period = defaults->period;
		freq = period ? 0 : defaults->freq;
	}
	/* -F is for all events, so these take a sample each time instead. */
	if (freq && samples_by_period_only(backend)) {
		period = 1;
		freq = 0;
	}
	attr->freq = freq != 0;
	if (freq)
		attr->sample_freq = freq;
	else
		attr->sample_period = period;
}

/*
 * Return true if each sample stands for exactly attr->sample_period events. Return false if
 * - the event has a frequency or the term random;
 * - the event is a clock, because a late tick stands for several periods;
 * - the event counts the kernel, because the module may lengthen a short period;
 * - the session lacks EXACT_PERIODS, because the module may lengthen any short period;
 * - the period is shorter than LATE_EVENTS, because a late sample may stand for several
 *   periods.
 */
static bool has_constant_period(const struct event_spec *spec,
				const struct event_defaults *defaults,
				const struct tprof_lx_backend *backend,
				const struct perf_event_attr *attr)
{
	return backend->flags & TPROF_LX_BACKEND_COUNTER && !attr->freq && !spec->random &&
	       attr->exclude_kernel && attr->sample_period >= LATE_EVENTS &&
	       defaults->features & TPROF_LX_FEATURE_EXACT_PERIODS;
}

/*
 * Leave out what no reader needs: the identifier of a sole event, a constant period, and the
 * CPU unless sample_cpu is set. Samples of time off CPU also have the state of the thread,
 * and samples of wakeups the id of the thread that is woken.
 */
static void set_sample_type(const struct event_spec *spec,
			    const struct event_defaults *defaults,
			    const struct tprof_lx_backend *backend,
			    struct perf_event_attr *attr)
{
	if (event_is_off_cpu(spec) && defaults->features & TPROF_LX_FEATURE_WAITS)
		attr->sample_type |= PERF_SAMPLE_RAW;
	if (event_is_wakeups(spec))
		attr->sample_type |= PERF_SAMPLE_RAW;
	if (!defaults->is_sole)
		attr->sample_type |= PERF_SAMPLE_IDENTIFIER;
	if (defaults->sample_cpu)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (!has_constant_period(spec, defaults, backend, attr))
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (defaults->parallelism && !event_is_off_cpu(spec) && !event_is_wakeups(spec))
		attr->sample_type |= PERF_SAMPLE_WEIGHT;
}

/*
 * Request records about tasks and mappings. Only the first event of a session requests
 * them.
 */
static void set_side_band(const struct event_defaults *defaults, struct perf_event_attr *attr)
{
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
	/* A DWARF unwinder needs data mappings to find unwind tables. */
	attr->mmap_data = defaults->chains.stack != 0;
	attr->context_switch = defaults->switches;
}

/* The module writes READ records in this format only. perf requests the same for -s. */
static void set_thread_counts(struct perf_event_attr *attr)
{
	attr->inherit = 1;
	attr->inherit_stat = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			    PERF_FORMAT_ID;
}

/* All registers of a 64-bit task except DS, ES, FS and GS. */
#define USER_REGS                                                                \
	(((1ULL << PERF_REG_X86_DS) - 1) |                                       \
	 ((1ULL << PERF_REG_X86_64_MAX) - (1ULL << PERF_REG_X86_R8)))

/*
 * For DWARF, exclude the user part of the chain: it is unwound after the recording,
 * from the copy of the user stack.
 */
static void set_chains(const struct chain_spec *chains, struct perf_event_attr *attr)
{
	if (!chains->wanted)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = chains->frames;
	if (!chains->stack)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->exclude_callchain_user = 1;
	attr->sample_regs_user = USER_REGS;
	attr->sample_stack_user = chains->stack;
}

static bool is_task_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_TASK_CLOCK;
}

/*
 * Refuse an event that the module would refuse, and set @msg to the reason. The module
 * itself returns only -errno.
 */
static int check(const struct event_spec *spec, const struct tprof_lx_backend *backend,
		 const struct perf_event_attr *attr, struct message *msg)
{
	bool clock = backend->flags & TPROF_LX_BACKEND_CLOCK;

	if (clock && spec->has_config)
		return message_set(msg, -EINVAL,
				   "event %s is a clock; a term cannot select what it counts",
				   spec->name);
	if (clock && (spec->guest || spec->host))
		return message_set(msg, -EINVAL,
				   "event %s is a clock and cannot distinguish guests; leave out the modifiers G and H",
				   spec->name);
	if (spec->cores && !(backend->flags & TPROF_LX_BACKEND_COUNTER))
		return message_set(msg, -EINVAL,
				   "event %s is no event of the cores; leave out cpu_core and cpu_atom",
				   spec->name);
	if (spec->random && !(backend->flags & TPROF_LX_BACKEND_COUNTER))
		return message_set(msg, -EINVAL,
				   "event %s: only events of hardware counters have the term random",
				   spec->name);
	if (attr->exclude_user && attr->exclude_kernel)
		return message_set(msg, -EINVAL,
				   "event %s excludes both user space and the kernel",
				   spec->name);
	if (spec->freq && samples_by_period_only(backend))
		return message_set(msg, -EINVAL,
				   "event %s has no frequency; use the term period instead",
				   spec->name);
	if (attr->sample_period && is_task_clock(attr))
		return message_set(msg, -EINVAL,
				   "event %s cannot be sampled; use -e timer", spec->name);
	if (attr->sample_period && !backend->max_period)
		return message_set(msg, -EINVAL,
				   "event %s has no interrupt to sample by; count it with tprof-lx stat",
				   spec->name);
	return 0;
}

/*
 * Build the attr of an event. If neither @spec nor @defaults sets a rate, the event
 * counts and does not sample. The @first event of a session also requests the records
 * about tasks and mappings. Return 0, or set @msg and return -EINVAL.
 */
int event_attr(const struct event_spec *spec, const struct event_defaults *defaults,
	       const struct tprof_lx_backend *backend, bool first, struct perf_event_attr *attr,
	       struct message *msg)
{
	bool clock = backend->flags & TPROF_LX_BACKEND_CLOCK;

	*attr = (struct perf_event_attr){
		.size = PERF_ATTR_SIZE_VER5,
		.type = clock ? PERF_TYPE_SOFTWARE : spec->type,
		.config = clock ? PERF_COUNT_SW_CPU_CLOCK : spec->config,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = defaults->clockid,
		.exclude_kernel = defaults->all_user || (spec->user && !spec->kernel) ||
				  (defaults->user_only && !spec->kernel && !defaults->all_kernel),
		.exclude_user = defaults->all_kernel || (spec->kernel && !spec->user),
		.exclude_idle = spec->not_idle,
		.enable_on_exec = defaults->on_exec,
		.exclude_host = spec->guest && !spec->host,
		.exclude_guest = spec->host && !spec->guest,
	};
	set_rate(spec, defaults, backend, attr);
	if (clock && attr->freq && defaults->is_max &&
	    attr->sample_freq > NSEC_PER_SEC / backend->min_period)
		attr->sample_freq = NSEC_PER_SEC / backend->min_period;
	set_sample_type(spec, defaults, backend, attr);
	set_chains(&defaults->chains, attr);
	if (defaults->thread_counts)
		set_thread_counts(attr);
	if (first)
		set_side_band(defaults, attr);
	return check(spec, backend, attr, msg);
}

/*
 * Build the attr of an event that only counts. It has no records, unless @defaults requests
 * READ records. Return 0, or set @msg and return -EINVAL.
 */
int event_count_attr(const struct event_spec *spec, const struct event_defaults *defaults,
		     const struct tprof_lx_backend *backend, struct perf_event_attr *attr,
		     struct message *msg)
{
	struct event_defaults plain = *defaults;
	int err;

	if (spec->period || spec->freq || spec->random)
		return message_set(msg, -EINVAL,
				   "event %s only counts here, but has a sampling term; remove the term",
				   spec->name);
	if (spec->not_idle)
		return message_set(msg, -EINVAL,
				   "event %s only counts here, and modifier I filters samples; remove the modifier",
				   spec->name);
	plain.period = 0;
	plain.freq = 0;
	plain.chains = (struct chain_spec){ 0 };
	err = event_attr(spec, &plain, backend, false, attr, msg);
	if (err)
		return err;
	if (!(backend->flags & TPROF_LX_BACKEND_COUNTS))
		return message_set(msg, -EINVAL,
				   "event %s is a sampling clock and counts nothing; see tprof-lx list",
				   spec->name);
	attr->sample_type = 0;
	attr->sample_id_all = 0;
	attr->use_clockid = 0;
	attr->clockid = 0;
	return 0;
}

/* Return the TPROF_LX_EVENT_* flags of an event. */
u32 event_flags(const struct event_spec *spec, const struct perf_event_attr *attr, u64 features)
{
	bool has_user = attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
			!attr->exclude_callchain_user && !attr->exclude_user;
	bool is_deferred = has_user && features & TPROF_LX_FEATURE_DEFERRED;

	return spec->cores | (spec->random ? TPROF_LX_EVENT_RANDOM : 0) |
	       (attr->sample_type & PERF_SAMPLE_WEIGHT ? TPROF_LX_EVENT_PARALLELISM : 0) |
	       (is_deferred ? TPROF_LX_EVENT_DEFERRED : 0);
}
