// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - what a server of OTLP answers with status 200
 *
 * It may have rejected some of the profiles: the body is a message of protocol buffers with
 * their number and the reason.
 */
#include <stdbool.h>
#include <stdio.h>

#include "push/otlp_answer.h"

/* Fields of opentelemetry/proto/collector/profiles/v1development/profiles_service.proto. */
enum { RESPONSE_PARTIAL_SUCCESS = 1 };
enum { PARTIAL_REJECTED = 1, PARTIAL_MESSAGE };

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/**
 * struct field - a field of a message
 * @number:	its number
 * @type:	WIRE_*
 * @value:	its value, or the length of @data
 * @data:	its bytes
 */
struct field {
	u32	number;
	u32	type;
	u64	value;
	const char *data;
};

static bool take_varint(const char **at, const char *end, u64 *value)
{
	u32 shift;

	*value = 0;
	for (shift = 0; *at < end && shift < 64; shift += 7) {
		*value |= (u64)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			return true;
	}
	return false;
}

/* Take the next field. Return false at the end, and where the message is damaged. */
static bool take_field(const char **at, const char *end, struct field *field)
{
	u64 tag;

	if (!take_varint(at, end, &tag) || !take_varint(at, end, &field->value))
		return false;
	field->number = tag >> 3;
	field->type = tag & 7;
	field->data = *at;
	if (field->type == WIRE_VARINT)
		return true;
	if (field->type != WIRE_BYTES || field->value > (u64)(end - *at))
		return false;
	*at += field->value;
	return true;
}

static bool find_field(const char *at, size_t len, u32 number, struct field *field)
{
	const char *end = at + len;

	while (take_field(&at, end, field)) {
		if (field->number == number)
			return true;
	}
	return false;
}

/* Return how many profiles the server rejected, and copy its reason to @why. */
u64 otlp_rejected(const char *body, size_t len, char *why, size_t room)
{
	struct field partial, field;

	*why = '\0';
	if (!find_field(body, len, RESPONSE_PARTIAL_SUCCESS, &partial) ||
	    partial.type != WIRE_BYTES)
		return 0;
	if (find_field(partial.data, partial.value, PARTIAL_MESSAGE, &field) &&
	    field.type == WIRE_BYTES)
		snprintf(why, room, "%.*s", (int)field.value, field.data);
	if (!find_field(partial.data, partial.value, PARTIAL_REJECTED, &field) ||
	    field.type != WIRE_VARINT)
		return 0;
	return field.value;
}
