/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort the entries of a profile by one column
 */
#ifndef TPROF_TABLE_ORDER_H
#define TPROF_TABLE_ORDER_H

#include "profile/profile.h"

u32 *table_order(const struct profile *profile, const struct column *column);

#endif /* TPROF_TABLE_ORDER_H */
