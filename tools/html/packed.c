// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - compress an output, and write it as base64
 */
#include <errno.h>

#include "html/packed.h"

/* Begin to write to @packed->plain. Return 0 or -ENOMEM. */
int packed_begin(struct packed *packed, FILE *out)
{
	if (base64_begin(&packed->base64, out))
		return -ENOMEM;
	if (gzip_begin(&packed->gzip, packed->base64.plain, GZIP_DEFAULT)) {
		base64_end(&packed->base64);
		return -ENOMEM;
	}
	packed->plain = gzip_stream(&packed->gzip);
	if (packed->plain)
		return 0;
	gzip_end(&packed->gzip);
	base64_end(&packed->base64);
	return -ENOMEM;
}

/* Return the number of bytes that were written to @packed->plain. */
u64 packed_flush(struct packed *packed)
{
	fflush(packed->plain);
	return packed->gzip.stream.total_in;
}

/* Write the rest. packed_begin() must have succeeded. */
void packed_end(struct packed *packed)
{
	fclose(packed->plain);
	gzip_end(&packed->gzip);
	base64_end(&packed->base64);
}
