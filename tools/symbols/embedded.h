/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - symbols that are in the recording itself
 *
 * So that a report on another machine, or after an upgrade of this one, is the
 * same: the functions of each binary that have samples or are callers of one.
 */
#ifndef TPROF_EMBEDDED_H
#define TPROF_EMBEDDED_H

#include "base/hash_table.h"
#include "perfdata/feature_set.h"
#include "symbols/object.h"

/**
 * struct embedded - the symbols of a recording; all zero is none
 * @table:	binaries, by name
 */
struct embedded {
	struct hash_table table;
};

int embedded_read(struct embedded *embedded, const struct feature_set *features);
int embedded_apply(const struct embedded *embedded, struct object *object);
void embedded_free(struct embedded *embedded);
void embedded_write(const struct hash_table *objects, const struct kernel_symbols *kernel,
		    struct bytes *out);

#endif /* TPROF_EMBEDDED_H */
