/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - the lost samples of the output
 */
#ifndef TPROF_MERGE_LOSSES_H
#define TPROF_MERGE_LOSSES_H

#include "merge/merge.h"

int merge_losses(struct merge *merge);

#endif /* TPROF_MERGE_LOSSES_H */
