// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the call chains of the object of blob.c in a stream
 */
#include <stdio.h>
#include <string.h>

#include "harness/blob_chains.h"

static void see_sample(struct blob_seen *seen, const struct blob *blob, const struct record *record)
{
	const __u64 *chain;
	__u64 nr;

	if (!blob_is_in_inner(blob, record->ip))
		return;
	chain = record_chain(record, &nr);
	if (blob_is_chain(blob, chain, nr))
		seen->exact++;
	else if (record->header->misc & TPROF_LX_MISC_CHAIN_DEFERRED && nr == 2)
		seen->deferred++;
	else
		seen->other++;
}

static void see_chain(struct blob_seen *seen, const struct blob *blob, const struct record *record)
{
	const struct tprof_lx_chain *chain = record->body;

	if (strcmp(chain->path, TPROF_LX_CHAIN_PATH) || chain->nr < 2 ||
	    !blob_is_in_inner(blob, chain->ips[1]))
		return;
	if (blob_is_chain(blob, (const __u64 *)chain->ips, chain->nr))
		seen->late++;
	else
		seen->other++;
}

struct blob_seen blob_look(const struct stream *stream, const struct blob *blob)
{
	const struct record *record;
	struct blob_seen seen = {};

	for_each_record(record, stream) {
		if (record->header->type == PERF_RECORD_SAMPLE)
			see_sample(&seen, blob, record);
		else if (record->header->type == RECORD_CGROUP)
			see_chain(&seen, blob, record);
	}
	printf("# %zu exact, %zu deferred, %zu late, %zu other\n", seen.exact, seen.deferred,
	       seen.late, seen.other);
	return seen;
}
