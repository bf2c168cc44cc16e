// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - records that were compressed into other records, by zstd
 */
#include <errno.h>

#include "base/load.h"
#include "perfdata/perfdata.h"
#include "perfdata/unpack.h"

static ssize_t read_stream(struct input *input, void *to, size_t room)
{
	struct unpack *unpack = container_of(input, struct unpack, input);
	ZSTD_inBuffer *from = &unpack->from;
	ZSTD_outBuffer out = { to, room, 0 };
	size_t before;

	/* It may have more to give than was given to it, and where a frame ends, nothing. */
	do {
		before = from->pos;
		if (ZSTD_isError(ZSTD_decompressStream(unpack->zstd, &out, from)))
			return -EILSEQ;
	} while (!out.pos && from->pos != before && from->pos < from->size);
	return out.pos;
}

/*
 * Nothing is compressed yet.
 *
 * @pool: where its chunks are to be from
 */
void unpack_init(struct unpack *unpack, struct chunk_pool *pool)
{
	*unpack = (struct unpack){ 0 };
	input_init(&unpack->input, pool, -1, 0, ~0ULL);
	unpack->input.read = read_stream;
}

/* Newer records of that kind say how long it is, as all records are padded. */
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

/*
 * Take records from a compressed one.
 *
 * @unpack: the stream, of which unpack_next() has returned 0
 * @packed: the record, whose chunk is then held
 *
 * Return 0, -EBADMSG when it is shorter than it says, or -ENOMEM.
 */
int unpack_begin(struct unpack *unpack, const struct input_record *packed)
{
	if (!find_payload(packed, &unpack->from))
		return -EBADMSG;
	if (!unpack->zstd)
		unpack->zstd = ZSTD_createDStream();
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
 * Take the next record.
 *
 * @record: the record; valid until the next call, unless its chunk is held. Its
 *   offset is that of the compressed one.
 *
 * Return 1, 0 when it takes another compressed record to go on, -EBADMSG when its
 * size cannot be, -EILSEQ for what cannot be unpacked, or another -errno.
 */
int unpack_next(struct unpack *unpack, struct input_record *record)
{
	int ret;

	if (!unpack->holding)
		return 0;
	ret = input_next(&unpack->input, record);
	record->offset = unpack->packed.offset;
	if (ret > 0)
		return ret;
	release(unpack);
	return ret == -ENODATA ? 0 : ret;
}

/* Has a record begun that has not ended? */
bool unpack_is_within(const struct unpack *unpack)
{
	const struct input *input = &unpack->input;

	return input->current && input->parsed < input->current->len;
}

/* Stop. */
void unpack_free(struct unpack *unpack)
{
	release(unpack);
	input_free(&unpack->input);
	ZSTD_freeDStream(unpack->zstd);
}
