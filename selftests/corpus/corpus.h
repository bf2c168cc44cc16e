/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - programs with known call chains
 *
 * All of them spend the given time in leaf(). They differ in the callers of leaf().
 */
#ifndef TPROF_CORPUS_H
#define TPROF_CORPUS_H

#include "../workloads/mill.h"

/* The compiler must not inline or clone the function. */
#define FRAME __attribute__((noipa))

/* Rounds of leaf(): some milliseconds on an emulated machine. */
#define STEPS 400000

static __attribute__((unused)) FRAME unsigned long leaf(unsigned long value)
{
	return mill(value, STEPS);
}

/* The function of plugin.so. */
unsigned long plugin(unsigned long (*call)(unsigned long));

#endif /* TPROF_CORPUS_H */
