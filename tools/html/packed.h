/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - compress an output, and write it as base64
 *
 * Nothing in the result can end the element of the page that it is in.
 */
#ifndef TPROF_HTML_PACKED_H
#define TPROF_HTML_PACKED_H

#include "base/base64.h"
#include "export/gzip.h"

/**
 * struct packed - an output that is being compressed and encoded
 * @plain:	stream for what is to be compressed
 * @gzip:	compresses what is written to @plain
 * @base64:	encodes what is compressed
 */
struct packed {
	FILE	*plain;
	struct gzip gzip;
	struct base64 base64;
};

int packed_begin(struct packed *packed, FILE *out);
u64 packed_flush(struct packed *packed);
void packed_end(struct packed *packed);

#endif /* TPROF_HTML_PACKED_H */
