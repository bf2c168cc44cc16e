// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - counts by thread
 */
#include <errno.h>
#include <pthread.h>

#include "harness/counters.h"
#include "harness/tally.h"

/* Add an event. Return its index. */
int tally_add(int fd, const char *backend, struct perf_event_attr *attr, __u32 flags)
{
	struct tprof_lx_event event;
	int err = event_add_with(fd, backend, attr, flags, &event);

	return err ? err : (int)event.index;
}

/* Build the attr of an event that counts with READ records. */
void attr_reads(struct perf_event_attr *attr, __u32 key)
{
	attr_count(attr, PERF_TYPE_SOFTWARE, key);
	attr->inherit = 1;
	attr->inherit_stat = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			    PERF_FORMAT_ID;
}

/* Add an event that counts with READ records, and an event that samples. */
int tally_add_reads(int fd, __u32 key, __u32 flags)
{
	struct perf_event_attr attr;
	int err;

	attr_reads(&attr, key);
	err = tally_add(fd, TPROF_LX_FAKE_COUNTER, &attr,
			flags | TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS);
	return err < 0 ? err : event_fake(fd, key);
}

int tally_list(int fd, __u32 event, struct tally_list *list)
{
	int err;

	list->arg = (struct tprof_lx_threads){
		.size		= sizeof(list->arg),
		.event		= event,
		.nr_threads	= MAX_THREADS,
		.threads	= (unsigned long)list->threads,
		.thread_size	= sizeof(list->threads[0]),
	};
	list->listed = 0;
	err = session_ioctl(fd, TPROF_LX_IOC_THREADS, &list->arg);
	if (err)
		return err;
	if (list->arg.nr_threads > MAX_THREADS)
		return -E2BIG;
	for (__u32 i = 0; i < list->arg.nr_threads; i++)
		list->listed += list->threads[i].value;
	return 0;
}

/* List the threads. Return true if their counts add up to what READ returns. */
bool tally_adds_up(int fd, __u32 event, struct tally_list *list)
{
	return !tally_list(fd, event, list) &&
	       list->listed + list->arg.gone + list->arg.unattributed == count_sum(fd, event);
}

/* Cause @nr events. */
int tally_count(struct target *target, __u64 nr)
{
	return fake_count(target->key, nr, NULL);
}

static void *count_once(void *target)
{
	return (void *)(long)fake_count(((struct target *)target)->key, 1, NULL);
}

/* Let each of @nr short threads cause one event, THREADS_AT_ONCE of them at once. */
int tally_count_in_threads(struct target *target, __u64 nr)
{
	pthread_t threads[THREADS_AT_ONCE];
	void *result;
	int err = 0;

	for (; nr && !err; nr -= THREADS_AT_ONCE) {
		for (int i = 0; i < THREADS_AT_ONCE; i++)
			err = err ?: -pthread_create(&threads[i], NULL, count_once, target);
		for (int i = 0; i < THREADS_AT_ONCE && !err; i++) {
			pthread_join(threads[i], &result);
			err = (long)result;
		}
	}
	return err;
}
