// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - records of tasks: names, forks, exits, switches
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

#define TRUE_PATH	"/bin/true"

FIXTURE(tracking) {
	int			fd;
	struct perf_event_attr	attr;
	struct stream		stream;
};

FIXTURE_SETUP(tracking)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 10);
	attr_track(&self->attr);
}

FIXTURE_TEARDOWN(tracking)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int begin(FIXTURE_DATA(tracking) *self)
{
	int err = event_add(self->fd, "timer", &self->attr);

	return err < 0 ? err : session_start(self->fd, 1);
}

static void do_rename(const char *name)
{
	prctl(PR_SET_NAME, name);
}

TEST_F(tracking, rename_is_recorded)
{
	const struct record_comm *comm;
	const struct record *record;
	pid_t pid;

	ASSERT_EQ(0, begin(self));
	pid = child_runs(do_rename, "new name");
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	record = stream_find(&self->stream, PERF_RECORD_COMM, pid);
	ASSERT_NE(NULL, record);
	comm = record->body;
	EXPECT_EQ(pid, comm->tid);
	EXPECT_STREQ("new name", comm->comm);
	EXPECT_EQ(0, record->header->misc & PERF_RECORD_MISC_COMM_EXEC);
	EXPECT_EQ(pid, record->pid);
	EXPECT_EQ(pid, record->tid);
}

TEST_F(tracking, fork_and_exit_are_recorded_in_order)
{
	const struct record *fork_record, *exit_record;
	const struct record_task *task;
	__u64 before = now_ns();
	pid_t pid;

	ASSERT_EQ(0, begin(self));
	pid = child_runs(do_nothing, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));

	fork_record = stream_find(&self->stream, PERF_RECORD_FORK, pid);
	ASSERT_NE(NULL, fork_record);
	task = fork_record->body;
	EXPECT_EQ(pid, task->tid);
	EXPECT_EQ(getpid(), task->ppid);
	EXPECT_EQ(getpid(), task->ptid);
	EXPECT_EQ(fork_record->time, task->time);
	EXPECT_LT(before, task->time);

	exit_record = stream_find(&self->stream, PERF_RECORD_EXIT, pid);
	ASSERT_NE(NULL, exit_record);
	task = exit_record->body;
	EXPECT_EQ(pid, task->tid);
	EXPECT_EQ(getpid(), task->ppid);
	EXPECT_LT(fork_record, exit_record);
	EXPECT_GT(now_ns(), exit_record->time);
}

static void *thread_tid(void *tid)
{
	*(pid_t *)tid = gettid();
	return NULL;
}

TEST_F(tracking, threads_are_recorded_as_threads)
{
	const struct record *record;
	bool has_forked = false, has_ended = false;
	pthread_t thread;
	pid_t tid = 0;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_tid, &tid));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	for_each_record(record, &self->stream) {
		const struct record_task *task = record->body;

		if (record->header->type == PERF_RECORD_FORK &&
		    task->tid == (__u32)tid) {
			EXPECT_EQ(getpid(), task->pid);
			EXPECT_EQ(getpid(), task->ppid);
			has_forked = true;
		}
		if (record->header->type == PERF_RECORD_EXIT &&
		    task->tid == (__u32)tid) {
			EXPECT_EQ(getpid(), task->pid);
			has_ended = true;
		}
	}
	EXPECT_TRUE(has_forked);
	EXPECT_TRUE(has_ended);
}

static long switches_so_far(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw + usage.ru_nivcsw;
}

TEST_F(tracking, switches_are_recorded_in_pairs)
{
	__s64 in_minus_out = 0;
	const struct record *record;
	size_t nr_ours = 0;
	long nr_switches;

	self->attr.context_switch = 1;
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin(self));
	nr_switches = switches_so_far();
	for (int i = 0; i < 20; i++)
		nap();
	nr_switches = switches_so_far() - nr_switches;
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	for_each_record_type(record, &self->stream,
			     PERF_RECORD_SWITCH_CPU_WIDE) {
		const struct record_switch *other = record->body;
		bool out = record->header->misc & PERF_RECORD_MISC_SWITCH_OUT;

		if (record->tid != (__u32)getpid())
			continue;
		EXPECT_NE(getpid(), other->next_prev_tid);
		in_minus_out += out ? -1 : 1;
		EXPECT_TRUE(in_minus_out == 0 || in_minus_out == -1);
		nr_ours++;
	}
	/*
	 * Some of the 20 naps may cause no switch: a timer may expire before the task has
	 * gone to sleep.
	 */
	EXPECT_LE(10, nr_switches);
	EXPECT_LE(2 * nr_switches, nr_ours);
}

TEST_F(tracking, only_requested_records_are_written)
{
	pid_t pid;

	attr_init(&self->attr, 10);
	self->attr.comm = 1;
	ASSERT_EQ(0, begin(self));
	pid = child_runs(do_exec, TRUE_PATH);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_NE(NULL, stream_find(&self->stream, PERF_RECORD_COMM, pid));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_FORK));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_EXIT));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_MMAP));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_MMAP2));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_SWITCH_CPU_WIDE));
}

/* Tracking lasts from the start of the first event to the stop of the last one. */
TEST_F(tracking, tracking_lasts_while_the_session_runs)
{
	pid_t during, after;

	ASSERT_EQ(0, event_add(self->fd, "timer", &self->attr));
	attr_init(&self->attr, 10);
	ASSERT_EQ(1, event_add(self->fd, "timer", &self->attr));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	during = child_runs(do_exec, TRUE_PATH);
	ASSERT_LT(0, during);
	ASSERT_EQ(0, session_stop(self->fd, 2));
	after = child_runs(do_exec, TRUE_PATH);
	ASSERT_LT(0, after);
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_NE(NULL, stream_find(&self->stream, PERF_RECORD_FORK, during));
	EXPECT_NE(NULL, stream_find(&self->stream, PERF_RECORD_MMAP2, during));
	EXPECT_EQ(NULL, stream_find(&self->stream, PERF_RECORD_FORK, after));
	EXPECT_EQ(NULL, stream_find(&self->stream, PERF_RECORD_MMAP2, after));
}

TEST_HARNESS_MAIN
