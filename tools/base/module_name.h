/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel's name of a module, from its file's name
 */
#ifndef TPROF_MODULE_NAME_H
#define TPROF_MODULE_NAME_H

#include "base/types.h"

void module_name(const char *path, char *name, size_t len);

#endif /* TPROF_MODULE_NAME_H */
