// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the bytes of a perf.data, record by record
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
 * Begin to read.
 *
 * @pool: where its chunks are to be from
 * @left: how much to read at most
 */
void input_init(struct input *input, struct chunk_pool *pool, int fd, u64 offset, u64 left)
{
	*input = (struct input){ .pool = pool, .read = read_fd, .fd = fd, .offset = offset,
				 .left = left };
}

static struct chunk *chunk_alloc(struct chunk_pool *pool)
{
	struct chunk *chunk = pool->unused;

	if (chunk)
		pool->unused = chunk->next;
	else
		chunk = malloc(sizeof(*chunk));
	if (!chunk)
		return NULL;
	chunk->users = 1;
	chunk->len = 0;
	pool->nr_used++;
	return chunk;
}

/* A record of this chunk is no longer looked at. */
void chunk_put(struct chunk_pool *pool, struct chunk *chunk)
{
	if (--chunk->users)
		return;
	chunk->next = pool->unused;
	pool->unused = chunk;
	pool->nr_used--;
}

/* Give all memory back; no chunk has users any more. */
void chunk_pool_free(struct chunk_pool *pool)
{
	struct chunk *chunk;

	while ((chunk = pool->unused)) {
		pool->unused = chunk->next;
		free(chunk);
	}
}

/* Read some more into the current chunk. Return: 1, 0 at the end, -errno. */
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

/* Go on in a fresh chunk, taking along what was not parsed yet. */
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
	input->current = chunk;
	input->parsed = 0;
	return 0;
}

/* Have @len bytes to parse. Return: 1, 0 when there are none at all, -errno. */
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

static void advance(struct input *input, size_t len)
{
	input->parsed += len;
	input->offset += len;
}

/*
 * Take bytes that are no record.
 *
 * @len: how many, not more than a chunk holds
 *
 * Return 0, -ENODATA when the input ends before, or another -errno.
 */
int input_bytes(struct input *input, void *to, size_t len)
{
	int ret = need(input, len);

	if (ret <= 0)
		return ret ? ret : -ENODATA;
	memcpy(to, input->current->data + input->parsed, len);
	advance(input, len);
	return 0;
}

/*
 * Take the next record.
 *
 * @record: the record; valid until the next call, unless its chunk is held
 *
 * Return 1, 0 at the end, -ENODATA when the input ends within a record, -EBADMSG
 * when its size cannot be, or another -errno.
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
	advance(input, header->size);
	return 1;
}

/*
 * Was all that there should be read?
 *
 * @input: the input, which is at its end
 */
bool input_is_whole(const struct input *input)
{
	return !input->left || input->left == ~0ULL;
}

/*
 * Pass over bytes that follow a record but are none. Return 0, -ENODATA when the
 * input ends before, or another -errno.
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
		advance(input, step);
		len -= step;
	}
	return 0;
}

/* Stop reading; chunks may still be held. */
void input_free(struct input *input)
{
	if (input->current)
		chunk_put(input->pool, input->current);
	input->current = NULL;
}
