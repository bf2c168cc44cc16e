// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the lost samples of the output
 *
 * A reader takes the lost samples of a file from records of one kind: from the ledger, else
 * from LOST_SAMPLES, else from LOST. The recordings may have different kinds. So the losses of
 * a recording that a reader of the output would not count are added in the kind that it counts.
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <stdio.h>
#include <string.h>

#include "merge/change.h"
#include "merge/merge_losses.h"

/* Append a record of the first event of the output, after all other records. */
static int add_record(struct merge *merge, u32 type, const void *body, size_t len)
{
	const struct source *first = &merge->sources[0];
	const struct words_at *words = &first->events[0].trailer;
	size_t trailer = first->reader.events[0].layout.trailer;
	struct perf_event_header header = {
		.type = type,
		.size = sizeof(header) + len + trailer,
	};
	u8 *at;

	bytes_add(&merge->out, &header, sizeof(header));
	bytes_add(&merge->out, body, len);
	at = bytes_extend(&merge->out, trailer);
	if (bytes_err(&merge->out))
		return -ENOMEM;
	if (words->time != NO_FIELD)
		put_u64(at + words->time, merge->latest);
	if (words->id != NO_FIELD)
		put_u64(at + words->id, merge->events[0].id);
	if (words->identifier != NO_FIELD)
		put_u64(at + words->identifier, merge->events[0].id);
	return 0;
}

/* Append a line of the ledger, in a CGROUP record: an identifier, and the text. */
static int add_ledger(struct merge *merge, u64 lost)
{
	char body[128] = { 0 };
	int len = snprintf(body + sizeof(u64), sizeof(body) - sizeof(u64),
			   TPROF_LX_LEDGER_PREFIX "merge lost_elsewhere=%llu", lost);

	return add_record(merge, PERF_RECORD_CGROUP, body,
			  ALIGN_UP(sizeof(u64) + len + 1, sizeof(u64)));
}

/*
 * Append the losses that a reader of the output would not count. Call this after all records.
 * Return 0 or -ENOMEM.
 */
int merge_losses(struct merge *merge)
{
	const struct losses *losses;
	bool has_ledger = false, has_samples = false;
	u64 lost = 0;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++) {
		losses = &merge->sources[i].losses;
		has_ledger |= losses->has_ledger;
		has_samples |= losses->samples;
	}
	for (i = 0; i < merge->nr_sources; i++) {
		losses = &merge->sources[i].losses;
		if (has_ledger ? !losses->has_ledger : has_samples && !losses->samples)
			lost += losses_sum(losses);
	}
	if (!lost)
		return 0;
	return has_ledger ? add_ledger(merge, lost) :
			    add_record(merge, PERF_RECORD_LOST_SAMPLES, &lost, sizeof(lost));
}
