/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read and write symbols in the recording itself
 *
 * With these symbols, a report shows the same names on another machine, or after an
 * upgrade. Only functions in which samples were taken, and their callers, are stored.
 */
#ifndef TPROF_EMBEDDED_H
#define TPROF_EMBEDDED_H

#include "base/hash_table.h"
#include "perfdata/feature_set.h"
#include "symbols/object.h"

/**
 * struct embedded - the symbols in a recording; empty if all members are zero
 * @table:	entries of struct embedded_object, by struct object_key
 */
struct embedded {
	struct hash_table table;
};

/**
 * struct embedded_visitor - what to do with the symbols in a recording
 * @object:	called for each binary
 * @symbol:	called for each function of the binary
 * @load:	called for each load of a function of the binary
 *
 * All return 0 or -errno, which ends the visit.
 */
struct embedded_visitor {
	int	(*object)(void *arg, const struct object_key *key);
	int	(*symbol)(void *arg, const struct symbol *symbol);
	int	(*load)(void *arg, const struct jit_load *load);
};

int embedded_visit(const struct embedded *embedded, const struct embedded_visitor *visitor,
		   void *arg);
int embedded_read(struct embedded *embedded, const struct feature_set *features);
int embedded_apply(const struct embedded *embedded, struct object *object);
void embedded_free(struct embedded *embedded);
void embedded_write(const struct hash_table *objects, const struct kernel_symbols *kernel,
		    struct bytes *out);

#endif /* TPROF_EMBEDDED_H */
