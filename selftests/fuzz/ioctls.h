/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - random ioctls, with valid and invalid arguments
 */
#ifndef TPROF_FUZZ_IOCTLS_H
#define TPROF_FUZZ_IOCTLS_H

#include "fuzz/dice.h"

int ioctls_do(struct dice *dice, int fd);
const char *ioctls_never_good(void);

#endif /* TPROF_FUZZ_IOCTLS_H */
