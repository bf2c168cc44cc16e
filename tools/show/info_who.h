/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info --who - which process samples what at which rate, and what that costs
 */
#ifndef TPROF_INFO_WHO_H
#define TPROF_INFO_WHO_H

#include "show/facts.h"

int info_who(const struct facts *facts);

#endif /* TPROF_INFO_WHO_H */
