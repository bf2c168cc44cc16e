/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - compress records in a thread, as perf record -z does
 *
 * The recorder fills one parcel after the other with records. The thread compresses
 * the parcels in the order in which they were filled, as one zstd stream. The
 * recorder then writes each parcel that the thread has finished. The stream ends with a
 * checksum, so that a reader notices damage.
 *
 * While more than half of all parcels wait for the thread, it does not compress the
 * next one. This prevents lost records when CPU time is short.
 */
#ifndef TPROF_PACKER_H
#define TPROF_PACKER_H

#include <pthread.h>
#include <zstd.h>

#include "perfdata/perfdata.h"

/*
 * The thread compresses a parcel only if it has at most this many bytes of records:
 * the result then fits into one record, even if zstd cannot make it smaller.
 */
#define PARCEL_LIMIT		(60U << 10)

/**
 * struct parcel - some records, and the compressed record that replaces them
 * @len:	bytes of @records
 * @packed_len:	bytes of @packed; 0 if @records are not compressed
 * @is_last:	@packed ends the stream
 * @records:	the records, not compressed
 * @packed:	one PERFDATA_COMPRESSED_DATA record
 */
struct parcel {
	u32	len;
	u32	packed_len;
	bool	is_last;
	u8	records[PERFDATA_RECORD_LIMIT + 1];
	u8	packed[PERFDATA_RECORD_LIMIT + 1];
};

/**
 * struct packed_bytes - sums over all parcels that the recorder has written
 * @before:	bytes of the records in compressed parcels
 * @after:	bytes of the compressed records that replace them
 * @hurried:	bytes of the records in parcels that were left uncompressed
 */
struct packed_bytes {
	u64	before;
	u64	after;
	u64	hurried;
};

/**
 * struct packer - a ring of parcels, and the thread that compresses them
 * @parcels:	the ring; NULL if nothing is compressed
 * @thread:	the thread
 * @zstd:	libzstd's state; used by the thread only
 * @lock:	protects @put, @packed, @has_begun, @is_ending and @err
 * @changed:	condition variable for changes of @put, @packed, @has_begun and
 *		@is_ending
 * @put:	number of parcels that the recorder has filled
 * @packed:	number of parcels that the thread has finished
 * @taken:	number of parcels that the recorder has written; used by the recorder
 *		only
 * @has_begun:	the thread has called @settle, and @err is valid
 * @is_ending:	the thread ends when all parcels are finished
 * @err:	result of @settle
 * @settle:	function that the thread calls first, to drop its capabilities
 * @sums:	sums over the parcels so far; used by the recorder only
 */
struct packer {
	struct parcel *parcels;
	pthread_t thread;
	ZSTD_CCtx *zstd;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	u32	put;
	u32	packed;
	u32	taken;
	bool	has_begun;
	bool	is_ending;
	int	err;
	int	(*settle)(void);
	struct packed_bytes sums;
};

/* Return the bytes that replace the records of @parcel in a file, and set *@len. */
static inline const void *parcel_output(const struct parcel *parcel, size_t *len)
{
	*len = parcel->packed_len ?: parcel->len;
	return parcel->packed_len ? parcel->packed : parcel->records;
}

int packer_begin(struct packer *packer, int level, int (*settle)(void));
size_t packer_put(struct packer *packer, const void *records, size_t len);
bool packer_put_last(struct packer *packer);
const struct parcel *packer_peek(struct packer *packer, bool wait);
void packer_pop(struct packer *packer);
void packer_end(struct packer *packer);

#endif /* TPROF_PACKER_H */
