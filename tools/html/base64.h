/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - compress an output, and write it as base64
 *
 * The result has letters, digits, '+', '/' and '=' only, so that nothing in it can end the
 * element of the page that it is in.
 */
#ifndef TPROF_HTML_BASE64_H
#define TPROF_HTML_BASE64_H

#include <stdio.h>

#include "export/gzip.h"

/**
 * struct base64 - an output that is being compressed and encoded
 * @plain:	stream for what is to be compressed
 * @len:	number of bytes written to @plain and flushed
 * @gzip:	compresses what is written to @plain
 * @coded:	stream for what is to be encoded
 * @out:	the output; its errors remain there for ferror(3)
 * @held:	bytes that are not encoded yet: an output character has 6 bits
 * @nr_held:	number of bytes in @held
 */
struct base64 {
	FILE	*plain;
	u64	len;
	struct gzip gzip;
	FILE	*coded;
	FILE	*out;
	u8	held[3];
	u32	nr_held;
};

int base64_begin(struct base64 *base64, FILE *out);
void base64_end(struct base64 *base64);

#endif /* TPROF_HTML_BASE64_H */
