// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the names, events and holders of a CPU's counters
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/printable.h"
#include "live/counters.h"

static const struct {
	const char *prefix;
	u32 kind;
} kinds[] = {
	{ "gp", TPROF_LX_ROW_GENERAL },
	{ "fixed", TPROF_LX_ROW_FIXED },
};

static const char *const states[] = {
	[TPROF_LX_ROW_FREE] = "free",
	[TPROF_LX_ROW_TAKEN] = "taken",
	[TPROF_LX_ROW_DISABLED] = "disabled",
	[TPROF_LX_ROW_FOREIGN] = "foreign",
	[TPROF_LX_ROW_YIELDED] = "yielded",
};

/* Names of the PERF_TYPE_HARDWARE events, indexed by config. */
static const char *const generic[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

/* Format the name of a counter, such as gp0 or fixed1. */
const char *counter_name(const struct tprof_lx_row *row, char *buf, size_t len)
{
	const char *prefix = "counter";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].kind == row->kind)
			prefix = kinds[i].prefix;
	}
	snprintf(buf, len, "%s%u", prefix, row->number);
	return buf;
}

/*
 * Parse the name of a counter, and set the kind and number in @arg.
 */
int counter_parse(const char *text, struct tprof_lx_row_admin *arg)
{
	size_t i, len;
	u64 number;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		len = strlen(kinds[i].prefix);
		if (strncmp(text, kinds[i].prefix, len) ||
		    strspn(text + len, "0123456789") != strlen(text + len) ||
		    parse_u64(text + len, &number) || number > ~0U)
			continue;
		arg->kind = kinds[i].kind;
		arg->number = number;
		return 0;
	}
	return -EINVAL;
}

/* Format the event of a counter, in the syntax of -e if possible. */
const char *counter_event(const struct tprof_lx_row *row, char *buf, size_t len)
{
	if (row->type == PERF_TYPE_HARDWARE && row->config < ARRAY_SIZE(generic))
		snprintf(buf, len, "%s", generic[row->config]);
	else if (row->type == PERF_TYPE_RAW)
		snprintf(buf, len, "r%llx", row->config);
	else
		snprintf(buf, len, "type %u config 0x%llx", row->type, row->config);
	return buf;
}

/* Return "free", "taken" or "disabled", or "?" for an unknown state. */
const char *counter_state(const struct tprof_lx_row *row)
{
	return row->state < ARRAY_SIZE(states) ? states[row->state] : "?";
}

/* Return true if the module reports which counters the event lacks that it has refused. */
static bool has_culprits(const struct tprof_lx_row *rows, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (rows[i].in_way && rows[i].state != TPROF_LX_ROW_FREE)
			return true;
	}
	return false;
}

/*
 * Format the holders of a CPU's counters as "gp0 NAME (process PID), gp1 disabled",
 * truncated to @len bytes. If the module reports which of them are in the way of an event,
 * format only these. Return the number of counters that are not free.
 */
u32 counters_holders(const struct tprof_lx_row *rows, u32 nr, char *text, size_t len)
{
	char name[COUNTER_NAME_LEN];
	bool is_choice = has_culprits(rows, nr);
	size_t used = 0;
	u32 i, nr_held = 0;

	text[0] = '\0';
	for (i = 0; i < nr; i++) {
		if (rows[i].state == TPROF_LX_ROW_FREE)
			continue;
		nr_held++;
		if (is_choice && !rows[i].in_way)
			continue;
		if (used < len)
			used += snprintf(text + used, len - used, "%s%s ", used ? ", " : "",
					 counter_name(&rows[i], name, sizeof(name)));
		if (used < len && rows[i].state == TPROF_LX_ROW_TAKEN)
			used += snprintf(text + used, len - used, "%s (process %u)",
					 printable(rows[i].comm),
					 rows[i].pid);
		else if (used < len)
			used += snprintf(text + used, len - used, "%s", counter_state(&rows[i]));
		if (used < len && rows[i].sharers)
			used += snprintf(text + used, len - used, " and %u more", rows[i].sharers);
	}
	return nr_held;
}
