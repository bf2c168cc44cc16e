/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - load numbers from unaligned memory
 *
 * The kernel aligns records to 8 bytes, but in a damaged file they may be unaligned.
 */
#ifndef TPROF_LOAD_H
#define TPROF_LOAD_H

#include <string.h>

#include "base/types.h"

static inline u16 load_u16(const void *from)
{
	u16 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static inline u32 load_u32(const void *from)
{
	u32 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static inline u64 load_u64(const void *from)
{
	u64 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

#endif /* TPROF_LOAD_H */
