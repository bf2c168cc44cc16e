// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - compress records in a thread, as perf record -z does
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "perfdata/packer.h"
#include "perfdata/record_types.h"

/* Number of parcels. Together, they hold 70,000 samples of 56 bytes. */
#define NR_PARCELS	64

static struct parcel *parcel_at(struct packer *packer, u32 count)
{
	return &packer->parcels[count % NR_PARCELS];
}

/*
 * Compress the records of @parcel. Return false if zstd fails. ZSTD_e_flush completes
 * the compressed data: once the parcel is written, its records can be read even if the
 * recorder is killed. ZSTD_e_end also adds the checksum of all parcels.
 */
static bool pack(ZSTD_CCtx *zstd, struct parcel *parcel)
{
	struct perf_event_header header = { .type = PERFDATA_COMPRESSED_DATA };
	ZSTD_inBuffer in = { parcel->records, parcel->len, 0 };
	ZSTD_outBuffer out = { parcel->packed, PERFDATA_RECORD_LIMIT, sizeof(header) };

	if (ZSTD_compressStream2(zstd, &out, &in, parcel->is_last ? ZSTD_e_end : ZSTD_e_flush))
		return false;
	header.size = out.pos;
	memcpy(parcel->packed, &header, sizeof(header));
	parcel->packed_len = out.pos;
	return true;
}

/* Wait for the next parcel. Return NULL at the end. The caller holds @lock. */
static struct parcel *next_parcel(struct packer *packer)
{
	while (packer->packed == packer->put && !packer->is_ending)
		pthread_cond_wait(&packer->changed, &packer->lock);
	return packer->packed == packer->put ? NULL : parcel_at(packer, packer->packed);
}

/*
 * Finish all parcels. After zstd has failed, its stream cannot be continued, so
 * leave all further parcels uncompressed. The caller holds @lock.
 */
static void pack_all(struct packer *packer)
{
	bool works = true, is_behind;
	struct parcel *parcel;

	while ((parcel = next_parcel(packer))) {
		is_behind = packer->put - packer->packed > NR_PARCELS / 2;
		pthread_mutex_unlock(&packer->lock);
		parcel->packed_len = 0;
		if (works && (!is_behind || parcel->is_last) && parcel->len <= PARCEL_LIMIT)
			works = pack(packer->zstd, parcel);
		pthread_mutex_lock(&packer->lock);
		packer->packed++;
		pthread_cond_signal(&packer->changed);
	}
}

static void *run(void *arg)
{
	struct packer *packer = arg;
	int err = packer->settle();

	pthread_mutex_lock(&packer->lock);
	packer->err = err;
	packer->has_begun = true;
	pthread_cond_signal(&packer->changed);
	if (!err)
		pack_all(packer);
	pthread_mutex_unlock(&packer->lock);
	return NULL;
}

static void free_parcels(struct packer *packer)
{
	ZSTD_freeCCtx(packer->zstd);
	free(packer->parcels);
	packer->parcels = NULL;
}

static int allocate(struct packer *packer, int level)
{
	packer->parcels = calloc(NR_PARCELS, sizeof(*packer->parcels));
	packer->zstd = ZSTD_createCCtx();
	if (!packer->parcels || !packer->zstd)
		return -ENOMEM;
	if (ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1)))
		return -EINVAL;
	return 0;
}

/*
 * Start the thread. Each thread has capabilities of its own, so the thread first
 * calls @settle to drop them. Return 0 or -errno.
 */
int packer_begin(struct packer *packer, int level, int (*settle)(void))
{
	int err;

	*packer = (struct packer){
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.settle = settle,
	};
	err = allocate(packer, level);
	if (!err)
		err = thread_start(&packer->thread, run, packer);
	if (err) {
		free_parcels(packer);
		return err;
	}
	pthread_mutex_lock(&packer->lock);
	while (!packer->has_begun)
		pthread_cond_wait(&packer->changed, &packer->lock);
	err = packer->err;
	pthread_mutex_unlock(&packer->lock);
	if (err)
		packer_end(packer);
	return err;
}

/*
 * Return how many of @len bytes go into the next parcel:
 * - whole records of at most PARCEL_LIMIT bytes together;
 * - if the first record is larger: whole records of at most PERFDATA_RECORD_LIMIT
 *   bytes together;
 * - if @records does not begin with a whole record: at most PERFDATA_RECORD_LIMIT
 *   bytes.
 */
static size_t fit(const void *records, size_t len)
{
	size_t limit = len < PARCEL_LIMIT ? len : PARCEL_LIMIT;
	size_t fits = record_whole_bytes(records, limit);

	if (!fits && len > limit) {
		limit = len < PERFDATA_RECORD_LIMIT ? len : PERFDATA_RECORD_LIMIT;
		fits = record_whole_bytes(records, limit);
	}
	return fits ?: limit;
}

/* Give the next parcel to the thread. */
static void hand_over(struct packer *packer)
{
	pthread_mutex_lock(&packer->lock);
	packer->put++;
	pthread_cond_signal(&packer->changed);
	pthread_mutex_unlock(&packer->lock);
}

/*
 * Fill a parcel from the start of @records. Return the number of bytes put into it, or
 * 0 if all parcels are in use. In that case, the caller waits in packer_peek() and
 * frees a parcel.
 */
size_t packer_put(struct packer *packer, const void *records, size_t len)
{
	struct parcel *parcel = parcel_at(packer, packer->put);

	/* No other thread writes @put or @taken, so read them without @lock. */
	if (packer->put - packer->taken == NR_PARCELS)
		return 0;
	parcel->len = fit(records, len);
	memcpy(parcel->records, records, parcel->len);
	parcel->is_last = false;
	hand_over(packer);
	return parcel->len;
}

/*
 * Put a parcel that ends the stream. perf refuses compressed records without data, so the
 * parcel has a FINISHED_ROUND record. Return false if all parcels are in use.
 */
bool packer_put_last(struct packer *packer)
{
	const struct perf_event_header header = { .type = PERFDATA_FINISHED_ROUND,
						  .size = sizeof(header) };
	struct parcel *parcel = parcel_at(packer, packer->put);

	if (packer->put - packer->taken == NR_PARCELS)
		return false;
	parcel->len = sizeof(header);
	memcpy(parcel->records, &header, sizeof(header));
	parcel->is_last = true;
	hand_over(packer);
	return true;
}

/*
 * Return the oldest parcel, which is valid until packer_pop(). Return NULL if there is
 * none. With @wait, wait until the thread has finished the parcel. Without @wait,
 * return NULL if it is not finished.
 */
const struct parcel *packer_peek(struct packer *packer, bool wait)
{
	const struct parcel *parcel = NULL;

	if (packer->taken == packer->put)
		return NULL;
	pthread_mutex_lock(&packer->lock);
	while (wait && packer->taken == packer->packed)
		pthread_cond_wait(&packer->changed, &packer->lock);
	if (packer->taken != packer->packed)
		parcel = parcel_at(packer, packer->taken);
	pthread_mutex_unlock(&packer->lock);
	return parcel;
}

/* Free the parcel that packer_peek() returned. */
void packer_pop(struct packer *packer)
{
	const struct parcel *parcel = parcel_at(packer, packer->taken);

	if (parcel->is_last) {
		packer->sums.after += parcel->packed_len;
	} else if (parcel->packed_len) {
		packer->sums.before += parcel->len;
		packer->sums.after += parcel->packed_len;
	} else {
		packer->sums.hurried += parcel->len;
	}
	packer->taken++;
}

/* End the thread. The caller has taken all parcels. */
void packer_end(struct packer *packer)
{
	if (!packer->parcels)
		return;
	pthread_mutex_lock(&packer->lock);
	packer->is_ending = true;
	pthread_cond_signal(&packer->changed);
	pthread_mutex_unlock(&packer->lock);
	pthread_join(packer->thread, NULL);
	free_parcels(packer);
}
