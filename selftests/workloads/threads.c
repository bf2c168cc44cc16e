// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process in which only the second thread runs
 *
 * usage: threads SECONDS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *work(void *arg)
{
	const time_t *end = arg;

	while (time(NULL) < *end)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	int seconds = argc == 2 ? atoi(argv[1]) : 0;
	time_t end = time(NULL) + seconds;
	pthread_t thread;

	if (seconds <= 0) {
		fprintf(stderr, "usage: threads SECONDS\n");
		return 2;
	}
	if (pthread_create(&thread, NULL, work, &end))
		return 1;
	return pthread_join(thread, NULL) != 0;
}
