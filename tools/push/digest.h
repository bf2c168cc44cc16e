/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - an identifier of a body, the same for each body with the same bytes
 */
#ifndef TPROF_PUSH_DIGEST_H
#define TPROF_PUSH_DIGEST_H

#include <stddef.h>

/* 8-4-4-4-12 hexadecimal digits, and the terminating zero. */
#define DIGEST_TEXT	37

/**
 * struct digest - a hash of 128 bits
 * @value:	the hash of all bytes so far
 */
struct digest {
	__uint128_t value;
};

void digest_begin(struct digest *digest);
void digest_add(struct digest *digest, const char *data, size_t len);
void digest_text(const struct digest *digest, char text[DIGEST_TEXT]);

#endif /* TPROF_PUSH_DIGEST_H */
