// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program that spends its time 3:1 in two functions
 *
 * usage: hotcold SECONDS
 *
 * hot() and cold() are the same loop, but hot() runs for three times as many steps.
 * They alternate in slices of random length, so that a sampling clock cannot run in
 * step with them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "now.h"

#define SLICES	64

__attribute__((noipa)) static unsigned long hot(unsigned long value,
						unsigned int steps)
{
	while (steps--)
		value = value * 6364136223846793005UL + 1;
	return value;
}

__attribute__((noipa)) static unsigned long cold(unsigned long value,
						 unsigned int steps)
{
	while (steps--)
		value = value * 6364136223846793005UL + 1;
	return value;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1.0);
	unsigned long value = 1;

	do {
		for (int i = 0; i < SLICES; i++) {
			unsigned int steps = 1000 + (value >> 33) % 2000;

			value = hot(value, 3 * steps);
			value = cold(value, steps);
		}
	} while (now() < end);
	/* Print the result, so that the compiler cannot remove the work. */
	printf("%lx\n", value);
	return 0;
}
