/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - decompress records that perf record -z wrote
 *
 * The data of all compressed records of a file is one zstd stream. A record in the
 * stream may begin in one compressed record and end in the next.
 */
#ifndef TPROF_UNPACK_H
#define TPROF_UNPACK_H

#include <zstd.h>

#include "perfdata/input.h"

/**
 * struct unpack - the compressed stream of a file
 * @input:	splits the decompressed bytes into records
 * @zstd:	libzstd's state, NULL before the first compressed record
 * @packed:	the current compressed record
 * @from:	the data of @packed that is not decompressed yet
 * @holding:	@packed is valid
 * @has_checksum: the stream ends with a checksum
 * @has_more:	the data so far ends before the end of the stream
 */
struct unpack {
	struct input input;
	ZSTD_DStream *zstd;
	struct input_record packed;
	ZSTD_inBuffer from;
	bool	holding;
	bool	has_checksum;
	bool	has_more;
};

void unpack_init(struct unpack *unpack, struct chunk_pool *pool);
int unpack_begin(struct unpack *unpack, const struct input_record *packed);
int unpack_next(struct unpack *unpack, struct input_record *record);
bool unpack_is_within(const struct unpack *unpack);
bool unpack_is_cut(const struct unpack *unpack);
void unpack_free(struct unpack *unpack);

#endif /* TPROF_UNPACK_H */
