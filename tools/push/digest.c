// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - an identifier of a body
 *
 * The hash is FNV-1a. Two bodies have the same one by chance only.
 */
#include <stdio.h>

#include "base/types.h"
#include "push/digest.h"

#define BASIS_HIGH	0x6c62272e07bb0142ULL
#define BASIS_LOW	0x62b821756295c58dULL

/* The prime is 2^88 + PRIME_LOW. */
#define PRIME_LOW	0x13b

void digest_begin(struct digest *digest)
{
	digest->value = (__uint128_t)BASIS_HIGH << 64 | BASIS_LOW;
}

void digest_add(struct digest *digest, const char *data, size_t len)
{
	__uint128_t value = digest->value;
	size_t i;

	for (i = 0; i < len; i++) {
		value ^= (u8)data[i];
		value = (value << 88) + value * PRIME_LOW;
	}
	digest->value = value;
}

/* Make @text the hash in the form of a UUID of version 8, which has bits of any meaning. */
void digest_text(const struct digest *digest, char text[DIGEST_TEXT])
{
	u64 high = (u64)(digest->value >> 64), low = (u64)digest->value;

	high = (high & ~0xf000ULL) | 0x8000;
	low = low >> 2 | 1ULL << 63;
	snprintf(text, DIGEST_TEXT, "%08llx-%04llx-%04llx-%04llx-%012llx", high >> 32,
		 high >> 16 & 0xffff, high & 0xffff, low >> 48, low & 0xffffffffffffULL);
}
