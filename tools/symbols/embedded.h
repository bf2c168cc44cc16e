/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - symbols in the recording itself
 *
 * They make a report on another machine, or after an upgrade of this one, show the
 * same names. Only functions with samples and their callers are kept.
 */
#ifndef TPROF_EMBEDDED_H
#define TPROF_EMBEDDED_H

#include "base/hash_table.h"
#include "perfdata/feature_set.h"
#include "symbols/object.h"

/**
 * struct embedded - the symbols in a recording; zeroed is empty
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
