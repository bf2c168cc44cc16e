/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - sessions of a user without privileges, for random calls
 */
#ifndef TPROF_FUZZ_USER_H
#define TPROF_FUZZ_USER_H

#include "fuzz/dice.h"

/* Number of sessions that user_session() has started. */
extern unsigned long user_nr_started;

int user_open(int flags);
int user_session(struct dice *dice, int fd);

#endif /* TPROF_FUZZ_USER_H */
