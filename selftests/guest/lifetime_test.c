// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a session frees everything, no matter how it ends
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

/* Start a session with both clocks, tracking and an event of "fake". */
static int busy_session(__u32 key)
{
	struct perf_event_attr attr;
	int fd = session_open(O_NONBLOCK);
	int err;

	if (fd < 0)
		return fd;
	attr_init(&attr, 2000);
	attr_track(&attr);
	attr.context_switch = 1;
	err = event_add(fd, "nmi", &attr);
	if (err >= 0)
		err = event_clock(fd, "timer", 2000);
	if (err >= 0)
		err = event_fake(fd, key);
	if (err >= 0)
		err = session_start(fd, ALL_EVENTS);
	if (err >= 0)
		return fd;
	close(fd);
	return err;
}

FIXTURE(lifetime) {
	unsigned int	seed;
};

FIXTURE_SETUP(lifetime)
{
	self->seed = 1;
	ASSERT_EQ(0, sessions_left());
}

FIXTURE_TEARDOWN(lifetime)
{
	EXPECT_TRUE(wait_until(!sessions_left(), 10000))
		TH_LOG("%d sessions and events left", sessions_left());
}

TEST_F(lifetime, close_while_running)
{
	for (int i = 0; i < 10; i++) {
		int fd = busy_session(getpid());

		ASSERT_LE(0, fd);
		spin_ms(i);
		close(fd);
		EXPECT_EQ(0, sessions_left());
	}
}

TEST_F(lifetime, close_while_draining)
{
	int fd = busy_session(getpid());

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, fake_emit_from(getpid(), 0, 1000));
	ASSERT_EQ(0, session_stop(fd, ALL_EVENTS));
	EXPECT_EQ(TPROF_LX_STATE_DRAINING, session_state(fd));
	close(fd);
}

TEST_F(lifetime, close_with_events_that_never_ran)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_target(fd, getpid()));
	ASSERT_EQ(0, event_clock(fd, "nmi", 100));
	ASSERT_EQ(1, event_clock(fd, "timer", 100));
	close(fd);
}

/* Open, use and close sessions in a loop until killed. */
static void live(void)
{
	struct stream stream = {};

	for (unsigned int i = 0;; i++) {
		int fd = busy_session(getpid());

		if (fd < 0)
			_exit(1);
		cpu_pin(i % cpus_online());
		fake_emit_from(getpid(), i % TPROF_LX_FAKE_CONTEXTS, 200);
		stream.bytes = 0;
		stream_read_some(&stream, fd);
		session_stop(fd, i);
		session_start(fd, ALL_EVENTS);
		session_flush(fd);
		if (i % 3 == 1)
			session_stop(fd, ALL_EVENTS);
		close(fd);
	}
}

TEST_F(lifetime, owner_killed_at_any_moment)
{
	for (int i = 0; i < 40; i++) {
		__u64 until = now_ns() + rand_r(&self->seed) % 80 *
			      NSEC_PER_MSEC;
		pid_t pid = fork();
		int status;

		if (!pid)
			live();
		while (now_ns() < until)
			nap();
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status))
			TH_LOG("exit status %d", WEXITSTATUS(status));
		/*
		 * The last reference to the file may be dropped after the process
		 * has died.
		 */
		ASSERT_TRUE(wait_until(!sessions_left(), 5000));
	}
}

/* Kill several processes at once, while each of them uses sessions. */
TEST_F(lifetime, owners_killed_together)
{
	pid_t pids[8];

	for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
		pids[i] = fork();
		if (!pids[i])
			live();
	}
	spin_ms(300);
	for (size_t i = 0; i < ARRAY_LEN(pids); i++)
		kill(pids[i], SIGKILL);
	for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], NULL, 0));
	}
}

TEST_F(lifetime, open_session_holds_the_module)
{
	int fd = session_open(0);
	int err;

	ASSERT_LE(0, fd);
	err = module_unload("tprof-lx");
	EXPECT_TRUE(err == -EAGAIN || err == -EBUSY)
		TH_LOG("%d", err);
	close(fd);
	EXPECT_TRUE(module_is_loaded("tprof-lx"));
}

/* A forked child shares the session, which ends when both processes have closed it. */
TEST_F(lifetime, fork_shares_the_session)
{
	struct tprof_lx_stats stats;
	int fd = busy_session(getpid());
	int status;
	pid_t pid;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	pid = fork();
	if (!pid) {
		struct stream stream = {};
		int err;

		err = fake_emit_from(getppid(), 0, 100);
		err = err ?: session_stop(fd, ALL_EVENTS);
		err = err ?: stream_read_all(&stream, fd);
		_exit(err ? 1 : stream_count(&stream, PERF_RECORD_SAMPLE) < 100);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, session_stats(fd, TPROF_LX_SUM, 2, &stats));
	EXPECT_EQ(100, stats.ledger.delivered);
	EXPECT_EQ(1 + 3, sessions_left());
	close(fd);
}

TEST_F(lifetime, child_keeps_the_session_alive)
{
	int fd = busy_session(getpid());
	int stop[2];
	pid_t pid;
	char c;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(stop));
	pid = fork();
	if (!pid) {
		close(stop[1]);
		_exit(read(stop[0], &c, 1));
	}
	close(fd);
	EXPECT_EQ(1 + 3, sessions_left());
	close(stop[1]);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
}

static void *emit_much(void *key)
{
	cpu_pin(0);
	for (int i = 0; i < 20; i++)
		fake_emit_from((unsigned long)key, i % TPROF_LX_FAKE_CONTEXTS,
			       100000);
	return NULL;
}

/* Close the session while the back end delivers samples to it. */
TEST_F(lifetime, close_while_samples_come)
{
	for (int i = 0; i < 10; i++) {
		int fd = busy_session(getpid());
		pthread_t thread;

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, pthread_create(&thread, NULL, emit_much,
					    (void *)(long)getpid()));
		spin_ms(1 + rand_r(&self->seed) % 20);
		close(fd);
		ASSERT_EQ(0, pthread_join(thread, NULL));
	}
}

struct looper {
	int		fd;
	volatile bool	is_over;
};

static void *start_stop(void *arg)
{
	struct looper *looper = arg;

	while (!looper->is_over) {
		session_start(looper->fd, ALL_EVENTS);
		session_stop(looper->fd, ALL_EVENTS);
	}
	return NULL;
}

static void *read_flush(void *arg)
{
	struct looper *looper = arg;
	struct stream stream = {};

	while (!looper->is_over) {
		stream.bytes = 0;
		stream_read_some(&stream, looper->fd);
		session_flush(looper->fd);
	}
	stream_free(&stream);
	return NULL;
}

typedef void *(*thread_func_t)(void *);

/*
 * Several threads start, stop, read and flush one session at once, while the test
 * calls other ioctls on it.
 */
TEST_F(lifetime, concurrent_ioctls_keep_the_ledger_exact)
{
	struct looper looper = { .fd = busy_session(getpid()) };
	const thread_func_t what[] = {
		start_stop, start_stop, read_flush, read_flush,
	};
	struct stream stream = {};
	pthread_t threads[ARRAY_LEN(what)];
	struct tprof_lx_config config = {};
	__u64 end = now_ns() + 3 * NSEC_PER_SEC;

	ASSERT_LE(0, looper.fd);
	for (size_t i = 0; i < ARRAY_LEN(what); i++) {
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, what[i],
					    &looper));
	}
	do {
		struct tprof_lx_stats stats;
		int err = session_config(looper.fd, &config);

		ASSERT_TRUE(!err || err == -EBUSY);
		ASSERT_EQ(0, session_stats(looper.fd, TPROF_LX_SUM, 0, &stats));
		session_mark(looper.fd, 1, "race");
	} while (now_ns() < end);
	looper.is_over = true;
	for (size_t i = 0; i < ARRAY_LEN(what); i++) {
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	}
	ASSERT_EQ(0, session_stop(looper.fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&stream, looper.fd));
	EXPECT_TRUE(ledgers_add_up(looper.fd, 3));
	stream_free(&stream);
	close(looper.fd);
}

TEST_HARNESS_MAIN
