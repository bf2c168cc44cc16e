// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - write an output as base64
 */
#include <errno.h>

#include "base/base64.h"

#define GROUP	3

/* Write the held bytes as four characters. At the end of the output, some are absent. */
static void write_group(struct base64 *base64)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	u32 bits = 0, i;

	for (i = 0; i < GROUP; i++)
		bits = bits << 8 | (i < base64->nr_held ? base64->held[i] : 0);
	for (i = 0; i <= GROUP; i++)
		putc_unlocked(i <= base64->nr_held ? digits[bits >> (18 - 6 * i) & 63] : '=',
			      base64->out);
	base64->nr_held = 0;
}

static ssize_t encode(void *cookie, const char *data, size_t len)
{
	struct base64 *base64 = cookie;
	size_t i;

	for (i = 0; i < len; i++) {
		base64->held[base64->nr_held++] = data[i];
		if (base64->nr_held == GROUP)
			write_group(base64);
	}
	return len;
}

/* Begin to write to @base64->plain. Return 0 or -ENOMEM. */
int base64_begin(struct base64 *base64, FILE *out)
{
	*base64 = (struct base64){ .out = out };
	base64->plain = fopencookie(base64, "w", (cookie_io_functions_t){ .write = encode });
	return base64->plain ? 0 : -ENOMEM;
}

/* Write the rest. base64_begin() must have succeeded. */
void base64_end(struct base64 *base64)
{
	fclose(base64->plain);
	if (base64->nr_held)
		write_group(base64);
}
