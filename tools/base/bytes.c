// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a byte buffer that grows
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

static bool make_room(struct bytes *buf, size_t len)
{
	size_t room = buf->room ? buf->room : 256;
	u8 *data;

	if (len > SIZE_MAX / 4 - buf->len)
		return false;
	while (room < buf->len + len)
		room *= 2;
	if (room == buf->room)
		return true;
	data = realloc(buf->data, room);
	if (!data)
		return false;
	buf->data = data;
	buf->room = room;
	return true;
}

/*
 * Append @len zero bytes. Return their address, which is valid until the next append.
 * Return NULL if memory runs out.
 */
void *bytes_extend(struct bytes *buf, size_t len)
{
	u8 *place;

	if (buf->failed || !make_room(buf, len)) {
		buf->failed = true;
		return NULL;
	}
	place = buf->data + buf->len;
	memset(place, 0, len);
	buf->len += len;
	return place;
}

void bytes_add(struct bytes *buf, const void *data, size_t len)
{
	void *place = bytes_extend(buf, len);

	if (place && len)
		memcpy(place, data, len);
}

void bytes_add_u32(struct bytes *buf, u32 value)
{
	bytes_add(buf, &value, sizeof(value));
}

void bytes_add_u64(struct bytes *buf, u64 value)
{
	bytes_add(buf, &value, sizeof(value));
}

/* Return -ENOMEM if an append ran out of memory, else 0. */
int bytes_err(const struct bytes *buf)
{
	return buf->failed ? -ENOMEM : 0;
}

void bytes_free(struct bytes *buf)
{
	free(buf->data);
	*buf = (struct bytes){ 0 };
}
