// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - text that is written in large pieces
 */
#include <stdarg.h>

#include "base/text.h"

/* Write what is in the buffer to the output stream. */
void text_flush(struct text *text)
{
	fwrite(text->buf, 1, text->len, text->out);
	text->len = 0;
}

/* Append bytes that do not fit into the free part of the buffer. */
void text_add_long(struct text *text, const char *from, size_t len)
{
	text_flush(text);
	if (len > TEXT_ROOM) {
		fwrite(from, 1, len, text->out);
		return;
	}
	memcpy(text->buf, from, len);
	text->len = len;
}

/* Append formatted text. This is slow: use it only for text that is printed rarely. */
void text_printf(struct text *text, const char *format, ...)
{
	va_list args;

	text_flush(text);
	va_start(args, format);
	vfprintf(text->out, format, args);
	va_end(args);
}
