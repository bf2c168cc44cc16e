// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - encode messages of protocol buffers
 */
#include <string.h>

#include "export/protobuf.h"

/* Types of fields. */
#define WIRE_VARINT	0
#define WIRE_FIXED64	1
#define WIRE_BYTES	2

/* A byte of a number has 7 bits, the lowest first. All but the last have MORE. */
#define MORE		0x80
#define VARINT_MAX	10

/* Append a number without a field. */
void protobuf_varint(struct bytes *out, u64 value)
{
	u8 buf[VARINT_MAX];
	size_t len = 0;

	for (; value >= MORE; value >>= 7)
		buf[len++] = value | MORE;
	buf[len++] = value;
	bytes_add(out, buf, len);
}

static void add_tag(struct bytes *out, u32 field, u32 type)
{
	protobuf_varint(out, (u64)field << 3 | type);
}

/* Append a number. 0 is the default of all numbers, so it is left out. */
void protobuf_number(struct bytes *out, u32 field, u64 value)
{
	if (value)
		protobuf_member(out, field, value);
}

/* Append a number that is a member of a oneof, where 0 is not the same as none. */
void protobuf_member(struct bytes *out, u32 field, u64 value)
{
	add_tag(out, field, WIRE_VARINT);
	protobuf_varint(out, value);
}

void protobuf_fixed64(struct bytes *out, u32 field, u64 value)
{
	add_tag(out, field, WIRE_FIXED64);
	bytes_add_u64(out, value);
}

void protobuf_bytes(struct bytes *out, u32 field, const void *data, size_t len)
{
	add_tag(out, field, WIRE_BYTES);
	protobuf_varint(out, len);
	bytes_add(out, data, len);
}

void protobuf_text(struct bytes *out, u32 field, const char *text)
{
	protobuf_bytes(out, field, text, strlen(text));
}

/* Append @message as a field, and empty it. An error in @message remains in @out. */
void protobuf_message(struct bytes *out, u32 field, struct bytes *message)
{
	protobuf_bytes(out, field, message->data, message->len);
	out->failed |= message->failed;
	message->len = 0;
}
