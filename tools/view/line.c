// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a line of a screen, made of parts from left to right
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/printable.h"
#include "view/line.h"

void line_start(struct line *line, u32 width, u32 skip)
{
	line->text[0] = '\0';
	line->len = 0;
	line->columns = 0;
	line->width = width;
	line->skip = skip;
	line->is_cut = false;
	line->style = LINE_PLAIN;
	line->nr_parts = 0;
}

/* Return the length in bytes of the character at @s. */
static size_t letter_bytes(const char *s)
{
	size_t len = utf8_length((const unsigned char *)s);

	return len ? len : 1;
}

/* Return how many columns the character at @s takes, or -1 if a terminal may not get it. */
static int letter_columns(const char *s, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)s;
	wchar_t code;
	size_t i;

	if (len == 1)
		return *bytes >= 0x20 && *bytes < 0x7f ? 1 : -1;
	code = *bytes & (0x7f >> len);
	for (i = 1; i < len; i++)
		code = code << 6 | (bytes[i] & 0x3f);
	return wcwidth(code);
}

/* Return how many columns a text takes. */
u32 text_columns(const char *text)
{
	u32 sum = 0;
	size_t len;
	int columns;

	for (; *text; text += len) {
		len = letter_bytes(text);
		columns = letter_columns(text, len);
		sum += columns < 0 ? 1 : columns;
	}
	return sum;
}

static void put_bytes(struct line *line, const char *bytes, size_t len, u32 columns)
{
	if (line->len + len >= LINE_BYTES)
		return;
	memcpy(line->text + line->len, bytes, len);
	line->len += len;
	line->text[line->len] = '\0';
	line->columns += columns;
}

/* Append a character, or skip it. Return false if the line is full. */
static bool put_letter(struct line *line, const char *s, size_t len, u32 columns)
{
	if (line->skip) {
		/* A wide character at the left edge leaves a blank. */
		for (; columns > line->skip; columns--)
			put_bytes(line, " ", 1, 1);
		line->skip -= columns;
		return true;
	}
	if (line->columns + columns > line->width)
		return false;
	put_bytes(line, s, len, columns);
	return true;
}

/* Append a text, unless an earlier one did not fit: an accent would change another letter. */
void line_put(struct line *line, const char *text)
{
	size_t len;
	int columns;

	for (; *text && !line->is_cut; text += len) {
		len = letter_bytes(text);
		columns = letter_columns(text, len);
		line->is_cut = !(columns < 0 ? put_letter(line, "?", 1, 1) :
					       put_letter(line, text, len, columns));
	}
}

/* Append @nr blanks. */
void line_fill(struct line *line, u32 nr)
{
	while (nr-- && put_letter(line, " ", 1, 1))
		;
}

/* Append a text whose colour shows @heat, a percentage. With @is_cursor, it has the cursor. */
void line_box(struct line *line, const char *text, double heat, bool is_cursor)
{
	struct line_part part = { .from = line->len, .heat = heat, .is_cursor = is_cursor };

	line_put(line, text);
	part.len = line->len - part.from;
	if (part.len && line->nr_parts < LINE_PARTS)
		line->parts[line->nr_parts++] = part;
}

/* Append a text whose colour shows @heat, a percentage. */
void line_heat(struct line *line, const char *text, double heat)
{
	line_box(line, text, heat, false);
}

/* Append a formatted text, at most 255 bytes. */
void line_printf(struct line *line, const char *format, ...)
{
	char buf[256];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	line_put(line, buf);
}
