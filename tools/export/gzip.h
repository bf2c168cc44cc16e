/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - compress an output as gzip does
 */
#ifndef TPROF_EXPORT_GZIP_H
#define TPROF_EXPORT_GZIP_H

#include <stdio.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/types.h"

/* Levels of zlib. GZIP_FAST takes less than half the time of GZIP_DEFAULT. */
enum gzip_level { GZIP_FAST = 1, GZIP_DEFAULT = 6 };

/**
 * struct gzip - an output that is being compressed
 * @stream:	zlib's state
 * @out:	the output; its errors remain there for ferror(3)
 */
struct gzip {
	z_stream stream;
	FILE	*out;
};

int gzip_begin(struct gzip *gzip, FILE *out, enum gzip_level level);
void gzip_add(struct gzip *gzip, const void *data, size_t len);
FILE *gzip_stream(struct gzip *gzip);
void gzip_end(struct gzip *gzip);

#endif /* TPROF_EXPORT_GZIP_H */
