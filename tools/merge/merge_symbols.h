/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - the symbols in the recordings
 */
#ifndef TPROF_MERGE_SYMBOLS_H
#define TPROF_MERGE_SYMBOLS_H

#include "merge/merge.h"

int merge_symbols(struct merge *merge, struct bytes *section);

#endif /* TPROF_MERGE_SYMBOLS_H */
