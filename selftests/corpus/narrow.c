// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program of 32 bits
 *
 *	_start -> narrow_main -> narrow -> leaf
 *
 * Without a library, as there is none of 32 bits on most machines; it ends after
 * a number of rounds.
 */
#include "corpus.h"

#define ROUNDS	150

static FRAME unsigned long narrow(unsigned long value)
{
	return leaf(value) + 1;
}

static FRAME unsigned long narrow_main(void)
{
	unsigned long value = 1;
	int i;

	for (i = 0; i < ROUNDS; i++)
		value = narrow(value) + 1;
	return value;
}

void _start(void);

void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(1), "b"(narrow_main() == 0));
	__builtin_unreachable();
}
