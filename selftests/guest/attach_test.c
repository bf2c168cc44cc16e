// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - ATTACH and DETACH
 *
 * Events of the back end "fake-count" happen when a task requests them, so each test
 * knows the exact count.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/progress.h"
#include "harness/stream.h"
#include "harness/test.h"

#define ALONE	TPROF_LX_TARGET_ALONE
#define THREAD	TPROF_LX_TARGET_THREAD

FIXTURE(attach) {
	int		fd;
	__u32		key;
	struct target	target;
	struct stream	stream;
};

static int add_count(int fd, __u32 key)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return event_add_with(fd, TPROF_LX_FAKE_COUNTER, &attr, TPROF_LX_EVENT_PROCESS, &event);
}

FIXTURE_SETUP(attach)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	/* Open the device of the back end before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
}

FIXTURE_TEARDOWN(attach)
{
	target_end(&self->target);
	stream_free(&self->stream);
	close(self->fd);
}

/* Start the session with this process as its only target. This process counts nothing. */
static int begin(FIXTURE_DATA(attach) *self)
{
	return session_attach(self->fd, 0, ALONE) ?: session_start(self->fd, 1);
}

static int count_some(struct target *target, __u64 nr)
{
	return fake_count(target->key, nr, NULL);
}

TEST_F(attach, process_is_counted_until_its_detach)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_count(self->key, 100, NULL));
	ASSERT_EQ(0, target_do(&self->target, count_some, 7));
	EXPECT_EQ(7, count_sum(self->fd, 0));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, count_some, 100));
	EXPECT_EQ(7, count_sum(self->fd, 0));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, count_some, 1));
	EXPECT_EQ(8, count_sum(self->fd, 0));
}

TEST_F(attach, targets_of_config_can_be_detached)
{
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EEXIST, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, count_some, 1));
	EXPECT_EQ(0, count_sum(self->fd, 0));
}

/* The target runs on without a switch, so ATTACH and DETACH must reach its CPU. */
TEST_F(attach, running_process_is_counted_from_attach_to_detach)
{
	__u64 before, begun, ended, after, count;

	ASSERT_EQ(0, progress_share());
	/* The target must know of @progress. */
	target_end(&self->target);
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, target_ask(&self->target, count_until_over, cpus_online() - 1));
	ASSERT_TRUE(wait_until(progress->ended > 100, 10000));

	before = progress->ended;
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	begun = progress->begun;
	ASSERT_TRUE(wait_until(progress->ended > begun + 100, 10000));
	ended = progress->ended;
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	after = progress->begun;
	count = count_sum(self->fd, 0);
	EXPECT_LE(ended - begun, count);
	EXPECT_GE(after - before, count);

	ASSERT_TRUE(wait_until(progress->ended > after + 100, 10000));
	EXPECT_EQ(count, count_sum(self->fd, 0));
	progress->is_over = true;
	EXPECT_EQ(0, target_wait(&self->target));
}

/* Pipe on which the children of fork_some() wait, and their number. */
static int children_pipe[2];
static __u64 nr_children;

static int fork_some(struct target *target, __u64 nr)
{
	char byte;

	if (!nr_children && pipe(children_pipe))
		return -errno;
	for (__u64 i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return -errno;
		if (!pid) {
			close(children_pipe[1]);
			_exit(read(children_pipe[0], &byte, 1) || fake_count(target->key, 1, NULL));
		}
		nr_children++;
	}
	return 0;
}

/* Let one event happen in each child of fork_some(). */
static int count_in_children(struct target *target, __u64 unused)
{
	int status, failed = 0;

	(void)target;
	(void)unused;
	close(children_pipe[0]);
	close(children_pipe[1]);
	for (; nr_children; nr_children--)
		failed |= wait(&status) < 0 || status;
	return failed ? -ECHILD : 0;
}

TEST_F(attach, descendants_are_counted)
{
	ASSERT_EQ(0, target_do(&self->target, fork_some, 3));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 4));
	ASSERT_EQ(0, target_do(&self->target, count_in_children, 0));
	EXPECT_EQ(7, count_sum(self->fd, 0));
}

TEST_F(attach, process_alone_is_counted_without_descendants)
{
	ASSERT_EQ(0, target_do(&self->target, fork_some, 3));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, ALONE));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 4));
	ASSERT_EQ(0, target_do(&self->target, count_in_children, 0));
	EXPECT_EQ(0, count_sum(self->fd, 0));
	ASSERT_EQ(0, target_do(&self->target, count_some, 1));
	EXPECT_EQ(1, count_sum(self->fd, 0));
}

TEST_F(attach, descendants_are_detached)
{
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 3));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 4));
	ASSERT_EQ(0, target_do(&self->target, count_in_children, 0));
	EXPECT_EQ(0, count_sum(self->fd, 0));
}

TEST_F(attach, process_alone_is_detached_without_descendants)
{
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 3));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, ALONE));
	ASSERT_EQ(0, target_do(&self->target, fork_some, 4));
	ASSERT_EQ(0, target_do(&self->target, count_some, 100));
	ASSERT_EQ(0, target_do(&self->target, count_in_children, 0));
	EXPECT_EQ(3, count_sum(self->fd, 0));
}

#define CHILDREN	200

/*
 * While the target forks CHILDREN children, call ATTACH and DETACH by turns, @nr times
 * in all. Then let an event happen in each child.
 */
static int attach_while_forking(FIXTURE_DATA(attach) *self, int nr)
{
	struct target *target = &self->target;
	int err = target_ask(target, fork_some, CHILDREN);

	for (int i = 0; i < nr && !err; i++)
		err = i % 2 ? session_detach(self->fd, target->pid, 0) :
			      session_attach(self->fd, target->pid, 0);
	err = target_wait(target) ?: err;
	return target_do(target, count_in_children, 0) ?: err;
}

TEST_F(attach, attach_misses_no_child_that_is_forked_meanwhile)
{
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, attach_while_forking(self, 11));
	EXPECT_EQ(CHILDREN, count_sum(self->fd, 0));
}

TEST_F(attach, detach_misses_no_child_that_is_forked_meanwhile)
{
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, attach_while_forking(self, 10));
	EXPECT_EQ(0, count_sum(self->fd, 0));
}

static void *count_in_thread(void *key)
{
	return (void *)(long)fake_count(*(__u32 *)key, 10, NULL);
}

TEST_F(attach, thread_is_counted_without_what_it_creates)
{
	pthread_t thread;
	void *result;
	int status;
	pid_t pid;

	ASSERT_EQ(0, session_attach(self->fd, 0, THREAD));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, pthread_create(&thread, NULL, count_in_thread, &self->key));
	ASSERT_EQ(0, pthread_join(thread, &result));
	ASSERT_EQ(0, (long)result);
	pid = fork();
	if (!pid)
		_exit(fake_count(self->key, 100, NULL) != 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(1, count_sum(self->fd, 0));
	ASSERT_EQ(0, session_detach(self->fd, getpid(), THREAD));
	ASSERT_EQ(0, fake_count(self->key, 1, NULL));
	EXPECT_EQ(1, count_sum(self->fd, 0));
}

static void *attach_and_exec(void *fd_and_key)
{
	int *numbers = fd_and_key;
	char key[16];

	snprintf(key, sizeof(key), "%u", numbers[1]);
	if (!session_attach(numbers[0], 0, THREAD))
		execl("/proc/self/exe", "count_in_new_program", key, NULL);
	_exit(127);
}

/* In execve(2), a thread that does not lead its process gets the id of the leader. */
TEST_F(attach, thread_is_counted_after_its_exec)
{
	int numbers[2] = { self->fd, self->key };
	pthread_t thread;
	int status;
	pid_t pid;

	ASSERT_EQ(0, begin(self));
	pid = fork();
	if (!pid) {
		pthread_create(&thread, NULL, attach_and_exec, numbers);
		pthread_join(thread, NULL);
		_exit(126);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(1, count_sum(self->fd, 0));
}

/* Let one event happen in this thread, and 10 in another one. */
static int count_in_new_program(const char *text)
{
	__u32 key = strtoul(text, NULL, 0);
	pthread_t thread;
	void *result;

	if (fake_count(key, 1, NULL))
		return 1;
	if (pthread_create(&thread, NULL, count_in_thread, &key) || pthread_join(thread, &result))
		return 2;
	return result ? 3 : 0;
}

/* The harness defines main(), so look for "count_in_new_program KEY" before it. */
static void __attribute__((constructor)) run_as_new_program(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], "count_in_new_program"))
		_exit(count_in_new_program(argv[1]));
}

/* Return the id of the kernel thread @name, one of the first that the kernel creates, or 0. */
static pid_t find_kernel_thread(const char *name)
{
	char path[64], comm[64];
	FILE *file;

	for (pid_t pid = 2; pid < 1000; pid++) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		file = fopen(path, "r");
		if (!file)
			continue;
		comm[fread(comm, 1, sizeof(comm) - 1, file)] = '\0';
		fclose(file);
		comm[strcspn(comm, "\n")] = '\0';
		if (!strcmp(comm, name))
			return pid;
	}
	return 0;
}

/* Leave CPU 0 @nr times. This task runs there, so a thread of the kernel must move it. */
static int leave_cpu_0(int nr)
{
	int err = 0;

	for (int i = 0; i < nr && !err; i++)
		err = cpu_pin(0) ?: cpu_pin(1);
	return err;
}

TEST_F(attach, kernel_thread_is_counted)
{
	pid_t thread = find_kernel_thread("migration/0");
	struct tprof_lx_event event;
	struct perf_event_attr attr;
	__u64 count;

	if (cpus_online() < 2)
		SKIP(return, "there is no CPU to move to");
	ASSERT_LT(0, thread);
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	ASSERT_EQ(0, event_add_with(self->fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event));
	ASSERT_EQ(0, session_attach(self->fd, thread, ALONE));
	ASSERT_EQ(0, session_start(self->fd, 1U << event.index));
	ASSERT_EQ(0, leave_cpu_0(10));
	ASSERT_EQ(0, session_detach(self->fd, thread, ALONE));
	count = count_sum(self->fd, event.index);
	EXPECT_LE(10, count);
	ASSERT_EQ(0, leave_cpu_0(10));
	EXPECT_EQ(count, count_sum(self->fd, event.index));
}

static pid_t start_zombie(void)
{
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	return waitid(P_PID, pid, &info, WEXITED | WNOWAIT) ? -errno : pid;
}

TEST_F(attach, refuses_what_is_no_process_or_thread)
{
	static const __u32 flags[] = { 0, ALONE, THREAD };
	pid_t zombie = start_zombie();

	ASSERT_LT(0, zombie);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		EXPECT_EQ(-ESRCH, session_attach(self->fd, zombie, flags[i]));
		EXPECT_EQ(-ESRCH, session_attach(self->fd, -1, flags[i]));
		EXPECT_EQ(-ESRCH, session_detach(self->fd, 0x7fffffff, flags[i]));
	}
	ASSERT_EQ(zombie, waitpid(zombie, NULL, 0));
	EXPECT_EQ(-ESRCH, session_attach(self->fd, zombie, 0));
	EXPECT_EQ(-EINVAL, session_attach(self->fd, 0, ALONE | THREAD));
	EXPECT_EQ(-EINVAL, session_attach(self->fd, 0, 1U << 31));
	/* After failed calls, the session has no target. */
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
}

TEST_F(attach, nothing_is_attached_or_detached_twice)
{
	EXPECT_EQ(-EINVAL, session_detach(self->fd, 0, 0));
	ASSERT_EQ(0, session_attach(self->fd, 0, THREAD));
	EXPECT_EQ(-EEXIST, session_attach(self->fd, 0, THREAD));
	EXPECT_EQ(-EINVAL, session_detach(self->fd, 0, ALONE));
	ASSERT_EQ(0, session_detach(self->fd, 0, THREAD));
	EXPECT_EQ(-EINVAL, session_detach(self->fd, 0, THREAD));
	/* The target is a descendant of this process. */
	ASSERT_EQ(0, session_attach(self->fd, 0, 0));
	EXPECT_EQ(-EEXIST, session_attach(self->fd, 0, ALONE));
	EXPECT_EQ(-EEXIST, session_attach(self->fd, 0, THREAD));
	EXPECT_EQ(-EEXIST, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	EXPECT_EQ(-EINVAL, session_detach(self->fd, self->target.pid, ALONE));
	ASSERT_EQ(0, session_detach(self->fd, 0, 0));
	EXPECT_EQ(-EINVAL, session_detach(self->fd, 0, 0));
}

TEST_F(attach, session_of_all_processes_is_ebusy_while_it_runs)
{
	ASSERT_EQ(1, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 2));
	EXPECT_EQ(-EBUSY, session_attach(self->fd, self->target.pid, 0));
	EXPECT_EQ(-EINVAL, session_detach(self->fd, self->target.pid, 0));
}

static int emit_some(struct target *target, __u64 count)
{
	return fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
}

/*
 * Add an event that samples, and start both events. Attach and detach the target while
 * they run.
 */
static int sample_between(FIXTURE_DATA(attach) *self)
{
	struct target *target = &self->target;
	int err = event_fake(self->fd, self->key);

	err = err < 0 ? err : session_attach(self->fd, 0, ALONE);
	err = err ?: session_start(self->fd, ALL_EVENTS);
	err = err ?: target_do(target, emit_some, 100);
	err = err ?: session_attach(self->fd, target->pid, 0);
	err = err ?: target_do(target, emit_some, 7);
	err = err ?: session_detach(self->fd, target->pid, 0);
	err = err ?: target_do(target, emit_some, 100);
	err = err ?: session_stop(self->fd, ALL_EVENTS);
	return err ?: stream_read_all(&self->stream, self->fd);
}

TEST_F(attach, samples_are_taken_until_the_detach)
{
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, cpu_pin(0));
	target_end(&self->target);
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, sample_between(self));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 1, &stats));
	EXPECT_EQ(7, stats.ledger.delivered);
	EXPECT_EQ(200, stats.ledger.filtered);
	EXPECT_TRUE(ledgers_add_up(self->fd, 2));
}

TEST_F(attach, stream_has_records_of_attach_and_detach)
{
	static const char *const prefixes[] = { TPROF_LX_ATTACH_PREFIX, TPROF_LX_ATTACH_PREFIX,
						TPROF_LX_DETACH_PREFIX };
	const struct record *record;
	char comm[32] = "", path[64];
	size_t nr = 0;
	FILE *file;

	file = fopen("/proc/self/comm", "re");
	ASSERT_NE(NULL, file);
	ASSERT_NE(NULL, fgets(comm, sizeof(comm), file));
	fclose(file);
	comm[strcspn(comm, "\n")] = 0;
	ASSERT_EQ(0, cpu_pin(0));
	target_end(&self->target);
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, sample_between(self));
	for_each_record_type(record, &self->stream, RECORD_CGROUP) {
		const struct record_cgroup *cgroup = record->body;

		ASSERT_GT(ARRAY_LEN(prefixes), nr);
		EXPECT_EQ(nr ? self->target.pid : getpid(), cgroup->id);
		snprintf(path, sizeof(path), "%s%s", prefixes[nr++], comm);
		EXPECT_STREQ(path, cgroup->path);
	}
	EXPECT_EQ(ARRAY_LEN(prefixes), nr);
}

/*
 * Run a session with this process as its only target, which attaches the target meanwhile. Return
 * how many records of @type the processes but this one have before the record of that ATTACH, and
 * after those of the ones before START.
 */
static int count_past(FIXTURE_DATA(attach) *self, __u32 flags, __u32 type, __u32 not_pid)
{
	const struct record *record;
	struct tprof_lx_event event;
	struct perf_event_attr attr;
	int err, nr = 0, last = 0;

	attr_init(&attr, 100);
	attr_track(&attr);
	err = event_add_with(self->fd, "timer", &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: session_attach(self->fd, 0, ALONE);
	err = err ?: session_start(self->fd, ALL_EVENTS);
	err = err ?: session_attach(self->fd, self->target.pid, flags);
	err = err ?: session_stop(self->fd, ALL_EVENTS);
	err = err ?: stream_read_to_end(&self->stream, self->fd, 10000);
	err = err ?: stream_finish(&self->stream, self->fd);
	if (err)
		return err;
	stream_sort(&self->stream);
	for_each_record(record, &self->stream) {
		const __u32 *pid = record->body;

		if (record->header->type == RECORD_CGROUP) {
			last = nr;
			nr = 0;
		}
		nr += record->header->type == type && *pid != not_pid && *pid != (__u32)getpid();
	}
	return last;
}

TEST_F(attach, names_come_before_the_attachment)
{
	EXPECT_LE(1, count_past(self, 0, PERF_RECORD_COMM, 0));
}

/* The code that the target had mapped before must have symbols. */
TEST_F(attach, mappings_come_before_the_attachment)
{
	/* At least the program, the C library and its loader. */
	EXPECT_LE(3, count_past(self, 0, PERF_RECORD_MMAP2, 0));
}

/* The descendants of a target are targets, so their code must have symbols, too. */
TEST_F(attach, mappings_of_descendants_come_before_the_attachment)
{
	ASSERT_EQ(0, target_do(&self->target, fork_some, 1));
	EXPECT_LE(3, count_past(self, 0, PERF_RECORD_MMAP2, self->target.pid));
}

TEST_F(attach, process_alone_has_no_mappings_of_descendants)
{
	ASSERT_EQ(0, target_do(&self->target, fork_some, 1));
	EXPECT_EQ(0, count_past(self, ALONE, PERF_RECORD_MMAP2, self->target.pid));
}

/* The session covers the process from START on, so its reader knows the mappings. */
TEST_F(attach, mappings_are_written_for_new_targets_only)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, THREAD));
	EXPECT_EQ(0, count_past(self, 0, PERF_RECORD_MMAP2, 0));
}

/* Attach the target with @flags, start and stop the session, and read the stream. */
static int run_after_attach(FIXTURE_DATA(attach) *self, __u32 flags, bool is_detached)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;
	int err;

	attr_init(&attr, 100);
	attr_track(&attr);
	err = event_add_with(self->fd, "timer", &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: session_attach(self->fd, 0, THREAD);
	err = err ?: session_attach(self->fd, self->target.pid, flags);
	if (is_detached)
		err = err ?: session_detach(self->fd, self->target.pid, flags);
	err = err ?: session_start(self->fd, ALL_EVENTS);
	err = err ?: session_stop(self->fd, ALL_EVENTS);
	err = err ?: stream_read_to_end(&self->stream, self->fd, 10000);
	return err ?: stream_finish(&self->stream, self->fd);
}

static int count_of(const FIXTURE_DATA(attach) *self, __u32 type)
{
	const struct record *record;
	int nr = 0;

	for_each_record_type(record, &self->stream, type) {
		const struct record_cgroup *cgroup = record->body;
		const __u32 *pid = record->body;

		nr += type == RECORD_CGROUP ? cgroup->id == self->target.pid :
					      *pid == (__u32)self->target.pid;
	}
	return nr;
}

TEST_F(attach, start_reports_what_was_attached_before)
{
	ASSERT_EQ(0, run_after_attach(self, 0, false));
	EXPECT_EQ(1, count_of(self, PERF_RECORD_COMM));
	EXPECT_LE(3, count_of(self, PERF_RECORD_MMAP2));
	EXPECT_EQ(1, count_of(self, RECORD_CGROUP));
	/* Once only. */
	stream_free(&self->stream);
	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_to_end(&self->stream, self->fd, 10000));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_EQ(0, count_of(self, RECORD_CGROUP));
	EXPECT_EQ(0, count_of(self, PERF_RECORD_MMAP2));
}

TEST_F(attach, start_reports_threads_that_were_attached_before)
{
	ASSERT_EQ(0, run_after_attach(self, THREAD, false));
	EXPECT_LE(3, count_of(self, PERF_RECORD_MMAP2));
	EXPECT_EQ(1, count_of(self, RECORD_CGROUP));
}

TEST_F(attach, start_does_not_report_what_was_detached)
{
	ASSERT_EQ(0, run_after_attach(self, 0, true));
	EXPECT_EQ(0, count_of(self, PERF_RECORD_COMM));
	EXPECT_EQ(0, count_of(self, PERF_RECORD_MMAP2));
	EXPECT_EQ(0, count_of(self, RECORD_CGROUP));
}

TEST_HARNESS_MAIN
