// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info --who - which process samples what at which rate, and what that costs
 *
 * The costs are those of the module: kmod/pmu/cost.h defines them. A share is of the time for
 * which an event has run, so it is an average since the event was added.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number_text.h"
#include "base/printable.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "show/info_who.h"
#include "show/session_state.h"
#include "show/who.h"

/**
 * struct cpu_cost - what the running events cost a CPU
 * @is_present:	there is such a CPU: their numbers may have gaps
 * @around_ns:	estimate for one interrupt
 * @handlers:	share of the time in handlers, in percent
 * @around:	estimated share of the time before and after handlers, in percent
 */
struct cpu_cost {
	bool	is_present;
	u64	around_ns;
	double	handlers;
	double	around;
};

/**
 * struct who - the events of all sessions
 * @events:	events, with the sums over all CPUs
 * @nr_events:	number of @events
 * @parts:	for each CPU, the same events in the same order; zeroes if there is none
 * @cpus:	for each CPU, what it costs
 * @nr_cpus:	number of @cpus
 */
struct who {
	struct tprof_lx_listed *events;
	u32	nr_events;
	struct tprof_lx_listed *parts;
	struct cpu_cost *cpus;
	u32	nr_cpus;
};

static void free_who(struct who *who)
{
	free(who->events);
	free(who->parts);
	free(who->cpus);
}

/*
 * List the events with the numbers of @cpu. Events may be added meanwhile, so repeat it until the
 * list has room for all. Return 0 or -errno.
 */
static int list_events(int device, u32 cpu, struct tprof_lx_listed **events, u32 *nr,
		       u64 *around_ns)
{
	u32 room = 64;
	int err;

	for (;; room = *nr + 16) {
		*events = calloc(room, sizeof(**events));
		if (!*events)
			return -ENOMEM;
		err = device_events(device, cpu, *events, room, nr, around_ns);
		if (!err && *nr <= room)
			return 0;
		free(*events);
		*events = NULL;
		if (err)
			return err;
	}
}

/* Copy the numbers of a CPU to @parts. An event may have been added or removed meanwhile. */
static void keep_part(struct who *who, u32 cpu, const struct tprof_lx_listed *part)
{
	struct cpu_cost *cost = &who->cpus[cpu];
	u64 ran_ns;
	u32 i;

	for (i = 0; i < who->nr_events; i++) {
		if (part->id && who->events[i].id == part->id)
			break;
	}
	if (i == who->nr_events)
		return;
	who->parts[(size_t)cpu * who->nr_events + i] = *part;
	if (part->state != TPROF_LX_STATE_RUNNING)
		return;
	ran_ns = who_time_on(&who->events[i], part);
	cost->handlers += who_percent(part->handler_ns, ran_ns);
	cost->around += who_percent(part->around_ns, ran_ns);
}

static int read_cpu(int device, struct who *who, u32 cpu)
{
	struct tprof_lx_listed *parts;
	u32 i, nr;
	int err = list_events(device, cpu, &parts, &nr, &who->cpus[cpu].around_ns);

	if (err)
		return err == -EINVAL ? 0 : err;
	who->cpus[cpu].is_present = true;
	for (i = 0; i < nr; i++)
		keep_part(who, cpu, &parts[i]);
	free(parts);
	return 0;
}

static int read_who(int device, const struct device_info *info, struct who *who)
{
	u64 around_ns;
	u32 cpu;
	int err = list_events(device, TPROF_LX_SUM, &who->events, &who->nr_events, &around_ns);

	if (err)
		return err;
	who->nr_cpus = info->info.nr_cpus;
	who->cpus = calloc(who->nr_cpus, sizeof(*who->cpus));
	who->parts = calloc((size_t)who->nr_cpus * (who->nr_events + 1), sizeof(*who->parts));
	if (!who->cpus || !who->parts)
		return -ENOMEM;
	for (cpu = 0; cpu < who->nr_cpus && !err; cpu++)
		err = read_cpu(device, who, cpu);
	return err;
}

static void print_event(const struct tprof_lx_listed *event)
{
	char name[WHO_EVENT_LEN], scope[WHO_SCOPE_LEN], period[WHO_PERIOD_LEN];
	char rate[32] = "-", cost[32] = "-", flags[WHO_FLAGS_LEN];

	if (event->state == TPROF_LX_STATE_BUSY) {
		printf("%7d %-15s %6u  %s\n", event->pid, printable(event->comm), event->uid,
		       session_state(event->state));
		return;
	}
	if (event->ran_ns && who_samples(event))
		snprintf(rate, sizeof(rate), "%.1f", who_rate(event->taken, event->ran_ns));
	if (who_is_measured(event))
		snprintf(cost, sizeof(cost), "%.3f%%",
			 who_percent(event->handler_ns + event->around_ns, event->ran_ns));
	printf("%7d %-15s %6u %-8s %-18s %-17s %-6s %12s %-8s %11s %8s%s%s\n", event->pid,
	       printable(event->comm), event->uid, event->backend,
	       who_event(event, name, sizeof(name)), who_scope(event, scope, sizeof(scope)),
	       who_mode(event), who_period(event, period, sizeof(period)),
	       session_state(event->state), rate, cost, event->flags ? "  " : "",
	       who_flags(event->flags, flags, sizeof(flags)));
}

static void print_text(const struct who *who)
{
	const struct cpu_cost *cpu;
	u32 i;

	if (!who->nr_events) {
		say_note("no session has an event");
		return;
	}
	printf("%7s %-15s %6s %-8s %-18s %-17s %-6s %12s %-8s %11s %8s  %s\n", "PID", "COMMAND",
	       "USER", "BACK END", "EVENT", "SCOPE", "MODE", "PERIOD", "STATE", "SAMPLES/S",
	       "COST", "FLAGS");
	for (i = 0; i < who->nr_events; i++)
		print_event(&who->events[i]);
	printf("\n%3s %8s  %s\n", "CPU", "COST", "OF WHICH MEASURED IN HANDLERS; ESTIMATE FOR ENTRY AND EXIT");
	for (i = 0; i < who->nr_cpus; i++) {
		cpu = &who->cpus[i];
		if (cpu->is_present)
			printf("%3u %7.3f%%  %.3f%%; %.3f%%, at %llu ns an interrupt\n", i,
			       cpu->handlers + cpu->around, cpu->handlers, cpu->around,
			       cpu->around_ns);
	}
}

static void json_numbers(struct json *json, const struct tprof_lx_listed *part)
{
	json_u64(json, "taken", part->taken);
	json_u64(json, "lost", part->lost);
	json_u64(json, "ran_ns", part->ran_ns);
	json_u64(json, "interrupts", part->interrupts);
	json_u64(json, "handler_ns", part->handler_ns);
	json_u64(json, "around_ns", part->around_ns);
}

static void json_words(struct json *json, const char *key, u32 mask,
		       const char *(*at)(u32 mask, size_t *i))
{
	const char *name;
	size_t i = 0;

	json_begin(json, key, '[');
	while ((name = at(mask, &i)))
		json_string(json, NULL, name);
	json_end(json, ']');
}

static void json_description(struct json *json, const struct tprof_lx_listed *event)
{
	char name[WHO_EVENT_LEN];

	json_u64(json, "id", event->id);
	json_u64(json, "index", event->index);
	json_string(json, "backend", event->backend);
	json_string(json, "event", who_event(event, name, sizeof(name)));
	json_u64(json, "type", event->type);
	json_hex(json, "config", event->config);
	json_string(json, "scope",
		    event->scope & TPROF_LX_SCOPE_TARGETS ? "processes" : "system");
	json_bool(json, "all_cpus", !(event->scope & TPROF_LX_SCOPE_CPUS));
	json_u64(json, "nr_cpus", event->nr_cpus);
	json_words(json, "excludes", event->excludes, who_exclude_at);
	json_words(json, "flags", event->flags, who_flag_at);
	json_u64(json, "period", event->period);
	json_u64(json, "freq", event->freq);
}

static void json_parts(struct json *json, const struct who *who, u32 index)
{
	u32 cpu;

	json_begin(json, "cpus", '[');
	for (cpu = 0; cpu < who->nr_cpus; cpu++) {
		const struct tprof_lx_listed *part =
			&who->parts[(size_t)cpu * who->nr_events + index];

		if (!part->ran_ns && !part->taken && !part->interrupts)
			continue;
		json_begin(json, NULL, '{');
		json_u64(json, "cpu", cpu);
		json_numbers(json, part);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void json_event(struct json *json, const struct who *who, u32 index)
{
	const struct tprof_lx_listed *event = &who->events[index];

	json_begin(json, NULL, '{');
	json_u64(json, "session", event->session);
	json_s64(json, "pid", event->pid);
	json_string(json, "comm", event->comm);
	json_u64(json, "uid", event->uid);
	json_string(json, "state", session_state(event->state));
	if (event->state != TPROF_LX_STATE_BUSY) {
		json_description(json, event);
		json_numbers(json, event);
		json_parts(json, who, index);
	}
	json_end(json, '}');
}

static void print_json(struct json *json, const struct who *who)
{
	u32 i;

	json_begin(json, "events", '[');
	for (i = 0; i < who->nr_events; i++)
		json_event(json, who, i);
	json_end(json, ']');
	json_begin(json, "cpus", '[');
	for (i = 0; i < who->nr_cpus; i++) {
		if (!who->cpus[i].is_present)
			continue;
		json_begin(json, NULL, '{');
		json_u64(json, "cpu", i);
		json_fixed(json, "handlers_percent", who->cpus[i].handlers, 6);
		json_fixed(json, "around_percent", who->cpus[i].around, 6);
		json_u64(json, "around_ns_of_interrupt", who->cpus[i].around_ns);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static int show(int device, const struct device_info *info, const struct facts *facts)
{
	struct who who = { 0 };
	int err;

	if (!(info->info.features & TPROF_LX_FEATURE_EVENTS))
		return say_error("the loaded module (version %s) does not list events; update and reload it",
				 info->info.version);
	err = read_who(device, info, &who);
	if (err)
		say_error("cannot list the events: %s", strerror(-err));
	else if (facts->json)
		print_json(facts->json, &who);
	else
		print_text(&who);
	free_who(&who);
	return err ? STATUS_FAILED : STATUS_OK;
}

/* Print the events of all sessions that the user may see. Return the exit status. */
int info_who(const struct facts *facts)
{
	struct device_info info;
	struct message msg;
	int status, device = open_device(&info, &msg);

	if (device < 0)
		return say_error("%s", msg.text);
	status = show(device, &info, facts);
	close(device);
	return status;
}
