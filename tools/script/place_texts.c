// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - texts of sampled places, such as "main+0x1f (/usr/bin/ls)"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "base/printable.h"
#include "script/place_texts.h"

/* When the texts take more memory than this, place_texts_trim() frees all texts. */
#define MAX_BYTES	(64UL << 20)

#define CACHE_LINE	64

/* Return the name of the function at a resolved spot. */
const char *place_function(const struct spot *spot)
{
	return spot->symbol->name ? spot->symbol->name : "[unknown]";
}

/* Return perf's name of a binary: the short name in the kernel, else the path. */
const char *place_binary(const struct spot *spot)
{
	return spot->is_kernel ? spot->object->short_name : spot->object->name;
}

static struct place_key key_of(const struct spot *spot)
{
	const struct symbol *symbol = spot->symbol;

	return (struct place_key){ spot->addr, symbol && symbol->inlined ? symbol : NULL,
				   spot->object->number << 1 | spot->is_kernel };
}

static bool is_place(const void *entry, const void *wanted)
{
	const struct place_key *key = &((const struct place_text *)entry)->key;
	const struct place_key *other = wanted;

	return key->addr == other->addr && key->object == other->object &&
	       key->inlined == other->inlined;
}

static u64 hash_of(const struct place_key *key)
{
	return hash_number(hash_number(key->addr) + key->object + (uintptr_t)key->inlined);
}

/* Allocate the text of a resolved spot. Return NULL if out of memory. */
static struct place_text *make(const struct place_key *key, const struct spot *spot)
{
	const char *function = printable(place_function(spot));
	const char *binary = spot->symbol->inlined ? "inlined" : printable(place_binary(spot));
	size_t room = strlen(function) + strlen(binary) + sizeof("+0x0123456789abcdef ()");
	struct place_text *text = malloc(sizeof(*text) + room);

	if (!text)
		return NULL;
	text->key = *key;
	if (spot->symbol->name)
		text->len = snprintf(text->text, room, "%s+0x%llx (%s)", function,
				     spot->addr - spot->symbol->start, binary);
	else
		text->len = snprintf(text->text, room, "%s (%s)", function, binary);
	return text;
}

static const struct place_text *add(struct place_texts *texts, struct world *world, u64 hash,
				    const struct place_key *key, struct spot *spot)
{
	struct place_text *text;

	if (!spot->symbol && world_find_function(world, spot))
		return NULL;
	text = make(key, spot);
	if (!text || !hash_table_add(&texts->table, hash, text)) {
		texts->bytes += text ? sizeof(*text) + text->len : 0;
		return text;
	}
	free(text);
	return NULL;
}

/*
 * Find or make the texts of @nr spots. Each loop visits all spots and prefetches the
 * memory that the next loop reads.
 *
 * @nr: at most PLACE_TEXTS_MAX
 * @found: set to the texts, which are valid until place_texts_trim(); a text is NULL if
 *	   memory ran out
 */
void place_texts_get(struct place_texts *texts, struct world *world, struct spot *spots, size_t nr,
		     const struct place_text **found)
{
	/* gcc's analyzer does not see that the loops have the same range: zero the arrays. */
	struct place_key keys[PLACE_TEXTS_MAX] = { 0 };
	u64 hashes[PLACE_TEXTS_MAX] = { 0 };
	const char *text;
	size_t i;

	for (i = 0; i < nr; i++) {
		keys[i] = key_of(&spots[i]);
		hashes[i] = hash_of(&keys[i]);
		hash_table_expect(&texts->table, hashes[i]);
	}
	for (i = 0; i < nr; i++) {
		text = hash_table_find(&texts->table, hashes[i], NULL, NULL);
		if (!text)
			continue;
		prefetch(text);
		prefetch(text + CACHE_LINE);
	}
	for (i = 0; i < nr; i++) {
		found[i] = hash_table_find(&texts->table, hashes[i], is_place, &keys[i]);
		if (!found[i])
			found[i] = add(texts, world, hashes[i], &keys[i], &spots[i]);
	}
}

/* Free all texts if they take too much memory. */
void place_texts_trim(struct place_texts *texts)
{
	if (texts->bytes > MAX_BYTES)
		place_texts_free(texts);
}

void place_texts_free(struct place_texts *texts)
{
	hash_table_free(&texts->table, free);
	texts->bytes = 0;
}
