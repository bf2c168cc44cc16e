// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process in which only the second thread runs
 *
 * usage: threads SECONDS	of CPU time
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *work(void *arg)
{
	const int *seconds = arg;
	struct timespec used;
	volatile int i;

	do {
		for (i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while (used.tv_sec < *seconds);
	return NULL;
}

int main(int argc, char **argv)
{
	int seconds = argc == 2 ? atoi(argv[1]) : 0;
	pthread_t thread;

	if (seconds <= 0) {
		fprintf(stderr, "usage: threads SECONDS\n");
		return 2;
	}
	if (pthread_create(&thread, NULL, work, &seconds))
		return 1;
	return pthread_join(thread, NULL) != 0;
}
