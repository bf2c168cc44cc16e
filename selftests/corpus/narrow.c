// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a 32-bit program with known call chains
 *
 *	_start -> narrow_main -> narrow -> leaf
 *
 * The program uses no library, as most machines have no 32-bit libraries. It ends after
 * ROUNDS calls of narrow().
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
