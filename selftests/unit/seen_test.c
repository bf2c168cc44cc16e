// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the entries that a sample was counted in already
 */
#include <stdlib.h>
#include <string.h>

#include "profile/seen.h"
#include "unit.h"

#define NR_SAMPLES	2000
#define NR_ENTRIES	64

static struct seen seen;

/*
 * Add random entries to samples, often the same entry twice. Return true if each sample has
 * each entry once.
 *
 * @step: distance of the entries; it decides how many of them share a slot
 */
static bool has_each_once(u32 step)
{
	bool is_in[NR_ENTRIES];

	for (u32 sample = 0; sample < NR_SAMPLES; sample++) {
		memset(is_in, 0, sizeof(is_in));
		seen_clear(&seen);
		for (u32 nr = random() % 100; nr; nr--) {
			u32 entry = random() % NR_ENTRIES;

			if (seen_add(&seen, entry * step) == is_in[entry])
				return false;
			is_in[entry] = true;
		}
	}
	return true;
}

int main(void)
{
	srandom(1);
	unit_ok(has_each_once(1), "entries in slots of their own are added once");
	memset(&seen, 0, sizeof(seen));
	unit_ok(has_each_once(SEEN_SLOTS / 4), "entries that share slots are added once");
	/* The slots still have entries of samples with the numbers that come again. */
	seen.sample = -SEEN_SAMPLE;
	unit_ok(has_each_once(SEEN_SLOTS / 4),
		"entries are added once after the number of the sample has overflowed");
	return unit_exit();
}
