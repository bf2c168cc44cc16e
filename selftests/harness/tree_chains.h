/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - compare call chains with the call tree of tree.h
 */
#ifndef TPROF_SELFTESTS_TREE_CHAINS_H
#define TPROF_SELFTESTS_TREE_CHAINS_H

#include "harness/stream.h"
#include "harness/tree.h"
#include "harness/test.h"

/* Expect that @stream has samples of leaf() with the chains of call_tree() at depth 0. */
static inline void expect_tree_chains(struct __test_metadata *_metadata,
				      const struct stream *stream)
{
	const struct record *record;
	size_t seen = 0, wrong = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		const __u64 *chain;
		__u64 nr;

		if (!IS_IN(leaf, record->ip))
			continue;
		chain = record_chain(record, &nr);
		ASSERT_LT(5, nr);
		EXPECT_EQ(PERF_CONTEXT_USER, chain[0]);
		EXPECT_EQ(record->ip, chain[1]);
		seen++;
		/*
		 * A few chains are wrong, because leaf() has no frame at its first and
		 * last instructions.
		 */
		wrong += !IS_IN(middle, chain[2]) || !IS_IN(top, chain[3]) ||
			 !IS_IN(root, chain[4]);
	}
	EXPECT_LT(20, seen);
	EXPECT_LE(100 * wrong, seen)
		TH_LOG("%zu of %zu", wrong, seen);
}

#endif /* TPROF_SELFTESTS_TREE_CHAINS_H */
