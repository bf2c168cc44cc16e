/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - find the binaries of a recording in the old recording
 */
#ifndef TPROF_DIFF_BINARIES_H
#define TPROF_DIFF_BINARIES_H

#include "symbols/objects.h"

/**
 * struct binaries - the binaries of a recording, and their names in the old one
 * @names:	struct binary_name, by name
 * @ids:	struct old_id, by build-id
 * @claimed:	names in the old recording of binaries that have another name now
 * @made:	names in no recording
 */
struct binaries {
	struct hash_table names;
	struct hash_table ids;
	struct interned claimed;
	struct interned made;
};

/* Return the name of @object that keys of a column have. */
typedef const char *(*binary_namer)(const struct object *object);

int binaries_match(struct binaries *binaries, const struct objects *old,
		   const struct objects *now, binary_namer namer);
const char *binaries_old_name(const struct binaries *binaries, const char *name);
void binaries_free(struct binaries *binaries);

#endif /* TPROF_DIFF_BINARIES_H */
