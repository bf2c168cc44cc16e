// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - buffered reading of a perf.data, one record at a time
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/input.h"

static ssize_t read_fd(struct input *input, void *to, size_t room)
{
	ssize_t len;

	do {
		len = read(input->fd, to, room);
	} while (len < 0 && errno == EINTR);
	return len < 0 ? -errno : len;
}

/*
 * Set up an input.
 *
 * @pool: provides the chunks
 * @offset: file offset of the first byte that will be read
 * @left: maximum number of bytes to read; ~0 to read up to the end
 */
void input_init(struct input *input, struct chunk_pool *pool, int fd, u64 offset, u64 left)
{
	*input = (struct input){ .pool = pool, .read = read_fd, .fd = fd, .offset = offset,
				 .left = left };
}

/* Read more bytes into the current chunk. Return 1; 0 at the end; else -errno. */
static int read_more(struct input *input)
{
	struct chunk *chunk = input->current;
	size_t room = CHUNK_SIZE - chunk->len;
	ssize_t len;

	if (room > input->left)
		room = input->left;
	len = room ? input->read(input, chunk->data + chunk->len, room) : 0;
	if (len <= 0)
		return len;
	chunk->len += len;
	if (input->left != ~0ULL)
		input->left -= len;
	return 1;
}

/* Switch to a new chunk and copy the bytes that are not parsed yet into it. */
static int next_chunk(struct input *input)
{
	struct chunk *old = input->current, *chunk = chunk_alloc(input->pool);

	if (!chunk)
		return -ENOMEM;
	if (old) {
		chunk->len = old->len - input->parsed;
		memcpy(chunk->data, old->data + input->parsed, chunk->len);
		chunk_put(input->pool, old);
	}
	chunk->offset = input->offset;
	input->current = chunk;
	input->parsed = 0;
	return 0;
}

/*
 * Make @len bytes available in the current chunk, from input.parsed on. Return 1; 0 if
 * no byte is left; -ENODATA if some are left, but fewer than @len; else another -errno.
 */
static int need(struct input *input, size_t len)
{
	size_t have = 0;
	int ret;

	for (;;) {
		if (input->current)
			have = input->current->len - input->parsed;
		if (have >= len && input->current)
			return 1;
		if (!input->current || input->parsed + len > CHUNK_SIZE) {
			ret = next_chunk(input);
			if (ret)
				return ret;
		}
		ret = read_more(input);
		if (ret < 0)
			return ret;
		if (!ret)
			return have ? -ENODATA : 0;
	}
}

/*
 * Copy the next bytes of the input to @to. They need not be a record.
 *
 * @len: number of bytes, at most CHUNK_SIZE
 *
 * Return 0; -ENODATA if fewer than @len bytes are left; else another -errno.
 */
int input_bytes(struct input *input, void *to, size_t len)
{
	int ret = need(input, len);

	if (ret <= 0)
		return ret ? ret : -ENODATA;
	memcpy(to, input->current->data + input->parsed, len);
	input_take(input, len);
	return 0;
}

/*
 * Read the next record.
 *
 * @record: the result; valid until the next call. To keep it longer, the caller takes a
 *   reference to its chunk with chunk_get().
 *
 * Return 1, or:
 * - 0 at the end of the input;
 * - -ENODATA if the input ends within a record;
 * - -EBADMSG if the record claims to be smaller than its header;
 * - another -errno.
 */
int input_next(struct input *input, struct input_record *record)
{
	struct perf_event_header *header = &record->header;
	int ret = need(input, sizeof(*header));

	if (ret <= 0)
		return ret;
	memcpy(header, input->current->data + input->parsed, sizeof(*header));
	if (header->size < sizeof(*header))
		return -EBADMSG;
	ret = need(input, header->size);
	if (ret <= 0)
		return ret ? ret : -ENODATA;
	record->data = input->current->data + input->parsed;
	record->offset = input->offset;
	record->chunk = input->current;
	input_take(input, header->size);
	return 1;
}

/*
 * Return false if fewer than the @left bytes of input_init() were read. Call this only
 * at the end of the input.
 */
bool input_is_whole(const struct input *input)
{
	return !input->left || input->left == ~0ULL;
}

/*
 * Skip @len bytes, which need not be a record. Return 0; -ENODATA if fewer bytes are
 * left; else another -errno.
 */
int input_skip(struct input *input, u64 len)
{
	size_t step;
	int ret;

	while (len) {
		step = len < CHUNK_SIZE / 2 ? len : CHUNK_SIZE / 2;
		ret = need(input, step);
		if (ret <= 0)
			return ret ? ret : -ENODATA;
		input_take(input, step);
		len -= step;
	}
	return 0;
}

/* Drop the input's reference to its chunk. The caller may have other references. */
void input_free(struct input *input)
{
	if (input->current)
		chunk_put(input->pool, input->current);
	input->current = NULL;
}
