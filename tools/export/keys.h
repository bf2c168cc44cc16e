/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - numbers of the keys that --sort chooses
 *
 * The keys are columns of report. A sample has a value for each key; together, these are a
 * tuple. Equal tuples have the same number.
 */
#ifndef TPROF_EXPORT_KEYS_H
#define TPROF_EXPORT_KEYS_H

#include "profile/gather.h"

/* Maximum number of tuples: they take about 1 GB with few keys. */
#define TUPLES_LIMIT	(8U << 20)

/**
 * struct keys - all tuples
 * @options:	the keys
 * @tuples:	its entries are the tuples
 * @parents:	functions that gather_options.parent was tried on
 */
struct keys {
	const struct gather_options *options;
	struct profile tuples;
	struct parents parents;
};

void keys_init(struct keys *keys, const struct gather_options *options);
int keys_find(struct keys *keys, struct world *world, struct hit *hit, struct chain *chain,
	      u32 *tuple);
u64 keys_value(const struct keys *keys, u32 tuple, size_t key);
const char *keys_text(const struct keys *keys, u32 tuple, size_t key, char *buf, size_t len);
void keys_clear(struct keys *keys);
void keys_free(struct keys *keys);

#endif /* TPROF_EXPORT_KEYS_H */
