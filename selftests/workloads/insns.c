// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a loop of known length that times itself
 *
 * usage: insns MILLIONS
 *
 * Executes so many million instructions in user mode and prints by how much the
 * time-stamp counter went on meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

int main(int argc, char **argv)
{
	unsigned long loops, begin;

	loops = argc == 2 ? strtoul(argv[1], NULL, 10) * 500000 : 0;
	if (!loops) {
		fprintf(stderr, "usage: insns MILLIONS\n");
		return 2;
	}
	begin = __rdtsc();
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops));
	printf("%llu\n", __rdtsc() - begin);
	return 0;
}
