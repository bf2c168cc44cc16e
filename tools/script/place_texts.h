/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx script - texts of sampled places, such as "main+0x1f (/usr/bin/ls)"
 *
 * A place is an address in a binary. The function at a place never changes, so it is
 * looked up once, and the text of the place is kept. The texts may not fit in the CPU's
 * cache, so place_texts_get() looks up many places at a time and prefetches their texts.
 *
 * Texts take at most 64 MiB. The places of 64 samples are looked up at a time.
 */
#ifndef TPROF_PLACE_TEXTS_H
#define TPROF_PLACE_TEXTS_H

#include "world/world.h"

#define PLACE_TEXTS_MAX	64

/**
 * struct place_key - a place
 * @addr:	address in the binary
 * @inlined:	symbol of the inlined function; NULL if the function is not inlined
 * @object:	object.number * 2 + (kernel address ? 1 : 0)
 */
struct place_key {
	u64	addr;
	const struct symbol *inlined;
	u32	object;
};

/**
 * struct place_text - a place and its text
 * @key:	the place
 * @len:	length of @text
 * @text:	the text, such as "main+0x1f (/usr/bin/ls)"
 */
struct place_text {
	struct place_key key;
	u32	len;
	char	text[];
};

/**
 * struct place_texts - places and their texts; empty if all members are zero
 * @table:	the texts, by place
 * @bytes:	memory of all texts
 */
struct place_texts {
	struct hash_table table;
	size_t	bytes;
};

const char *place_function(const struct spot *spot);
const char *place_binary(const struct spot *spot);
void place_texts_get(struct place_texts *texts, struct world *world, struct spot *spots, size_t nr,
		     const struct place_text **found);
void place_texts_trim(struct place_texts *texts);
void place_texts_free(struct place_texts *texts);

#endif /* TPROF_PLACE_TEXTS_H */
