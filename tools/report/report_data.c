// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - profiles for other programs: JSON and CSV
 */
#include <string.h>

#include "base/json.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "report/report_output.h"

/**
 * struct reason - why something is missing
 * @word:	for programs
 * @text:	what people are told
 */
struct reason {
	const char *word;
	const char *text;
};

static const struct reason statuses[SYMBOL_NR_STATUS] = {
	[SYMBOL_FOUND] = { "resolved", "resolved" },
	[SYMBOL_NO_MAPPING] = { "not_mapped", "where nothing was mapped" },
	[SYMBOL_NO_FILE] = { "no_file", "in a file that is not here" },
	[SYMBOL_OTHER_BUILD] = { "other_build", "in a file that was replaced since" },
	[SYMBOL_TOO_MANY] = { "too_many", "in files beyond how many may be open (ulimit -n)" },
	[SYMBOL_UNREADABLE] = { "unreadable", "in a file that cannot be read" },
	[SYMBOL_STRIPPED] = { "stripped", "in a file without symbols" },
	[SYMBOL_FOREIGN] = { "foreign", "in code whose /tmp/perf-PID.map is another user's" },
	[SYMBOL_HIDDEN] = { "hidden", "in the kernel, which hides its symbols (kptr_restrict)" },
	[SYMBOL_OTHER_KERNEL] = { "other_kernel",
				  "in a kernel that is not this one (see --vmlinux, --kallsyms)" },
	[SYMBOL_NO_FUNCTION] = { "no_function", "in no function" },
};

static const struct reason ends[FRAME_NR_ENDS] = {
	[FRAME_MORE] = { "deep", "as there were too many frames" },
	[FRAME_OUTERMOST] = { "whole", "whole" },
	[FRAME_BEYOND_COPY] = { "beyond_copy", "where the copy of the stack ends" },
	[FRAME_NO_RULES] = { "no_rules", "in code that nothing is known of" },
	[FRAME_NONSENSE] = { "nonsense", "in a stack that makes no sense" },
	[FRAME_NOT_BEGUN] = { "not_begun", "as their registers are not those of 64-bit code" },
};

static const struct reason cuts[LOSSES_NR_CUTS] = {
	[LOSSES_CUT_DEEP] = { "deep", "of more frames than were wanted (--max-stack)" },
	[LOSSES_CUT_ABSENT] = { "absent", "at memory that was not there" },
	[LOSSES_CUT_LOST] = { "lost", "where the kernel's unwinder knew no way on" },
};

/**
 * report_share - a part in percent
 * @part:	the part
 * @whole:	what it is a part of
 *
 * Return: the share, 0 of nothing.
 */
double report_share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/**
 * report_interval - where the share of a period is, in 95 of 100 cases
 * @profile:	the profile
 * @period:	a part of it
 *
 * Return: the interval.
 */
struct interval report_interval(const struct profile *profile, u64 period)
{
	return interval_of(report_share(period, profile->period), profile->samples);
}

/**
 * report_leading_value - the first share of a row, as a period
 * @opts:	what was asked for
 * @entry:	the row
 *
 * Return: the period.
 */
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->kind == COLUMN_PERCENT)
			return opts->columns[i]->value(&entry->tally);
	}
	return entry->tally.period;
}

/**
 * report_is_shown - is an entry above --percent-limit?
 * @opts:	what was asked for
 * @profile:	the profile
 * @entry:	an entry of it
 *
 * Return: true when it is to be printed.
 */
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry)
{
	return report_share(report_leading_value(opts, entry), profile->period) >= opts->limit;
}

/**
 * report_value - what is in a column
 * @opts:	what was asked for
 * @entry:	an entry
 * @column:	the column
 *
 * Return: a number, or what stands for a text.
 */
u64 report_value(const struct report_options *opts, const struct profile_entry *entry,
		 const struct column *column)
{
	size_t i = 0;

	if (column->value)
		return column->value(&entry->tally);
	while (opts->gather.keys.columns[i] != column)
		i++;
	return entry->keys[i];
}

/* Append how much of something there is, and why, but for what is in order, if any is. */
static size_t put_reasons(char *buf, size_t len, const char *what, const struct reason *reasons,
			  const u64 *counts, size_t nr, size_t in_order)
{
	const char *before = ": ";
	char count[32];
	size_t used, i;
	u64 sum = 0;

	for (i = 0; i < nr; i++)
		sum += i == in_order ? 0 : counts[i];
	if (!sum)
		return 0;
	used = snprintf(buf, len, "; %s %s", count_text(sum, count, sizeof(count)), what);
	for (i = 0; i < nr && used < len; i++) {
		if (!counts[i] || i == in_order)
			continue;
		used += snprintf(buf + used, len - used, "%s%s %s", before,
				 count_text(counts[i], count, sizeof(count)), reasons[i].text);
		before = ", ";
	}
	return used < len ? used : len - 1;
}

/* Append how much there is of what is not in the report. */
static size_t put_count(char *buf, size_t len, u64 nr, const char *what)
{
	char count[32];
	size_t used;

	if (!nr)
		return 0;
	used = snprintf(buf, len, "; %s %s", count_text(nr, count, sizeof(count)), what);
	return used < len ? used : len - 1;
}

/**
 * report_sum_text - how much was read, and what of it is missing
 * @gather:	what was gathered
 * @buf:	room for the text
 * @len:	size of @buf
 *
 * Return: @buf.
 */
const char *report_sum_text(const struct gather *gather, char *buf, size_t len)
{
	u64 lost = losses_sum(&gather->losses);
	char count[32];
	size_t used;

	used = snprintf(buf, len, "%s samples", count_text(gather->samples, count, sizeof(count)));
	used += snprintf(buf + used, len - used, "; %s lost",
			 lost ? count_text(lost, count, sizeof(count)) : "none");
	used += put_reasons(buf + used, len - used, "without a symbol", statuses,
			    gather->unresolved, SYMBOL_NR_STATUS, SYMBOL_FOUND);
	used += put_reasons(buf + used, len - used, "call chains cut", ends, gather->chain.ends,
			    FRAME_NR_ENDS, FRAME_OUTERMOST);
	used += put_reasons(buf + used, len - used, "call chains cut when recorded", cuts,
			    gather->losses.cuts, LOSSES_NR_CUTS, LOSSES_NR_CUTS);
	used += put_count(buf + used, len - used, gather->nr_continued,
			  "call chains continued before their threads ran on");
	used += put_count(buf + used, len - used, gather->losses.filtered,
			  "left out by a filter when it was recorded");
	used += put_count(buf + used, len - used, gather->paths_left_out,
			  "call paths for which the trees had no room");
	used += put_count(buf + used, len - used, world_left_out(&gather->world),
			  "mappings for which there was no room");
	put_count(buf + used, len - used, gather->world.jits.nr_unused,
		  "jit-PID.dump that is not here, not to be trusted or of another clock");
	return buf;
}

static void json_reasons(struct json *json, const char *name, const struct reason *reasons,
			 const u64 *counts, size_t nr)
{
	size_t i;

	json_begin(json, name, '{');
	for (i = 0; i < nr; i++)
		json_u64(json, reasons[i].word, counts[i]);
	json_end(json, '}');
}

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
		json_u64(json, column->word, value);
		break;
	case COLUMN_PERCENT:
		json_fixed(json, column->word, report_share(value, profile->period), 4);
		break;
	case COLUMN_INTERVAL:
		json_interval(json, column->word, report_interval(profile, value));
		break;
	}
}

/* Down and along, and up where that ends: paths can be very long. */
static void json_tree(struct json *json, const struct call_node *root)
{
	const struct call_node *node = root->first;
	char buf[COLUMN_TEXT_LEN];

	json_begin(json, "calls", '[');
	while (node) {
		json_begin(json, NULL, '{');
		json_string(json, "sym", symbol_key_text(node->key, buf, sizeof(buf)));
		json_u64(json, "period", node->period);
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
	const struct profile_entry *entry;
	size_t i, at;

	json_begin(json, NULL, '{');
	json_string(json, "event", profile->event);
	json_u64(json, "samples", profile->samples);
	json_u64(json, "period", profile->period);
	json_begin(json, "entries", '[');
	for (i = 0; i < profile->table.nr; i++) {
		entry = profile->sorted[i];
		if (!report_is_shown(opts, profile, entry))
			continue;
		json_begin(json, NULL, '{');
		for (at = 0; at < opts->nr_columns; at++)
			json_column(json, opts->columns[at],
				    report_value(opts, entry, opts->columns[at]), profile);
		if (entry->tree)
			json_tree(json, entry->tree);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

/**
 * report_json - print all profiles as one JSON document
 * @opts:	what was asked for
 * @gather:	the profiles, in order
 */
void report_json(const struct report_options *opts, const struct gather *gather)
{
	struct json json = { .out = stdout, .indent = true, .first = true };
	u32 i;

	json_begin(&json, NULL, '{');
	json_u64(&json, "samples", gather->samples);
	json_u64(&json, "lost", losses_sum(&gather->losses));
	json_reasons(&json, "symbols", statuses, gather->unresolved, SYMBOL_NR_STATUS);
	json_reasons(&json, "unwound_chains", ends, gather->chain.ends, FRAME_NR_ENDS);
	json_reasons(&json, "cut_chains", cuts, gather->losses.cuts, LOSSES_NR_CUTS);
	json_u64(&json, "continued_chains", gather->nr_continued);
	json_begin(&json, "events", '[');
	for (i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			json_profile(&json, opts, gather->profiles[i]);
	}
	json_end(&json, ']');
	json_end(&json, '}');
}

static void csv_text(const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* It is the first value of each line, whatever else is. */
static bool is_event(const struct column *column)
{
	return column == column_find("event");
}

static void csv_entry(const struct report_options *opts, const struct profile *profile,
		      const struct profile_entry *entry)
{
	const struct column *column;
	struct interval interval;
	char buf[COLUMN_TEXT_LEN];
	size_t i;
	u64 value;

	csv_text(printable(profile->event));
	for (i = 0; i < opts->nr_columns; i++) {
		column = opts->columns[i];
		if (is_event(column))
			continue;
		value = report_value(opts, entry, column);
		putchar(',');
		switch (column->kind) {
		case COLUMN_TEXT:
			csv_text(printable(column->text(value, buf, sizeof(buf))));
			break;
		case COLUMN_NUMBER:
			printf("%llu", value);
			break;
		case COLUMN_PERCENT:
			printf("%.4f", report_share(value, profile->period));
			break;
		case COLUMN_INTERVAL:
			interval = report_interval(profile, value);
			printf("%.4f-%.4f", interval.low, interval.high);
			break;
		}
	}
	putchar('\n');
}

/**
 * report_csv - print all profiles as one table, RFC 4180's way
 * @opts:	what was asked for
 * @gather:	the profiles, in order
 */
void report_csv(const struct report_options *opts, const struct gather *gather)
{
	const struct profile *profile;
	size_t at;
	u32 i;

	fputs("event", stdout);
	for (at = 0; at < opts->nr_columns; at++) {
		if (!is_event(opts->columns[at]))
			printf(",%s", opts->columns[at]->word);
	}
	putchar('\n');
	for (i = 0; i < gather->nr_profiles; i++) {
		profile = gather->profiles[i];
		for (at = 0; profile && at < profile->table.nr; at++) {
			if (report_is_shown(opts, profile, profile->sorted[at]))
				csv_entry(opts, profile, profile->sorted[at]);
		}
	}
}
