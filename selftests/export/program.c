// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the program of the recordings that check_export.py makes
 *
 * usage: program STEPS
 *
 * It also runs, so that a build with its own profile can be compared with it.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned long table[256];

static inline __attribute__((always_inline)) unsigned long mix(unsigned long x)
{
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9UL;
	return x ^ x >> 32;
}

static __attribute__((noinline)) unsigned long seldom(unsigned long x)
{
	for (int i = 0; i < 256; i++)
		table[i] += mix(x + i);
	return table[x & 255];
}

static __attribute__((noinline)) unsigned long often(unsigned long x)
{
	if (x % 1021 == 0)
		return seldom(x);
	table[x & 255] += mix(x);
	return x + table[(x >> 8) & 255];
}

static __attribute__((noinline)) unsigned long again(unsigned long x, unsigned int depth)
{
	return depth ? often(again(x + 1, depth - 1)) : mix(x);
}

int main(int argc, char **argv)
{
	unsigned long steps = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, x = 1;

	for (unsigned long i = 0; i < steps; i++)
		x = i % 16 ? often(x + i) : again(x, 8);
	printf("%lx\n", x);
	return 0;
}
