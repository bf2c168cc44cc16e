/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the binaries of a recording, and the functions at their addresses
 *
 * The symbols of a binary are loaded at the first lookup of an address in the binary.
 *
 * A binary is used only if it has the recorded build-id. If the binary at the recorded path
 * has another one, the mount namespace of the process and perf's copies are searched
 * (object_paths.h). Recordings by `perf record -z` or to a pipe have no build-ids; then the
 * file at the path is used.
 */
#ifndef TPROF_OBJECTS_H
#define TPROF_OBJECTS_H

#include "symbols/object.h"
#include "symbols/recent_places.h"
#include "symbols/symbol_sources.h"

/**
 * struct objects - all binaries
 * @sources:	sources of symbols
 * @table:	binaries, by object_key
 * @known_ids:	build-ids of binaries, by name
 * @nr:		number of binaries so far, including @nothing and @nothing_kernel
 * @max:	maximum of @nr, 0 for no limit: objects_get() returns @nothing instead of a
 *		binary beyond it
 * @nr_left_out: number of calls for binaries beyond @max
 * @nothing:	binary of user addresses without a mapping
 * @nothing_kernel: binary of kernel addresses without a mapping
 * @recent:	cache of the functions at addresses
 */
struct objects {
	struct symbol_sources sources;
	struct hash_table table;
	struct hash_table known_ids;
	u32	nr;
	u32	max;
	u64	nr_left_out;
	struct object nothing;
	struct object nothing_kernel;
	struct recent_places recent;
};

void objects_allow_many_files(void);
void objects_init(struct objects *objects, const struct symbol_options *options);
int objects_know_ids(struct objects *objects, const void *section, size_t len);
struct object *objects_get(struct objects *objects, const struct object_key *key);
struct object *objects_get_made(struct objects *objects, const char *name);
const struct object *objects_owner(const struct objects *objects, const struct symbol *symbol);
struct symbol *object_nowhere(struct object *object, u64 addr);
struct symbol *object_resolve(struct objects *objects, struct object *object, u64 addr);
void object_expect(const struct objects *objects, const struct object *object, u64 addr,
		   enum symtab_step step);
void objects_embed(const struct objects *objects, struct bytes *out);
void objects_free(struct objects *objects);

#endif /* TPROF_OBJECTS_H */
