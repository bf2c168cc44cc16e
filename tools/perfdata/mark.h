/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - marks, which a program or a user wrote into the recording
 */
#ifndef TPROF_MARK_H
#define TPROF_MARK_H

#include "perfdata/reader.h"

const char *mark_text(const struct record *record);

#endif /* TPROF_MARK_H */
