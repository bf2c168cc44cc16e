/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a real-time thread that occupies CPU 1
 */
#ifndef TPROF_SELFTESTS_HOG_H
#define TPROF_SELFTESTS_HOG_H

#include <pthread.h>
#include <stdbool.h>

/**
 * struct hog - a real-time thread of this process that occupies CPU 1
 * @thread:	the thread
 * @is_running:	false before it begins and after it ends
 * @may_end:	the thread must end
 * @limit:	previous limit of the time of real-time tasks
 */
struct hog {
	pthread_t	thread;
	bool		is_running;
	bool		may_end;
	long		limit;
};

int hog_start(struct hog *hog);
bool hog_is_running(const struct hog *hog);
void hog_end(struct hog *hog);

#endif /* TPROF_SELFTESTS_HOG_H */
