// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info --who - an event of a session in words, and what it costs
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "events/event_name.h"
#include "show/who.h"

/**
 * struct word - a bit and its name
 * @bit:	bit of a mask
 * @name:	its name
 */
struct word {
	u32 bit;
	const char *name;
};

static const struct word flags[] = {
	{ TPROF_LX_EVENT_RANDOM, "random" },
	{ TPROF_LX_EVENT_DEFERRED, "deferred" },
	{ TPROF_LX_EVENT_PROCESS, "process" },
	{ TPROF_LX_EVENT_THREADS, "threads" },
	{ TPROF_LX_EVENT_SWITCHES, "switches" },
	{ TPROF_LX_EVENT_STALL, "stall" },
	{ TPROF_LX_EVENT_PAGE, "page" },
	{ TPROF_LX_EVENT_TABLES, "tables" },
	{ TPROF_LX_EVENT_CPU_CORE, "cpu-core" },
	{ TPROF_LX_EVENT_CPU_ATOM, "cpu-atom" },
	{ TPROF_LX_EVENT_PARALLELISM, "parallelism" },
};

static const struct word excludes[] = {
	{ TPROF_LX_EXCLUDE_USER, "user" },
	{ TPROF_LX_EXCLUDE_KERNEL, "kernel" },
	{ TPROF_LX_EXCLUDE_HV, "hv" },
	{ TPROF_LX_EXCLUDE_IDLE, "idle" },
	{ TPROF_LX_EXCLUDE_HOST, "host" },
	{ TPROF_LX_EXCLUDE_GUEST, "guest" },
};

static const char *next_word(const struct word *words, size_t nr, u32 mask, size_t *i)
{
	while (*i < nr) {
		if (mask & words[(*i)++].bit)
			return words[*i - 1].name;
	}
	return NULL;
}

/*
 * Return the name of the next flag, enum tprof_lx_event_flag, or NULL after the last. The caller
 * sets @i to 0 before the first call.
 */
const char *who_flag_at(u32 mask, size_t *i)
{
	return next_word(flags, ARRAY_SIZE(flags), mask, i);
}

/* Return the name of the next excluded mode, as who_flag_at() does. */
const char *who_exclude_at(u32 mask, size_t *i)
{
	return next_word(excludes, ARRAY_SIZE(excludes), mask, i);
}

/* Format the flags as "process,threads", truncated to @len bytes. */
const char *who_flags(u32 mask, char *buf, size_t len)
{
	size_t i = 0, used = 0;
	const char *name;

	buf[0] = '\0';
	while (used < len && (name = who_flag_at(mask, &i)))
		used += snprintf(buf + used, len - used, "%s%s", used ? "," : "", name);
	return buf;
}

/* Hardware events with a name of their own have no back end in event_name_at(). */
static bool is_name_of(const struct event_name *name, const struct tprof_lx_listed *event)
{
	return name->text && name->type == event->type && name->config == event->config &&
	       (!name->backend || !strcmp(name->backend, event->backend));
}

/* Format an event in the syntax of -e if possible. */
const char *who_event(const struct tprof_lx_listed *event, char *buf, size_t len)
{
	const struct event_name *name;
	size_t i;

	if (event_name_find(event->backend)) {
		snprintf(buf, len, "%s", event->backend);
		return buf;
	}
	for (i = 0; (name = event_name_at(i)); i++) {
		if (is_name_of(name, event)) {
			snprintf(buf, len, "%s", name->name);
			return buf;
		}
	}
	if (event->type == PERF_TYPE_RAW)
		snprintf(buf, len, "r%llx", event->config);
	else
		snprintf(buf, len, "type %u config 0x%llx", event->type, event->config);
	return buf;
}

const char *who_scope(const struct tprof_lx_listed *event, char *buf, size_t len)
{
	const char *tasks = event->scope & TPROF_LX_SCOPE_TARGETS ? "processes" : "system";

	if (event->scope & TPROF_LX_SCOPE_CPUS)
		snprintf(buf, len, "%s, %u CPU%s", tasks, event->nr_cpus,
			 event->nr_cpus == 1 ? "" : "s");
	else
		snprintf(buf, len, "%s", tasks);
	return buf;
}

const char *who_mode(const struct tprof_lx_listed *event)
{
	bool has_user = !(event->excludes & TPROF_LX_EXCLUDE_USER);
	bool has_kernel = !(event->excludes & TPROF_LX_EXCLUDE_KERNEL);

	if (has_user && has_kernel)
		return "all";
	return has_user ? "user" : has_kernel ? "kernel" : "none";
}

/* Return true if the event takes samples. */
bool who_samples(const struct tprof_lx_listed *event)
{
	return event->period || event->freq;
}

/* Format how often an event samples: "4,000 Hz", or each "10,000" events or nanoseconds. */
const char *who_period(const struct tprof_lx_listed *event, char *buf, size_t len)
{
	char number[32];

	if (!who_samples(event))
		snprintf(buf, len, "counts");
	else if (event->freq)
		snprintf(buf, len, "%s Hz", count_text(event->freq, number, sizeof(number)));
	else
		snprintf(buf, len, "%s", count_text(event->period, number, sizeof(number)));
	return buf;
}

/* Return true if the cost is known: of counters, it may not have been measured yet. */
bool who_is_measured(const struct tprof_lx_listed *event)
{
	return event->ran_ns && who_samples(event) &&
	       (!event->taken || event->interrupts || event->handler_ns);
}

/*
 * Return for how long an event with the sums @event has run on the CPU with the numbers @part. A
 * timer of `nmi` runs on another CPU than the one that it samples, on which the event may not run:
 * then the cost there is a share of the mean time of its CPUs.
 */
u64 who_time_on(const struct tprof_lx_listed *event, const struct tprof_lx_listed *part)
{
	if (part->ran_ns || !event->nr_cpus)
		return part->ran_ns;
	return event->ran_ns / event->nr_cpus;
}

/* Return the share of @ns in the time for which an event ran. */
double who_percent(u64 ns, u64 ran_ns)
{
	return ran_ns ? 100.0 * (double)ns / (double)ran_ns : 0;
}

/* Return @nr for each second in which an event ran on a CPU. */
double who_rate(u64 nr, u64 ran_ns)
{
	return ran_ns ? (double)nr * NSEC_PER_SEC / (double)ran_ns : 0;
}
