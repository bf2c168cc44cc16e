// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - start threads, wait for what they do, and leave those that do not end
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/thread.h"

/* A thread may run until the process ends. */
static atomic_bool is_one_abandoned;

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

/*
 * Leave a thread alone that waits for a file system or a server: it ends with the process. What it
 * uses must not be freed. From now on, end the process by thread_exit_process().
 */
void thread_abandon(pthread_t thread)
{
	pthread_detach(thread);
	atomic_store(&is_one_abandoned, true);
}

/*
 * End the process. The streams must be flushed. exit(3) calls the destructors of libraries, which
 * free what an abandoned thread may use: libdw has OpenSSL and GnuTLS loaded for debuginfod.
 */
_Noreturn void thread_exit_process(int status)
{
	if (atomic_load(&is_one_abandoned))
		_exit(status);
	exit(status);
}
