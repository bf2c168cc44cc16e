// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print JSON
 */
#include "base/json.h"
#include "report/report_format.h"
#include "report/report_rows.h"
#include "report/report_sum.h"
#include "report/report_counts.h"
#include "report/report_threads.h"

static void json_interval(struct json *json, const char *name, struct interval interval)
{
	json_begin(json, name, '[');
	json_fixed(json, NULL, interval.low, 4);
	json_fixed(json, NULL, interval.high, 4);
	json_end(json, ']');
}

static void json_column(struct json *json, const struct column *column, u64 value,
			const struct profile *profile)
{
	char buf[COLUMN_TEXT_LEN];

	switch (column->kind) {
	case COLUMN_TEXT:
		json_string(json, column->word, column->text(value, buf, sizeof(buf)));
		break;
	case COLUMN_NUMBER:
	case COLUMN_TIME:
		json_u64(json, column->word, value);
		break;
	case COLUMN_PERCENT:
		json_fixed(json, column->word, profile_share(value, profile_whole(profile, column)),
			   4);
		break;
	case COLUMN_INTERVAL:
		json_interval(json, column->word, profile_interval(profile, value));
		break;
	}
}

/* Print a call tree without recursion, because paths can be very long. */
static void json_tree(struct json *json, const struct call_node *root, bool is_latency)
{
	const struct call_node *node = root->first;
	char buf[COLUMN_TEXT_LEN];

	json_begin(json, "calls", '[');
	while (node) {
		json_begin(json, NULL, '{');
		json_string(json, "sym", symbol_key_text(node->key, buf, sizeof(buf)));
		json_u64(json, is_latency ? "latency" : "period", node->period);
		json_u64(json, "samples", node->samples);
		if (node->first) {
			json_begin(json, "calls", '[');
			node = node->first;
			continue;
		}
		json_end(json, '}');
		while (!node->next && node->parent != root) {
			node = node->parent;
			json_end(json, ']');
			json_end(json, '}');
		}
		node = node->next;
	}
	json_end(json, ']');
}

static void json_profile(struct json *json, const struct report_options *opts,
			 const struct profile *profile)
{
	const struct call_node *tree;
	struct profile_entry entry;
	size_t i, at;

	json_begin(json, NULL, '{');
	json_string(json, "event", profile->event);
	json_u64(json, "samples", profile->samples);
	json_u64(json, "period", opts->gather.latency ? profile->spent : profile->period);
	if (opts->gather.latency)
		json_u64(json, "latency", profile->period);
	if (opts->wall)
		json_u64(json, "off_cpu", profile->off_period);
	json_begin(json, "entries", '[');
	for (i = 0; i < profile->entries.nr; i++) {
		entry = profile_sorted(profile, i);
		if (!report_is_shown(opts, profile, &entry))
			continue;
		json_begin(json, NULL, '{');
		for (at = 0; at < opts->nr_columns; at++)
			json_column(json, opts->columns[at],
				    profile_value(profile, &entry, opts->columns[at]), profile);
		tree = profile_tree(profile, profile->sorted[i]);
		if (tree)
			json_tree(json, tree, opts->gather.latency);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

static int print_json(const struct report_options *opts, const struct gather *gather)
{
	struct json json = { .out = stdout, .indent = true, .first = true };
	u32 i;

	json_begin(&json, NULL, '{');
	report_sum_json(gather, &json);
	json_begin(&json, "events", '[');
	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			json_profile(&json, opts, gather->profiles[i]);
	}
	json_end(&json, ']');
	report_counts_json(&json, &gather->counts);
	if (opts->gather.threads)
		report_threads_json(&json, &gather->threads);
	json_end(&json, '}');
	return 0;
}

const struct report_format report_json_format = {
	.has_sum = true,
	.print = print_json,
};
