/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a byte buffer that grows
 *
 * Appending never has to be checked: a buffer that ran out of memory stays
 * failed and takes nothing more, and bytes_err() tells it once, at the end.
 */
#ifndef TPROF_BYTES_H
#define TPROF_BYTES_H

#include "base/types.h"

/**
 * struct bytes - a growing buffer; all zero is an empty one
 * @data:	the bytes
 * @len:	how many there are
 * @room:	how many fit before it has to grow
 * @failed:	memory ran out; what was appended since is missing
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
