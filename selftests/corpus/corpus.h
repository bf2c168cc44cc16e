/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - programs with known call chains
 *
 * All of them spend the given time in leaf(), and differ in its callers.
 */
#ifndef TPROF_CORPUS_H
#define TPROF_CORPUS_H

#include "../workloads/mill.h"

/* Neither inlined, nor cloned, nor called by a jump. */
#define FRAME __attribute__((noipa))

/* Rounds of leaf(): some milliseconds on an emulated machine. */
#define STEPS 400000

static __attribute__((unused)) FRAME unsigned long leaf(unsigned long value)
{
	return mill(value, STEPS);
}

/* Function of the library that one of the programs loads. */
unsigned long plugin(unsigned long (*call)(unsigned long));

#endif /* TPROF_CORPUS_H */
