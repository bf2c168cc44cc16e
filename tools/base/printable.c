// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - escape untrusted names for a terminal
 */
#include <stdio.h>
#include <string.h>

#include "base/load.h"
#include "base/printable.h"

#define PRINTABLE_LEN	1024
#define ESCAPE_LEN	4	/* "\\x1b" */
#define CUT		"..."

/* Number of buffers that printable() uses in turn. No line of output has more names. */
#define BUFFERS		4

/*
 * Return the length in bytes of the UTF-8 character at @s, or 0 if it is ASCII,
 * invalid or a control character.
 */
size_t utf8_length(const unsigned char *s)
{
	size_t len, i;

	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		len = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		len = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		len = 4;
	else
		return 0;
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Refuse controls, overlong forms, surrogates and values above U+10FFFF. */
	if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) ||
	    (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/*
 * Return true for U+2028 to U+202E and U+2066 to U+2069, which end a line or change
 * the direction of the text.
 */
static bool is_direction(const unsigned char *s)
{
	return s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
				(s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

/* Return the length in bytes of the character at @s, or 0 if it must be escaped. */
static size_t shown_length(const unsigned char *s)
{
	if (*s < 0x80)
		return *s >= 0x20 && *s != 0x7f;
	return is_direction(s) ? 0 : utf8_length(s);
}

/* Return true if all eight bytes are printable ASCII characters. */
static bool are_plain(u64 bytes)
{
	const u64 ones = ~0ULL / 255, tops = ones * 0x80;

	/* Adding 1 sets the top bit of 0x7f, and subtracting 0x20 that of a control character. */
	return !((bytes | (bytes + ones) | (bytes - ones * 0x20)) & tops);
}

static bool is_printable(const char *text)
{
	const unsigned char *s = (const unsigned char *)text, *end = s + strlen(text);
	size_t len;

	/* Fast path: nearly all names are ASCII. */
	while (end - s >= 8 && are_plain(load_u64(s)))
		s += 8;
	for (; s < end; s += len) {
		len = shown_length(s);
		if (!len)
			return false;
	}
	return true;
}

/*
 * Escape a name for a terminal. Return @text itself if nothing in it must be
 * escaped. Otherwise return a copy in which \x1b, for example, stands for the byte
 * 0x1b. A truncated copy ends with "...". The copy is valid for BUFFERS - 1 more
 * calls.
 */
const char *printable(const char *text)
{
	static char buffers[BUFFERS][PRINTABLE_LEN];
	static size_t next;
	const unsigned char *s = (const unsigned char *)text;
	char *buf = buffers[next];
	size_t used = 0, len;

	if (is_printable(text))
		return text;
	next = (next + 1) % BUFFERS;
	while (*s && used + ESCAPE_LEN + strlen(CUT) < PRINTABLE_LEN) {
		len = shown_length(s);
		memcpy(buf + used, s, len);
		if (!len)
			snprintf(buf + used, ESCAPE_LEN + 1, "\\x%02x", *s);
		used += len ? len : ESCAPE_LEN;
		s += len ? len : 1;
	}
	snprintf(buf + used, PRINTABLE_LEN - used, "%s", *s ? CUT : "");
	return buf;
}
