/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info - describe a recording
 */
#ifndef TPROF_INFO_FILE_H
#define TPROF_INFO_FILE_H

#include "show/facts.h"

int info_file(const char *name, const struct facts *facts);

#endif /* TPROF_INFO_FILE_H */
