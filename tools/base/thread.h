/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - start threads, wait for what they do, and leave those that do not end
 */
#ifndef TPROF_THREAD_H
#define TPROF_THREAD_H

#include <pthread.h>

#include "base/types.h"

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);
bool thread_wait(pthread_cond_t *changed, pthread_mutex_t *lock, const bool *flag, u64 ns);
void thread_abandon(pthread_t thread);
_Noreturn void thread_exit_process(int status);

#endif /* TPROF_THREAD_H */
