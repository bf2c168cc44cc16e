/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - programs whose call chains are known
 *
 * All of them spend their time in leaf(), for as long as they are told, and
 * differ in who calls it.
 */
#ifndef TPROF_CORPUS_H
#define TPROF_CORPUS_H

#include "../workloads/mill.h"

/* Neither inlined, nor cloned, nor called by a jump. */
#define FRAME __attribute__((noipa))

/* Some milliseconds on an emulated machine. */
#define STEPS 400000

static __attribute__((unused)) FRAME unsigned long leaf(unsigned long value)
{
	return mill(value, STEPS);
}

/* Of the library that one of them loads. */
unsigned long plugin(unsigned long (*call)(unsigned long));

#endif /* TPROF_CORPUS_H */
