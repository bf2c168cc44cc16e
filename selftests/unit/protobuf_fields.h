/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a small decoder of protocol buffers
 */
#ifndef TPROF_PROTOBUF_FIELDS_H
#define TPROF_PROTOBUF_FIELDS_H

#include <stdbool.h>
#include <string.h>

#include "base/load.h"

/**
 * struct field - a field of a message
 * @number:	its number
 * @value:	its value, or the length of @data
 * @data:	its bytes, NULL for a number
 */
struct field {
	u32	number;
	u64	value;
	const u8 *data;
};

/* A message was not valid. */
static bool is_damaged;

static inline u64 take_varint(const u8 **at, const u8 *end)
{
	u64 value = 0;

	for (int shift = 0; *at < end && shift < 64; shift += 7) {
		value |= (u64)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			return value;
	}
	is_damaged = true;
	*at = end;
	return 0;
}

/* Take a field. Return false at the end. */
static inline bool take_field(const u8 **at, const u8 *end, struct field *field)
{
	u64 tag;

	if (*at == end)
		return false;
	tag = take_varint(at, end);
	*field = (struct field){ .number = tag >> 3 };
	if ((tag & 7) == 1 && end - *at >= 8) {
		field->value = load_u64(*at);
		*at += 8;
		return true;
	}
	field->value = take_varint(at, end);
	if ((tag & 7) == 2 && field->value <= (u64)(end - *at)) {
		field->data = *at;
		*at += field->value;
	} else if (tag & 7) {
		is_damaged = true;
	}
	return !is_damaged;
}

/* Return the number in field @number of the message in @from, or 0. */
static inline u64 number_of(const struct field *from, u32 number)
{
	const u8 *at = from->data, *end = at + from->value;
	struct field field;

	while (take_field(&at, end, &field)) {
		if (field.number == number)
			return field.value;
	}
	return 0;
}

static inline bool find_field(const struct field *from, u32 number, struct field *field)
{
	const u8 *at = from->data, *end = at + from->value;

	while (take_field(&at, end, field)) {
		if (field->number == number)
			return true;
	}
	return false;
}

#endif /* TPROF_PROTOBUF_FIELDS_H */
