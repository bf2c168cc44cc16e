/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find out whether apt can install a package on a machine
 */
#ifndef TPROF_APT_LISTS_H
#define TPROF_APT_LISTS_H

#include "doctor/machine.h"

bool apt_lists_have(const struct machine *machine, const char *package);

#endif /* TPROF_APT_LISTS_H */
