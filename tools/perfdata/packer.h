/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - compress records in a thread, as perf record -z does
 *
 * The recorder puts records into parcels. The thread compresses them in the same order,
 * all as one zstd stream, and the recorder takes the parcels and writes them. The thread
 * leaves a parcel uncompressed if more than half of the parcels wait for it, so that a
 * recorder that is short of CPU time loses no records.
 */
#ifndef TPROF_PACKER_H
#define TPROF_PACKER_H

#include <pthread.h>
#include <zstd.h>

#include "perfdata/perfdata.h"

/* Bytes of records in a parcel. The compressed data then fits into one record. */
#define PARCEL_LIMIT		(60U << 10)

/**
 * struct parcel - some records, and the compressed record that replaces them
 * @len:	bytes of @records
 * @packed_len:	bytes of @packed; 0 if @records are not compressed
 * @records:	whole records, as the kernel wrote them
 * @packed:	one PERFDATA_COMPRESSED_DATA record
 */
struct parcel {
	u32	len;
	u32	packed_len;
	u8	records[PERFDATA_RECORD_LIMIT + 1];
	u8	packed[PERFDATA_RECORD_LIMIT + 1];
};

/**
 * struct packed_bytes - sums over all parcels that were taken
 * @before:	bytes of records that were compressed
 * @after:	bytes of the compressed records
 * @hurried:	bytes of records that were left uncompressed
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
 * @lock:	protects all members below
 * @changed:	one of the members below has changed
 * @put:	number of parcels that the recorder has filled
 * @packed:	number of parcels that the thread has finished
 * @taken:	number of parcels that the recorder has written
 * @has_begun:	the thread has called its @settle function, with result @err
 * @is_ending:	the thread ends when all parcels are finished
 * @err:	result of @settle
 * @settle:	called in the thread before anything else, to drop its privileges
 * @sums:	used by the recorder only
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

int packer_begin(struct packer *packer, int level, int (*settle)(void));
size_t packer_put(struct packer *packer, const void *records, size_t len);
const struct parcel *packer_peek(struct packer *packer, bool wait);
void packer_pop(struct packer *packer);
void packer_end(struct packer *packer);

#endif /* TPROF_PACKER_H */
