// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program with a known call tree
 *
 * usage: calltree SECONDS
 *
 *	main -> root -> left  -> leaf	3/4 of the time
 *	             -> right -> leaf	1/4 of the time
 *
 * The Makefile builds it twice: calltree has frame pointers, calltree-plain has
 * none.
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

/* Add 1 after each call, so that the compiler cannot make it a tail call. */
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
	/* Print the result, so that the compiler cannot remove the work. */
	printf("%lx\n", value);
	return 0;
}
