/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names that are too long for a column of a table
 */
#ifndef TPROF_SHORT_NAME_H
#define TPROF_SHORT_NAME_H

#include "base/types.h"

/* Room for a name that short_name() makes. */
#define SHORT_NAME_LEN	1024

const char *short_name(const char *name, u32 width, char buf[SHORT_NAME_LEN]);

#endif /* TPROF_SHORT_NAME_H */
