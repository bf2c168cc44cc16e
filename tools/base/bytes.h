/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a byte buffer that grows
 *
 * An append need not be checked: a buffer that ran out of memory stays failed and
 * takes nothing more. bytes_err() reports it once, at the end.
 */
#ifndef TPROF_BYTES_H
#define TPROF_BYTES_H

#include "base/types.h"

/**
 * struct bytes - a growing buffer; all zero is an empty one
 * @data:	the bytes
 * @len:	number of bytes
 * @room:	bytes that fit before the buffer has to grow
 * @failed:	memory ran out; the bytes of later appends are missing
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
