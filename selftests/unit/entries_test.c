// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the tallies of entries
 */
#include <stdlib.h>

#include "profile/entries.h"
#include "unit.h"

#define NR	1000
#define MANY	400000

static struct entry_key key_of(u64 number)
{
	return (struct entry_key){ .keys = { number }, .nr = 1,
				   .hash = entries_hash(&number, 1) };
}

/* Add entries @from to @to - 1, and count in each as many samples as its number. */
static void fill(struct entries *entries, u64 from, u64 to)
{
	for (u64 i = from; i < to; i++) {
		struct entry_key key = key_of(i);
		u32 entry = entries_get(entries, &key);

		if (!entry)
			abort();
		entries_self(entries, entry - 1)->samples += i;
	}
}

/* Return true if the samples of callees of each entry are those of the entry itself. */
static bool has_same_children(const struct entries *entries)
{
	bool is_same = true;

	for (u32 i = 0; i < entries->nr; i++)
		is_same &= entries_self(entries, i)->samples == i &&
			   entries_children(entries, i)->samples == i;
	return is_same;
}

static void test_flat(void)
{
	struct entries entries = { .is_flat = true };

	fill(&entries, 0, NR);
	unit_ok(entries.nr == NR && has_same_children(&entries),
		"without callers, the samples of callees are those of the entry");
	entries_free(&entries);
}

/* Add so many entries that all arrays move several times. */
static void test_growth(void)
{
	struct entries entries = { 0 };
	bool is_kept = true;

	fill(&entries, 0, MANY);
	fill(&entries, 0, MANY);
	for (u32 i = 0; i < MANY; i++)
		is_kept &= *entries_keys(&entries, i) == i &&
			   entries_self(&entries, i)->samples == 2 * i &&
			   !entries_children(&entries, i)->samples;
	unit_ok(entries.nr == MANY && is_kept, "entries keep keys and samples when others are added");
	entries_free(&entries);
}

static void test_own_children(void)
{
	struct entries entries = { .is_flat = true };
	bool is_apart = true;

	fill(&entries, 0, NR);
	if (entries_own_children(&entries))
		abort();
	unit_ok(has_same_children(&entries), "samples are kept when entries get callers");
	for (u32 i = 0; i < NR; i++) {
		entries_children(&entries, i)->samples++;
		is_apart &= entries_self(&entries, i)->samples == i;
	}
	fill(&entries, NR, 4 * NR);
	is_apart &= !entries_children(&entries, 4 * NR - 1)->samples;
	unit_ok(is_apart, "when entries have callers, both tallies are apart");
	if (entries_own_children(&entries))
		abort();
	unit_ok(entries_children(&entries, 1)->samples == 2,
		"entries that have callers keep the samples of callees");
	entries_free(&entries);
}

int main(void)
{
	test_flat();
	test_growth();
	test_own_children();
	return unit_exit();
}
