/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - programs whose call chains are known
 *
 * All of them spend their time in leaf(), for as long as they are told, and
 * differ in who calls it.
 */
#ifndef TPROF_CORPUS_H
#define TPROF_CORPUS_H

/* Neither inlined, nor cloned, nor called by a jump. */
#define FRAME __attribute__((noipa))

/* Some milliseconds on an emulated machine. */
#define STEPS 400000

/* Whoever asks for his frame has one, where there are frame pointers. */
static __attribute__((unused)) FRAME unsigned long leaf(unsigned long value)
{
	unsigned int steps = STEPS;

#ifndef PLAIN
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
#endif
	while (steps--)
		value = value * 6364136223846793005UL + 1;
	return value;
}

/* Of the library that one of them loads. */
unsigned long plugin(unsigned long (*call)(unsigned long));

#endif /* TPROF_CORPUS_H */
