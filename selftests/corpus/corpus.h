/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - programs with known call chains
 *
 * Each program spends the given time in leaf(). The programs differ in the callers of
 * leaf().
 */
#ifndef TPROF_CORPUS_H
#define TPROF_CORPUS_H

#include "../workloads/mill.h"

/* Keep the compiler from inlining or cloning the function. */
#define FRAME __attribute__((noipa))

/* Iterations of the loop in leaf(). They take some milliseconds on an emulated machine. */
#define STEPS 400000

static __attribute__((unused)) FRAME unsigned long leaf(unsigned long value)
{
	return mill(value, STEPS);
}

/* plugin.so defines this function. */
unsigned long plugin(unsigned long (*call)(unsigned long));

#endif /* TPROF_CORPUS_H */
