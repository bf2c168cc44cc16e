// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - decompress records that perf record -z wrote
 */
#include <errno.h>
#include <zstd_errors.h>

#include "base/load.h"
#include "perfdata/perfdata.h"
#include "perfdata/unpack.h"

static int stream_failed(size_t ret)
{
	return ZSTD_getErrorCode(ret) == ZSTD_error_checksum_wrong ? -EUCLEAN : -EILSEQ;
}

static ssize_t read_stream(struct input *input, void *to, size_t room)
{
	struct unpack *unpack = container_of(input, struct unpack, input);
	ZSTD_inBuffer *from = &unpack->from;
	ZSTD_outBuffer out = { to, room, 0 };
	size_t before, ret;

	/*
	 * Call zstd even without input: it may have output left from earlier input.
	 * Repeat while it consumes input but outputs nothing, as at the end of a frame.
	 */
	do {
		before = from->pos;
		ret = ZSTD_decompressStream(unpack->zstd, &out, from);
		if (ZSTD_isError(ret))
			return stream_failed(ret);
		/* Without progress, zstd asks for the begin of another stream. */
		if (out.pos || from->pos != before)
			unpack->has_more = ret;
	} while (!out.pos && from->pos != before && from->pos < from->size);
	return out.pos;
}

/*
 * Set up an empty stream.
 *
 * @pool: the chunks to decompress into
 */
void unpack_init(struct unpack *unpack, struct chunk_pool *pool)
{
	*unpack = (struct unpack){ 0 };
	input_init(&unpack->input, pool, -1, 0, ~0ULL);
	unpack->input.read = read_stream;
}

/*
 * Set @from to the compressed data of @packed. In COMPRESSED_DATA2, a u64 with the
 * length precedes the data. Return false if the data would extend beyond the record.
 */
static bool find_payload(const struct input_record *packed, ZSTD_inBuffer *from)
{
	size_t begin = sizeof(packed->header);
	u64 len = packed->header.size - begin;

	if (packed->header.type == PERFDATA_COMPRESSED_DATA2) {
		if (len < sizeof(u64) || load_u64(packed->data + begin) > len - sizeof(u64))
			return false;
		len = load_u64(packed->data + begin);
		begin += sizeof(u64);
	}
	*from = (ZSTD_inBuffer){ packed->data + begin, len, 0 };
	return true;
}

/* The fifth byte of a zstd stream says whether it has a checksum. */
static bool has_checksum(const ZSTD_inBuffer *from)
{
	const u8 *begin = from->src;

	return from->size > 4 && load_u32(begin) == ZSTD_MAGICNUMBER && begin[4] & 4;
}

/*
 * Begin to decompress a record, and take a reference to its chunk. Call this only after
 * unpack_next() has returned 0.
 *
 * Return 0; -EBADMSG if the data would extend beyond the record; -ENOMEM if memory runs
 * out.
 */
int unpack_begin(struct unpack *unpack, const struct input_record *packed)
{
	if (!find_payload(packed, &unpack->from))
		return -EBADMSG;
	if (!unpack->zstd) {
		unpack->zstd = ZSTD_createDStream();
		unpack->has_checksum = has_checksum(&unpack->from);
	}
	if (!unpack->zstd)
		return -ENOMEM;
	unpack->packed = *packed;
	unpack->holding = true;
	chunk_get(packed->chunk);
	return 0;
}

static void release(struct unpack *unpack)
{
	if (unpack->holding)
		chunk_put(unpack->input.pool, unpack->packed.chunk);
	unpack->holding = false;
}

/*
 * Decompress the next record.
 *
 * @record: the result; valid until the next call. To keep it longer, the caller takes a
 *   reference to its chunk. Its @offset is the file offset of the compressed record.
 *
 * Return 1, or:
 * - 0 if the caller must call unpack_begin() with the next compressed record;
 * - -EBADMSG if the record claims to be smaller than its header;
 * - -EILSEQ if decompression fails;
 * - -EUCLEAN if the data that was decompressed so far does not match its checksum;
 * - another -errno.
 */
int unpack_next(struct unpack *unpack, struct input_record *record)
{
	int ret, err;

	if (!unpack->holding)
		return 0;
	ret = input_next(&unpack->input, record);
	record->offset = unpack->packed.offset;
	if (ret > 0) {
		err = chunk_add_origin(record->chunk, record->data - record->chunk->data,
				       record->offset);
		return err ? err : ret;
	}
	release(unpack);
	return ret == -ENODATA ? 0 : ret;
}

/* Return true if the data that was decompressed so far ends within a record. */
bool unpack_is_within(const struct unpack *unpack)
{
	const struct input *input = &unpack->input;

	return input->current && input->parsed < input->current->len;
}

/* Return true if the data ends before the checksum of the stream, which has one. */
bool unpack_is_cut(const struct unpack *unpack)
{
	return unpack->has_checksum && unpack->has_more;
}

void unpack_free(struct unpack *unpack)
{
	release(unpack);
	input_free(&unpack->input);
	ZSTD_freeDStream(unpack->zstd);
	unpack->zstd = NULL;
}
