// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a real-time thread that occupies CPU 1
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "harness/common.h"
#include "harness/hog.h"

#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"

/* Occupy CPU 1 until the test permits the end, but not longer than 10 seconds. */
static void *occupy_cpu1(void *arg)
{
	struct sched_param most = { .sched_priority = 99 };
	struct hog *hog = arg;
	__u64 end = now_ns() + 10 * NSEC_PER_SEC;

	if (cpu_pin(1) || sched_setscheduler(0, SCHED_FIFO, &most))
		return NULL;
	__atomic_store_n(&hog->is_running, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&hog->may_end, __ATOMIC_ACQUIRE) && now_ns() < end)
		;
	__atomic_store_n(&hog->is_running, false, __ATOMIC_RELEASE);
	return NULL;
}

bool hog_is_running(const struct hog *hog)
{
	return __atomic_load_n(&hog->is_running, __ATOMIC_ACQUIRE);
}

/* The caller must not run on CPU 1. Return -EOPNOTSUPP if the CPU cannot be occupied. */
int hog_start(struct hog *hog)
{
	*hog = (struct hog){ .limit = file_number(RT_RUNTIME) };
	if (cpus_online() < 2 || file_write(RT_RUNTIME, "-1") ||
	    pthread_create(&hog->thread, NULL, occupy_cpu1, hog))
		return -EOPNOTSUPP;
	if (wait_until(hog_is_running(hog), 2000))
		return 0;
	hog_end(hog);
	return -EOPNOTSUPP;
}

void hog_end(struct hog *hog)
{
	char text[32];

	__atomic_store_n(&hog->may_end, true, __ATOMIC_RELEASE);
	pthread_join(hog->thread, NULL);
	snprintf(text, sizeof(text), "%ld", hog->limit);
	file_write(RT_RUNTIME, text);
}
