// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count the samples that a recording reports as lost
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/ledger.h"
#include "perfdata/losses.h"
#include "perfdata/record_types.h"

/* misc bit of LOST_SAMPLES. perf sets it if a BPF filter dropped the samples. */
#define MISC_FILTERED	(1U << 15)

/* Ledger members with these prefixes count lost samples. */
static const char *const causes[] = { " lost_", " unwritten=" };

static const char *const cuts[LOSSES_NR_CUTS] = {
	[LOSSES_CUT_DEEP] = " chains_deep=",
	[LOSSES_CUT_ABSENT] = " chains_absent=",
	[LOSSES_CUT_LOST] = " chains_lost=",
};

/* Return the sum of the ledger members in @line that begin with @begin. */
static u64 sum_members(const char *line, const char *begin)
{
	u64 sum = 0;

	while ((line = strstr(line, begin))) {
		line += strcspn(line, "=");
		sum += *line ? strtoull(line + 1, NULL, 10) : 0;
	}
	return sum;
}

static void add_ledger(struct losses *losses, const char *line)
{
	size_t i;

	losses->has_ledger = true;
	for (i = 0; i < ARRAY_SIZE(causes); i++)
		losses->ledger += sum_members(line, causes[i]);
	for (i = 0; i < ARRAY_SIZE(cuts); i++)
		losses->cuts[i] += sum_members(line, cuts[i]);
	losses->stalls += sum_members(line, " stalls=");
	losses->stalled_ns += sum_members(line, " stalled_ns=");
	losses->yields += sum_members(line, " yields=");
	losses->doubtful_ns += sum_members(line, " doubtful_ns=");
}

/*
 * Return the number of samples that @record, which is a PERF_RECORD_LOST_SAMPLES, reports as
 * lost: 0 if a BPF filter dropped them.
 */
u64 losses_in(const struct record *record)
{
	const struct record_field lost = { .kind = FIELD_U64, .offset = 8 };
	struct record_body body = { record->data, record->header.size, record->header.misc };
	u64 count = 0;

	if (!(record->header.misc & MISC_FILTERED))
		record_number(&body, &lost, &count);
	return count;
}

/* Add the losses that @record reports, if it reports any. */
void losses_update(struct losses *losses, const struct record *record)
{
	struct record_field lost = { .kind = FIELD_U64, .offset = 8 };
	struct record_body body = { record->data, record->header.size, record->header.misc };
	const char *line;
	u64 count = 0;

	switch (record->header.type) {
	case PERF_RECORD_LOST_SAMPLES:
		losses->samples += losses_in(record);
		if (record->header.misc & MISC_FILTERED)
			record_number(&body, &lost, &count);
		losses->filtered += count;
		break;
	case PERF_RECORD_LOST:
		lost.offset = 16;
		record_number(&body, &lost, &count);
		losses->records += count;
		break;
	case PERF_RECORD_CGROUP:
		line = ledger_line(record);
		if (line)
			add_ledger(losses, line);
		break;
	}
}

/*
 * Return the number of lost samples. If an old kernel reported only the number of lost
 * records of all kinds, return that.
 */
u64 losses_sum(const struct losses *losses)
{
	if (losses->has_ledger)
		return losses->ledger;
	return losses->samples ? losses->samples : losses->records;
}
