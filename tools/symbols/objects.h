/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the binaries of a recording, and whose functions their addresses
 * are
 *
 * A binary's symbols are read when the first of its addresses is asked about.
 */
#ifndef TPROF_OBJECTS_H
#define TPROF_OBJECTS_H

#include "symbols/object.h"
#include "symbols/symbol_sources.h"

/**
 * struct recent_place - an address that was looked up
 * @object:	the binary, NULL for none
 * @addr:	the address
 * @symbol:	the function
 */
struct recent_place {
	const struct object *object;
	u64	addr;
	struct symbol *symbol;
};

/* Enough for loops, little enough to stay in a cache. */
#define RECENT_PLACES	1024

/**
 * struct objects - all binaries; all zero but for @sources.options is an empty set
 * @sources:	where their symbols come from
 * @table:	the binaries, by name and build-id
 * @known_ids:	build-ids of binaries, by name
 * @nothing:	where addresses are that nothing is known of
 * @nothing_kernel: likewise those of the kernel
 * @recent:	addresses that were looked up last
 */
struct objects {
	struct symbol_sources sources;
	struct hash_table table;
	struct hash_table known_ids;
	struct object nothing;
	struct object nothing_kernel;
	struct recent_place recent[RECENT_PLACES];
};

void objects_allow_many_files(void);
void objects_init(struct objects *objects, const struct symbol_options *options);
int objects_know_ids(struct objects *objects, const void *section, size_t len);
struct object *objects_get(struct objects *objects, const struct object_key *key);
struct object *objects_get_made(struct objects *objects, const char *name);
struct symbol *object_resolve(struct objects *objects, struct object *object, u64 addr);
void objects_embed(const struct objects *objects, struct bytes *out);
void objects_free(struct objects *objects);

#endif /* TPROF_OBJECTS_H */
