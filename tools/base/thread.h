/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - start threads, and wait for what they do
 */
#ifndef TPROF_THREAD_H
#define TPROF_THREAD_H

#include <pthread.h>

#include "base/types.h"

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);
bool thread_wait(pthread_cond_t *changed, pthread_mutex_t *lock, const bool *flag, u64 ns);

#endif /* TPROF_THREAD_H */
