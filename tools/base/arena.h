/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - memory that is allocated piece by piece and freed as a whole
 */
#ifndef TPROF_ARENA_H
#define TPROF_ARENA_H

#include "base/types.h"

/**
 * struct arena_block - memory for many pieces
 * @before:	the block allocated before this one, or NULL
 * @data:	the pieces, aligned to 8 bytes
 */
struct arena_block {
	struct arena_block *before;
	u8	data[];
};

/**
 * struct arena - pieces that are freed together; empty if all members are zero
 * @last:	the block allocated last, or NULL
 * @used:	bytes of @last->data in use
 * @size:	size of @last->data in bytes
 */
struct arena {
	struct arena_block *last;
	size_t	used;
	size_t	size;
};

void *arena_get(struct arena *arena, size_t bytes);
char *arena_text(struct arena *arena, const char *text);
void arena_free(struct arena *arena);

#endif /* TPROF_ARENA_H */
