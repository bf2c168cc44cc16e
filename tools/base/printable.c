// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names that anyone chose, for a terminal
 */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

#define PRINTABLE_LEN	1024
#define ESCAPE_LEN	4	/* "\\x1b" */
#define CUT		"..."

/* As many as a line has names. */
#define BUFFERS		4

/*
 * Bytes of a character that is not ASCII. Return how many, or 0 when it is no
 * character of UTF-8 that can be shown.
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
	/* Controls, overlong forms, surrogates and what lies above U+10FFFF. */
	if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) ||
	    (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* U+2028 to U+202E and U+2066 to U+2069 end lines and turn the rest of one around. */
static bool is_direction(const unsigned char *s)
{
	return s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
				(s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

/* Bytes of a character that can be shown, or 0. */
static size_t shown_length(const unsigned char *s)
{
	if (*s < 0x80)
		return *s >= 0x20 && *s != 0x7f;
	return is_direction(s) ? 0 : utf8_length(s);
}

static bool is_printable(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len;

	for (; *s; s += len) {
		len = shown_length(s);
		if (!len)
			return false;
	}
	return true;
}

/*
 * A name as it can be shown. Return @text itself if it can be shown, else a text
 * with bytes as "\\x1b", cut at "..." if need be, which stays until some more
 * were asked for.
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
