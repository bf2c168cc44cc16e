// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a phase of one thread, then a phase of several
 *
 * usage: phases SECONDS THREADS
 *
 * First, one thread runs alone() for so long, then as many threads run together(). Print how
 * long both have taken, in nanoseconds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "workloads/mill.h"
#include "workloads/now.h"

#define MAX_THREADS	64

static volatile unsigned long sink;

__attribute__((noinline)) static void alone(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		sink = mill(sink, 100000);
}

__attribute__((noinline)) static void *together(void *arg)
{
	double end = *(const double *)arg;

	while (now() < end)
		sink = mill(sink, 100000);
	return NULL;
}

static int run_together(double seconds, int nr)
{
	double end = now() + seconds;
	pthread_t threads[MAX_THREADS];
	int i, err = 0;

	for (i = 1; i < nr && !err; i++)
		err = pthread_create(&threads[i], NULL, together, &end);
	together(&end);
	while (--i > 0 && !err)
		err = pthread_join(threads[i], NULL);
	return err;
}

int main(int argc, char **argv)
{
	double start = now(), seconds = argc == 3 ? atof(argv[1]) : 0;
	int nr = argc == 3 ? atoi(argv[2]) : 0;

	if (seconds <= 0 || nr < 1 || nr > MAX_THREADS) {
		fprintf(stderr, "usage: phases SECONDS THREADS\n");
		return 2;
	}
	alone(seconds);
	if (run_together(seconds, nr))
		return 1;
	printf("%.0f\n", (now() - start) * 1e9);
	return 0;
}
