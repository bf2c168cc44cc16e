// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program with a known call tree
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

/* The addition after each call keeps it from becoming a tail call. */
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
	/* Use the result, or the compiler drops the work. */
	printf("%lx\n", value);
	return 0;
}
