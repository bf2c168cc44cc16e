// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - compress an output as gzip does
 */
#include <errno.h>

#include "export/gzip.h"

#define BUFFER		(32U << 10)

/* zlib's default for its memory, and the format of gzip. */
#define MEMORY		8
#define GZIP_WINDOW	(15 + 16)

/* Return 0 or -ENOMEM. */
int gzip_begin(struct gzip *gzip, FILE *out, enum gzip_level level)
{
	*gzip = (struct gzip){ .out = out };
	return deflateInit2(&gzip->stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY,
			    Z_DEFAULT_STRATEGY) == Z_OK ? 0 : -ENOMEM;
}

/* Write what zlib has compressed. At the end, @flush is Z_FINISH. */
static void write_out(struct gzip *gzip, int flush)
{
	u8 buf[BUFFER];

	do {
		gzip->stream.next_out = buf;
		gzip->stream.avail_out = sizeof(buf);
		deflate(&gzip->stream, flush);
		fwrite(buf, 1, sizeof(buf) - gzip->stream.avail_out, gzip->out);
	} while (!gzip->stream.avail_out);
}

/* @len is less than 4 GiB. */
void gzip_add(struct gzip *gzip, const void *data, size_t len)
{
	gzip->stream.next_in = data;
	gzip->stream.avail_in = len;
	write_out(gzip, Z_NO_FLUSH);
}

static ssize_t add_written(void *cookie, const char *data, size_t len)
{
	gzip_add(cookie, data, len);
	return len;
}

/* Return a stream for what is to be compressed. It must be closed before gzip_end(). */
FILE *gzip_stream(struct gzip *gzip)
{
	return fopencookie(gzip, "w", (cookie_io_functions_t){ .write = add_written });
}

/* Write the rest, and free all memory. gzip_begin() must have succeeded. */
void gzip_end(struct gzip *gzip)
{
	gzip->stream.next_in = NULL;
	gzip->stream.avail_in = 0;
	write_out(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
}
