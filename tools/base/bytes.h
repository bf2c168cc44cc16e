/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a byte buffer that grows
 *
 * Callers need not check each append: if an append runs out of memory, the buffer ignores
 * all later appends, and bytes_err() returns -ENOMEM.
 */
#ifndef TPROF_BYTES_H
#define TPROF_BYTES_H

#include "base/types.h"

/**
 * struct bytes - a growing buffer; empty if all members are zero
 * @data:	the bytes
 * @len:	number of bytes
 * @room:	capacity of @data in bytes
 * @failed:	memory ran out; @data lacks the append that failed and all later ones
 */
struct bytes {
	u8	*data;
	size_t	len;
	size_t	room;
	bool	failed;
};

void *bytes_extend(struct bytes *buf, size_t len);
void bytes_add(struct bytes *buf, const void *data, size_t len);
void bytes_add_u32(struct bytes *buf, u32 value);
void bytes_add_u64(struct bytes *buf, u64 value);
int bytes_err(const struct bytes *buf);
void bytes_free(struct bytes *buf);

#endif /* TPROF_BYTES_H */
