// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - write fields of CSV, quoted as in RFC 4180
 */
#include <string.h>

#include "base/csv.h"

/* Write @text, in quotes if it would read as several fields or lines. */
void csv_put(FILE *out, const char *text, const char *separator)
{
	if (!strstr(text, separator) && !strpbrk(text, "\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}
