// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - print JSON
 */
#include "base/json.h"
#include "diff/diff_print.h"

static struct json json = { .indent = true, .first = true };

static void print_begin(const struct diff_options *opts, const struct side *sides)
{
	u32 i;

	json.out = stdout;
	json_begin(&json, NULL, '{');
	json_string(&json, "normalize", normalize_word(opts->normalize));
	json_begin(&json, "files", '[');
	for (i = 0; i < opts->nr_files; i++) {
		json_begin(&json, NULL, '{');
		json_string(&json, "name", sides[i].name);
		json_u64(&json, "samples", sides[i].gather.samples);
		json_u64(&json, "lost", losses_sum(&sides[i].gather.losses));
		json_u64(&json, "not_understood", sides[i].gather.nr_not_understood);
		json_fixed(&json, "seconds", side_seconds(&sides[i]), 9);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_begin(&json, "events", '[');
}

static void print_side(const struct tally *tally, double percent)
{
	json_fixed(&json, "percent", percent, 4);
	json_u64(&json, "period", tally->period);
	json_u64(&json, "samples", tally->samples);
}

/* Print the members "old" and "new", which has a change for each new recording. */
static void print_changes(const struct table *table, const struct tally *tallies,
			  const struct change *changes)
{
	u32 i;

	json_begin(&json, "old", '{');
	print_side(&tallies[0], changes[0].old);
	json_end(&json, '}');
	json_begin(&json, "new", '[');
	for (i = 0; i < table_nr_new(table); i++) {
		json_begin(&json, NULL, '{');
		print_side(&tallies[i + 1], changes[i].now);
		json_fixed(&json, "change", changes[i].by.value, 4);
		json_begin(&json, "interval", '[');
		json_fixed(&json, NULL, changes[i].by.interval.low, 4);
		json_fixed(&json, NULL, changes[i].by.interval.high, 4);
		json_end(&json, ']');
		json_string(&json, "result", verdict_word(changes[i].verdict));
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

static void print_line(const struct table *table, u32 line)
{
	const struct profile_keys *keys = &table->opts->gather.keys;
	char buf[COLUMN_TEXT_LEN];
	size_t i;

	json_begin(&json, NULL, '{');
	for (i = 0; i < keys->nr; i++) {
		if (keys->columns[i]->text)
			json_string(&json, keys->columns[i]->word,
				    table_text(table, line, i, buf, sizeof(buf)));
		else
			json_u64(&json, keys->columns[i]->word, table_key(table, line, i));
	}
	print_changes(table, table_tallies(table, line), table_changes(table, line));
	json_end(&json, '}');
}

static void print_table(const struct table *table)
{
	struct tally totals[DIFF_MAX_FILES];
	u32 i;

	for (i = 0; i < table->opts->nr_files; i++)
		totals[i] = table->scales[i].total;
	json_begin(&json, NULL, '{');
	json_string(&json, "event", table->event);
	json_begin(&json, "total", '{');
	print_changes(table, totals, table->totals);
	json_end(&json, '}');
	json_begin(&json, "lines", '[');
	for (i = 0; i < table->nr_shown; i++)
		print_line(table, table->order[i]);
	json_end(&json, ']');
	json_end(&json, '}');
}

static void print_end(void)
{
	json_end(&json, ']');
	json_end(&json, '}');
}

const struct diff_format diff_json_format = {
	.begin = print_begin,
	.table = print_table,
	.end = print_end,
};
