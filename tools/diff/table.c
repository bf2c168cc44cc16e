// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - the lines of an event in all recordings
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diff/table.h"

/* Addresses outside all functions mean nothing in another build or run. */
#define NO_FUNCTION	"[unknown]"

static const char *key_text(const struct column *column, u64 key, char *buf, size_t len)
{
	if (column->number && column->number(key) != ~0ULL)
		return NO_FUNCTION;
	return column->text(key, buf, len);
}

/* Return the text that a key has in the old recording. */
static const char *old_text(const struct side *side, const struct column *column, u64 key,
			    char *buf, size_t len)
{
	const char *text = key_text(column, key, buf, len);

	if (column == column_find("sym"))
		return nameless_old_name(&side->nameless, text);
	if (column == column_find("dso"))
		return binaries_old_name(&side->dsos, text);
	if (column == column_find("path"))
		return binaries_old_name(&side->paths, text);
	return text;
}

/* Set @old to the key in the old recording: a number, or a text with its mark. */
static int match_key(struct table *table, const struct side *side, const struct column *column,
		     u64 key, u64 *old)
{
	struct bytes text = { 0 };
	char buf[COLUMN_TEXT_LEN];
	const char *part;

	*old = key;
	if (!column->text)
		return 0;
	part = column->mark ? column->mark(key) : "";
	bytes_add(&text, part, strlen(part));
	part = old_text(side, column, key, buf, sizeof(buf));
	bytes_add(&text, part, strlen(part) + 1);
	if (!bytes_err(&text))
		*old = (uintptr_t)interned_get(&table->texts, (const char *)text.data);
	bytes_free(&text);
	return *old && !bytes_err(&text) ? 0 : -ENOMEM;
}

static int make_room(struct table *table)
{
	size_t room = table->room ? 2 * table->room : 256, nr = table->opts->nr_files;
	struct line_source *sources = reallocarray(table->sources, room, sizeof(*sources));
	struct tally *tallies;

	if (!sources)
		return -ENOMEM;
	table->sources = sources;
	tallies = reallocarray(table->tallies, room * nr, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	table->tallies = tallies;
	table->room = room;
	return 0;
}

/* Add an entry of a recording to its line. */
static int add_entry(struct table *table, u32 side, u32 entry)
{
	const struct profile *profile = table->profiles[side];
	const struct tally *tally = entries_self(&profile->entries, entry);
	const u64 *keys = entries_keys(&profile->entries, entry);
	u64 old[PROFILE_MAX_KEYS];
	u32 nr = table->entries.nr, line, i;
	struct entry_key key;
	struct tally *sum;
	int err = 0;

	for (i = 0; i < profile->keys->nr && !err; i++)
		err = match_key(table, &table->sides[side], profile->keys->columns[i], keys[i],
				&old[i]);
	if (err)
		return err;
	key = profile_key(profile, old);
	line = entries_get(&table->entries, &key);
	if (!line--)
		return -ENOMEM;
	if (line == table->room && make_room(table))
		return -ENOMEM;
	if (line == nr) {
		table->sources[line] = (struct line_source){ side, entry };
		memset(table_tallies(table, line), 0,
		       table->opts->nr_files * sizeof(struct tally));
	}
	sum = &table_tallies(table, line)[side];
	sum->period += tally->period;
	sum->samples += tally->samples;
	return 0;
}

static int add_entries(struct table *table)
{
	const struct profile *profile;
	u32 side, entry;
	int err = 0;

	table->entries.is_flat = true;
	for (side = 0; side < table->opts->nr_files; side++) {
		profile = table->profiles[side];
		for (entry = 0; profile && entry < profile->entries.nr && !err; entry++)
			err = add_entry(table, side, entry);
	}
	return err;
}

static void make_scales(struct table *table)
{
	const struct diff_options *opts = table->opts;
	const struct profile *profile;
	struct tally total;
	u32 i;

	for (i = 0; i < opts->nr_files; i++) {
		profile = table->profiles[i];
		total = (struct tally){ 0 };
		if (profile)
			total = (struct tally){ profile->period, profile->samples };
		table->scales[i] = scale_of(opts->normalize, &total,
					    side_seconds(&table->sides[i]),
					    i ? &table->scales[0] : NULL);
	}
}

/* Return the limit of noise for the lines of new recording number @nr. */
static double limit_of(const struct table *table, u32 nr)
{
	const struct tally *tallies;
	u32 line, compared = 0;

	for (line = 0; line < table->entries.nr; line++) {
		tallies = table_tallies(table, line);
		if (tallies[0].samples + tallies[nr].samples >= CHANGE_FEW)
			compared++;
	}
	return change_z(compared);
}

static int make_changes(struct table *table)
{
	const struct scale *scales = table->scales;
	const struct tally *tallies;
	u32 nr, line;
	double z;

	table->changes = calloc((size_t)table->entries.nr * table_nr_new(table) + 1,
				sizeof(*table->changes));
	if (!table->changes)
		return -ENOMEM;
	for (nr = 1; nr <= table_nr_new(table); nr++) {
		z = limit_of(table, nr);
		for (line = 0; line < table->entries.nr; line++) {
			tallies = table_tallies(table, line);
			table_changes(table, line)[nr - 1] =
				change_of(&scales[0], &tallies[0], &scales[nr], &tallies[nr], z);
		}
		table->totals[nr - 1] = change_of(&scales[0], &scales[0].total, &scales[nr],
						  &scales[nr].total, change_z(1));
	}
	return 0;
}

/* Return true if the line is at least --percent-limit in one recording. */
static bool is_shown(const struct table *table, u32 line)
{
	const struct change *changes = table_changes(table, line);
	double limit = table->opts->limit;
	u32 i;

	for (i = 0; i < table_nr_new(table); i++) {
		if (changes[i].old >= limit || changes[i].now >= limit)
			return true;
	}
	return false;
}

/* Return true if --fail-above does not permit the change. */
static bool is_too_much(const struct table *table, const struct change *change)
{
	return table->opts->fail_above >= 0 && change->verdict == CHANGE_GREW &&
	       change->by.value > table->opts->fail_above;
}

/* The largest change of a line, and whether it is beyond noise. */
struct rank {
	bool	is_sure;
	double	most;
};

static struct rank rank_of(const struct table *table, u32 line)
{
	const struct change *changes = table_changes(table, line);
	struct rank rank = { 0 };
	bool is_sure;
	u32 i;

	for (i = 0; i < table_nr_new(table); i++) {
		is_sure = changes[i].verdict != CHANGE_NOISE;
		if (is_sure > rank.is_sure)
			rank.most = 0;
		if (is_sure >= rank.is_sure)
			rank.most = fmax(rank.most, fabs(changes[i].by.value));
		rank.is_sure |= is_sure;
	}
	return rank;
}

/* Compare lines: changes beyond noise before noise, then larger ones first. */
static int compare_lines(const void *a, const void *b, void *arg)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	struct rank one = rank_of(arg, x), other = rank_of(arg, y);

	if (one.is_sure != other.is_sure)
		return one.is_sure ? -1 : 1;
	if (one.most != other.most)
		return one.most > other.most ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int put_in_order(struct table *table)
{
	u32 line, i;

	table->order = calloc(table->entries.nr + 1UL, sizeof(*table->order));
	if (!table->order)
		return -ENOMEM;
	for (line = 0; line < table->entries.nr; line++) {
		if (!is_shown(table, line))
			continue;
		table->order[table->nr_shown++] = line;
		for (i = 0; i < table_nr_new(table); i++)
			table->nr_grown += is_too_much(table, &table_changes(table, line)[i]);
	}
	qsort_r(table->order, table->nr_shown, sizeof(*table->order), compare_lines, table);
	return 0;
}

/*
 * Compare the lines of @event. The old recording must have samples of it. Return 0 or
 * -errno. Call table_free() even if this fails.
 */
int table_make(struct table *table, const struct diff_options *opts, const struct side *sides,
	       const char *event)
{
	u32 i;
	int err;

	*table = (struct table){ .opts = opts, .sides = sides, .event = event };
	for (i = 0; i < opts->nr_files; i++)
		table->profiles[i] = side_profile(&sides[i], event);
	make_scales(table);
	err = add_entries(table);
	if (!err)
		err = make_changes(table);
	for (i = 0; i < table_nr_new(table) && !err; i++)
		table->nr_grown += is_too_much(table, &table->totals[i]);
	return err ? err : put_in_order(table);
}

/* Return a key of a line. It is of table->sources[@line].side. */
u64 table_key(const struct table *table, u32 line, size_t key)
{
	const struct line_source *source = &table->sources[line];

	return entries_keys(&table->profiles[source->side]->entries, source->entry)[key];
}

/* Return the text of a key of a line, which must be a text key. */
const char *table_text(const struct table *table, u32 line, size_t key, char *buf, size_t len)
{
	return key_text(table->opts->gather.keys.columns[key], table_key(table, line, key), buf,
			len);
}

void table_free(struct table *table)
{
	entries_free(&table->entries);
	interned_free(&table->texts);
	free(table->sources);
	free(table->tallies);
	free(table->changes);
	free(table->order);
}
