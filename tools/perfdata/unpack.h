/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records that were compressed into other records, by zstd
 *
 * All compressed records of a file are one stream, cut anywhere: a record in it
 * may begin in one and end in the next.
 */
#ifndef TPROF_UNPACK_H
#define TPROF_UNPACK_H

#include <zstd.h>

#include "perfdata/input.h"

/**
 * struct unpack - the stream
 * @input:	the records in it
 * @zstd:	libzstd's state, NULL before the first compressed record
 * @packed:	compressed record that is being taken from
 * @from:	what is left of it
 * @holding:	there is one
 */
struct unpack {
	struct input input;
	ZSTD_DStream *zstd;
	struct input_record packed;
	ZSTD_inBuffer from;
	bool	holding;
};

void unpack_init(struct unpack *unpack, struct chunk_pool *pool);
int unpack_begin(struct unpack *unpack, const struct input_record *packed);
int unpack_next(struct unpack *unpack, struct input_record *record);
bool unpack_is_within(const struct unpack *unpack);
void unpack_free(struct unpack *unpack);

#endif /* TPROF_UNPACK_H */
