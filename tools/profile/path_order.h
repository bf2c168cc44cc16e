/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the order of whole call paths
 */
#ifndef TPROF_PATH_ORDER_H
#define TPROF_PATH_ORDER_H

#include "profile/profile.h"

int paths_sort(struct profile *profile);

#endif /* TPROF_PATH_ORDER_H */
