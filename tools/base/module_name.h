/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what the kernel calls a module whose file is known
 */
#ifndef TPROF_MODULE_NAME_H
#define TPROF_MODULE_NAME_H

#include "base/types.h"

void module_name(const char *path, char *name, size_t len);

#endif /* TPROF_MODULE_NAME_H */
