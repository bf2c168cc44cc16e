// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program whose callers are known
 *
 * usage: calltree SECONDS
 *
 *	main -> root -> left  -> leaf	three times as long as
 *	             -> right -> leaf
 *
 * Built twice: with frame pointers, and as calltree-plain without.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mill.h"
#include "now.h"

#define NOIPA __attribute__((noipa))

static NOIPA unsigned long leaf(unsigned long value, unsigned int steps)
{
	return mill(value, steps);
}

/* What comes after each call keeps it from being a jump. */
static NOIPA unsigned long left(unsigned long value)
{
	return leaf(value, 3 * (5000 + (value >> 33) % 10000)) + 1;
}

static NOIPA unsigned long right(unsigned long value)
{
	return leaf(value, 5000 + (value >> 33) % 10000) + 1;
}

static NOIPA unsigned long root(unsigned long value)
{
	return left(value) + right(value);
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1.0);
	unsigned long value = 1;

	do {
		value = root(value) + 1;
	} while (now() < end);
	/* Somebody has to want the result, or the compiler saves the work. */
	printf("%lx\n", value);
	return 0;
}
