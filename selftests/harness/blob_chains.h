/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the call chains of the object of blob.c in a stream
 */
#ifndef TPROF_SELFTESTS_BLOB_CHAINS_H
#define TPROF_SELFTESTS_BLOB_CHAINS_H

#include "harness/blob.h"
#include "harness/chains.h"

#define BLOB_FLAGS	(TPROF_LX_EVENT_TABLES | TPROF_LX_EVENT_DEFERRED)

/**
 * struct blob_seen - samples and deferred chains that begin in inner()
 * @exact:	with all callers
 * @deferred:	samples with the interrupted address only: their chain is deferred
 * @late:	deferred chains with all callers
 * @other:	all others
 */
struct blob_seen {
	size_t	exact;
	size_t	deferred;
	size_t	late;
	size_t	other;
};

/* Count the samples and chains of @stream, and print the counts. */
struct blob_seen blob_look(const struct stream *stream, const struct blob *blob);

#define EXPECT_EXACT(stream, blob)					\
	do {								\
		struct blob_seen seen_ = blob_look(stream, blob);		\
									\
		EXPECT_LT(20, seen_.exact);				\
		EXPECT_LE(seen_.late, seen_.deferred);			\
		EXPECT_EQ(0, seen_.other);				\
	} while (0)

#endif /* TPROF_SELFTESTS_BLOB_CHAINS_H */
