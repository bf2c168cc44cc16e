/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - write an output as base64
 *
 * The result has letters, digits, '+', '/' and '=' only, so that it needs no escapes in JSON
 * and HTML.
 */
#ifndef TPROF_BASE64_H
#define TPROF_BASE64_H

#include <stdio.h>

#include "base/types.h"

/**
 * struct base64 - an output that is being encoded
 * @plain:	stream for what is to be encoded
 * @out:	the output; its errors remain there for ferror(3)
 * @held:	bytes that are not encoded yet: an output character has 6 bits
 * @nr_held:	number of bytes in @held
 */
struct base64 {
	FILE	*plain;
	FILE	*out;
	u8	held[3];
	u32	nr_held;
};

int base64_begin(struct base64 *base64, FILE *out);
void base64_end(struct base64 *base64);

#endif /* TPROF_BASE64_H */
