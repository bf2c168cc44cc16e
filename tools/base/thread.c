// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - start threads, and wait for what they do
 */
#include <signal.h>
#include <time.h>

#include "base/monotonic.h"
#include "base/thread.h"

/*
 * Start a thread with all signals blocked, so that the thread of the caller gets them. Return 0
 * or -errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

/*
 * Wait for at most @ns until another thread has set *@flag. That thread holds @lock meanwhile,
 * and then signals @changed. The caller holds @lock. Return *@flag.
 */
bool thread_wait(pthread_cond_t *changed, pthread_mutex_t *lock, const bool *flag, u64 ns)
{
	u64 until = monotonic_ns() + ns;
	struct timespec time = { .tv_sec = until / NSEC_PER_SEC, .tv_nsec = until % NSEC_PER_SEC };
	int err = 0;

	while (!*flag && !err)
		err = pthread_cond_clockwait(changed, lock, CLOCK_MONOTONIC, &time);
	return *flag;
}
