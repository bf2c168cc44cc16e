/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - text that is written in large pieces
 *
 * printf(3) takes most of the time of a command that prints millions of lines. These
 * functions append to a buffer, which is written when it is full. Errors of the output
 * remain in @out for ferror(3).
 */
#ifndef TPROF_TEXT_H
#define TPROF_TEXT_H

#include <stdio.h>
#include <string.h>

#include "base/types.h"

#define TEXT_ROOM	(16U << 10)

/* Number of decimal digits of the largest u64. */
#define TEXT_DIGITS	20

/**
 * struct text - text that is not written yet
 * @out:	output stream
 * @len:	number of bytes in @buf
 * @buf:	the text
 */
struct text {
	FILE	*out;
	size_t	len;
	char	buf[TEXT_ROOM];
};

void text_flush(struct text *text);
void text_add_long(struct text *text, const char *from, size_t len);
void text_printf(struct text *text, const char *format, ...) __printf(2, 3);

/* Make sure that @len bytes fit. @len is at most TEXT_ROOM. */
static inline void text_reserve(struct text *text, size_t len)
{
	if (TEXT_ROOM - text->len < len)
		text_flush(text);
}

static inline void text_add(struct text *text, const char *from, size_t len)
{
	if (TEXT_ROOM - text->len < len) {
		text_add_long(text, from, len);
		return;
	}
	memcpy(text->buf + text->len, from, len);
	text->len += len;
}

static inline void text_put(struct text *text, const char *from)
{
	text_add(text, from, strlen(from));
}

static inline void text_char(struct text *text, char letter)
{
	text_reserve(text, 1);
	text->buf[text->len++] = letter;
}

/* Append @letter @nr times. @nr is at most TEXT_ROOM. */
static inline void text_fill(struct text *text, char letter, size_t nr)
{
	text_reserve(text, nr);
	memset(text->buf + text->len, letter, nr);
	text->len += nr;
}

/* Append @value in decimal, padded on the left with @letter to @width characters. */
static inline void text_number(struct text *text, u64 value, size_t width, char letter)
{
	char digits[TEXT_DIGITS], *at = digits + sizeof(digits);
	size_t len;

	do {
		*--at = '0' + value % 10;
		value /= 10;
	} while (value);
	len = digits + sizeof(digits) - at;
	if (len < width)
		text_fill(text, letter, width - len);
	text_add(text, at, len);
}

/* Append @value in decimal, padded on the left with blanks to @width characters. */
static inline void text_signed(struct text *text, s64 value, size_t width)
{
	if (value < 0)
		text_printf(text, "%*lld", (int)width, value);
	else
		text_number(text, value, width, ' ');
}

/* Append @value in hexadecimal, padded on the left with blanks to @width characters. */
static inline void text_hex(struct text *text, u64 value, size_t width)
{
	size_t len = value ? (67 - __builtin_clzll(value)) / 4 : 1, i;

	if (len < width)
		text_fill(text, ' ', width - len);
	text_reserve(text, len);
	for (i = len; i--; value >>= 4)
		text->buf[text->len + i] = "0123456789abcdef"[value % 16];
	text->len += len;
}

#endif /* TPROF_TEXT_H */
