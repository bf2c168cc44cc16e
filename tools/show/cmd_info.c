// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info - describe the loaded module or a recording
 */
#include <stdio.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "show/info_file.h"
#include "show/info_who.h"
#include "show/session_state.h"

/**
 * struct info_options - the parsed command line
 * @input:	-i, or NULL for the module
 * @json:	--json
 * @who:	--who
 */
struct info_options {
	const char *input;
	bool	json;
	bool	who;
};

static const struct {
	u64 bit;
	const char *name;
} features[] = {
	{ TPROF_LX_FEATURE_TARGETS, "targets" },
	{ TPROF_LX_FEATURE_TRACKING, "tracking" },
	{ TPROF_LX_FEATURE_MMAP, "mmap" },
	{ TPROF_LX_FEATURE_BUILD_ID, "build-id" },
	{ TPROF_LX_FEATURE_MODULES, "modules" },
	{ TPROF_LX_FEATURE_COUNTING, "counting" },
	{ TPROF_LX_FEATURE_ROWS, "rows" },
	{ TPROF_LX_FEATURE_CHAINS, "chains" },
	{ TPROF_LX_FEATURE_DEFERRED, "deferred" },
	{ TPROF_LX_FEATURE_EXACT_PERIODS, "exact-periods" },
	{ TPROF_LX_FEATURE_PROCESS, "process" },
	{ TPROF_LX_FEATURE_ATTACH, "attach" },
	{ TPROF_LX_FEATURE_ENDING, "ending" },
	{ TPROF_LX_FEATURE_RELEASE, "release" },
	{ TPROF_LX_FEATURE_MAPPING, "mapping" },
	{ TPROF_LX_FEATURE_PROCESS_SAMPLES, "process-samples" },
	{ TPROF_LX_FEATURE_UNPRIVILEGED, "unprivileged" },
	{ TPROF_LX_FEATURE_THREADS, "threads" },
	{ TPROF_LX_FEATURE_WAITS, "waits" },
	{ TPROF_LX_FEATURE_STALL, "stall" },
	{ TPROF_LX_FEATURE_PAGE, "pages" },
	{ TPROF_LX_FEATURE_TABLES, "tables" },
	{ TPROF_LX_FEATURE_COUNT_RECORDS, "count-records" },
	{ TPROF_LX_FEATURE_BESIDE, "beside" },
	{ TPROF_LX_FEATURE_PARALLELISM, "parallelism" },
	{ TPROF_LX_FEATURE_NAMES, "names" },
	{ TPROF_LX_FEATURE_EVENTS, "events" },
	{ TPROF_LX_FEATURE_EVENT_CPUS, "event-cpus" },
	{ TPROF_LX_FEATURE_STACKS, "stacks" },
	{ TPROF_LX_FEATURE_FOLLOW, "follow" },
};

static void print_features(const struct facts *facts, u64 bits)
{
	char text[512] = "";
	size_t i, used = 0;

	if (facts->json)
		json_begin(facts->json, "features", '[');
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (!(bits & features[i].bit))
			continue;
		if (facts->json)
			json_string(facts->json, NULL, features[i].name);
		else
			used += snprintf(text + used, sizeof(text) - used, "%s%s",
					 used ? ", " : "", features[i].name);
	}
	if (facts->json)
		json_end(facts->json, ']');
	else
		facts_text(facts, "features", "features", text);
}

static void print_module(const struct facts *facts, const struct tprof_lx_info *info)
{
	facts_text(facts, "tool_version", "tprof-lx", TPROF_LX_VERSION);
	facts_text(facts, "device", "device", DEVICE_PATH);
	facts_text(facts, "module_version", "module", info->version);
	facts_count(facts, "abi_version", "interface", info->abi_version);
	print_features(facts, info->features);
	/* nr_sessions includes the session of this process. */
	facts_count(facts, "access", "access without privileges", info->access);
	facts_count(facts, "sessions", "other sessions", info->nr_sessions - 1);
	facts_count(facts, "cpus", "possible CPUs", info->nr_cpus);
	facts_count(facts, "max_rate", "highest rate, Hz", info->max_rate);
	facts_count(facts, "max_stack", "frames of a call chain, at most", info->max_stack);
	facts_size(facts, "ring_min", "smallest ring", info->ring_min);
	facts_size(facts, "ring_max", "largest ring", info->ring_max);
	facts_size(facts, "ring_default", "default ring", info->ring_default);
	facts_size(facts, "fifo_min", "smallest queue", info->fifo_min);
	facts_size(facts, "fifo_max", "largest queue", info->fifo_max);
	facts_size(facts, "fifo_default", "default queue", info->fifo_default);
	facts_count(facts, "flush_ms_default", "flush, ms", info->flush_ms_default);
}

static void print_nmis(const struct facts *facts, const struct tprof_lx_stats *stats)
{
	facts_count(facts, "nmi_sampled", "NMIs that sampled", stats->nmi_sampled);
	facts_count(facts, "nmi_late", "NMIs come late", stats->nmi_late);
	facts_count(facts, "nmi_collapsed", "NMIs not sent", stats->nmi_collapsed);
	facts_count(facts, "nmi_foreign", "NMIs of others", stats->nmi_foreign);
}

static void print_totals(const struct facts *facts, const struct tprof_lx_stats *stats)
{
	facts_count(facts, "calls", "calls", stats->calls);
	facts_count(facts, "calls_failed", "calls that failed", stats->calls_failed);
	facts_count(facts, "buffers", "buffers requested", stats->buffers);
	facts_count(facts, "buffers_failed", "buffers without memory", stats->buffers_failed);
}

/* What the sessions that have ended have left, too. An older module has none of these. */
static void print_more_totals(const struct facts *facts, const struct tprof_lx_stats *stats)
{
	facts_count(facts, "ipi_calls", "calls on CPUs", stats->ipi_calls);
	facts_count(facts, "cpu_works", "works of CPUs", stats->cpu_works);
	facts_count(facts, "grace_periods", "grace periods", stats->grace_periods);
	facts_count(facts, "total_lost", "samples lost to full rings", stats->total_lost);
	facts_count(facts, "total_side_lost", "other records lost", stats->total_side_lost);
	facts_count(facts, "total_stalls", "stalls at full rings", stats->total_stalls);
	facts_count(facts, "total_rounds", "passes that moved records", stats->total_rounds);
	facts_count(facts, "total_empty_rounds", "passes without records",
		    stats->total_empty_rounds);
	facts_count(facts, "total_interrupts", "interrupts of samples", stats->total_interrupts);
	facts_seconds(facts, "total_handler_ns", "time in their handlers",
		      stats->total_handler_ns);
	facts_seconds(facts, "total_around_ns", "around these, estimated", stats->total_around_ns);
	facts_count(facts, "total_kicks", "flushes that rings asked for", stats->total_kicks);
}

/* A module that is older than a total leaves its field 0. */
static bool has_totals(const struct tprof_lx_info *info)
{
	return info->features & TPROF_LX_FEATURE_EVENTS &&
	       !(info->features & TPROF_LX_FEATURE_UNPRIVILEGED);
}

static void print_backends(const struct facts *facts, const struct device_info *info)
{
	const struct tprof_lx_backend *backend;
	u32 i;

	facts_begin(facts, "backends", "back ends");
	for (i = 0; i < info->info.nr_backends; i++) {
		backend = &info->backends[i];
		if (!facts->json) {
			printf("  %-16s %u events in use; %s\n", backend->name,
			       backend->nr_events, backend->text);
			continue;
		}
		json_begin(facts->json, NULL, '{');
		json_string(facts->json, "name", backend->name);
		json_u64(facts->json, "events_in_use", backend->nr_events);
		json_string(facts->json, "text", backend->text);
		json_end(facts->json, '}');
	}
	facts_end(facts);
}

static void print_session(const struct facts *facts, const struct tprof_lx_session *session)
{
	const struct tprof_lx_ledger *ledger = &session->ledger;
	struct json *json = facts->json;

	if (!json) {
		printf("  %-16s pid %d, %s, %u events; samples: %llu taken, %llu delivered, %llu queued, %llu filtered, %llu lost",
		       printable(session->comm), session->pid, session_state(session->state),
		       session->nr_events, ledger->taken, ledger->delivered, ledger->queued,
		       ledger->filtered, ledger->lost_ring);
		if (session->stalls)
			printf("; stalled %llu times, for %.3f s", session->stalls,
			       (double)session->stalled_ns / NSEC_PER_SEC);
		putchar('\n');
		return;
	}
	json_begin(json, NULL, '{');
	json_string(json, "comm", session->comm);
	json_u64(json, "pid", session->pid);
	json_string(json, "state", session_state(session->state));
	json_u64(json, "events", session->nr_events);
	json_u64(json, "taken", ledger->taken);
	json_u64(json, "delivered", ledger->delivered);
	json_u64(json, "queued", ledger->queued);
	json_u64(json, "filtered", ledger->filtered);
	json_u64(json, "lost_ring", ledger->lost_ring);
	json_u64(json, "stalls", session->stalls);
	json_u64(json, "stalled_ns", session->stalled_ns);
	json_u64(json, "side_lost", session->side_lost);
	json_u64(json, "bytes_read", session->bytes_read);
	json_end(json, '}');
}

/* Print all sessions except that of this process, with their ledgers. */
static void print_sessions(const struct facts *facts, const struct tprof_lx_session *sessions,
			   u32 nr)
{
	u32 i;

	if (nr < 2 && !facts->json)
		return;
	facts_begin(facts, "session_list", "sessions");
	for (i = 0; i < nr; i++) {
		if (sessions[i].pid != getpid())
			print_session(facts, &sessions[i]);
	}
	facts_end(facts);
}

static int info_module(const struct facts *facts)
{
	struct tprof_lx_session sessions[TPROF_LX_MAX_SESSIONS];
	struct tprof_lx_stats stats;
	struct device_info info;
	struct message msg;
	int err, fd = open_device(&info, &msg);
	u32 nr = 0;

	if (fd < 0)
		return say_error("%s", msg.text);
	err = device_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats);
	/* Ignore errors: an older module cannot list sessions. Then, @nr stays 0. */
	device_sessions(fd, sessions, ARRAY_SIZE(sessions), &nr);
	close(fd);
	print_module(facts, &info.info);
	if (!err) {
		print_nmis(facts, &stats);
		print_totals(facts, &stats);
		if (has_totals(&info.info))
			print_more_totals(facts, &stats);
	}
	print_backends(facts, &info);
	print_sessions(facts, sessions, nr);
	return STATUS_OK;
}

#define ROW(...) OPTION_ROW(struct info_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('i', "input", "FILE", option_text, input,
	    "describe the recording FILE, or a pipe with -, instead of the module"),
	ROW(0, "json", NULL, option_flag, json, "print JSON"),
	ROW(0, "who", NULL, option_flag, who,
	    "list which process samples what at which rate, and what that costs each CPU"),
	{ 0 }
};

static int run(const struct command *self, int argc, char **argv)
{
	struct json json = { .out = stdout, .indent = true, .first = true };
	struct info_options opts = { 0 };
	struct facts facts = { 0 };
	int status;

	status = no_operands(argc, argv, options_parse(self, &opts, argc, argv));
	if (status)
		return status;
	if (opts.input && opts.who)
		return say_usage("info: --who describes the module; leave out -i");
	if (opts.json) {
		facts.json = &json;
		json_begin(&json, NULL, '{');
	}
	if (opts.who)
		status = info_who(&facts);
	else
		status = opts.input ? info_file(opts.input, &facts) : info_module(&facts);
	if (opts.json)
		json_end(&json, '}');
	return status;
}

const struct command info_command = {
	.name = "info",
	.summary = "describe the loaded module or a recording",
	.operands = "",
	.text = "For the module, prints versions, limits, back ends, what it has done since it was\n"
		"loaded, and the sessions that use it with their ledgers. For a recording, prints where and how it was\n"
		"made, its events, the number of its records, and its ledger.\n",
	.options = rows,
	.run = run,
};
