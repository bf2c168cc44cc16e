// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process that runs short threads, one after the other
 *
 * usage: shorts THREADS INSTRUCTIONS
 *
 * Each thread executes a loop of INSTRUCTIONS instructions.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg)
{
	unsigned long loops = *(unsigned long *)arg / 2;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(loops));
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long insns = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	pthread_t thread;

	if (!threads || insns < 2) {
		fprintf(stderr, "usage: shorts THREADS INSTRUCTIONS\n");
		return 2;
	}
	for (; threads; threads--) {
		if (pthread_create(&thread, NULL, work, &insns) || pthread_join(thread, NULL))
			return 1;
	}
	return 0;
}
