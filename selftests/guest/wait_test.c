// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - wait for records in read(2), poll(2) and epoll(7)
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(wait) {
	int		fd;
	struct stream	stream;
};

FIXTURE_SETUP(wait)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, event_fake(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
}

FIXTURE_TEARDOWN(wait)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int emit_one(void)
{
	return fake_emit_from(getpid(), TPROF_LX_FAKE_TASK, 1);
}

/* A second thread that blocks in read(2), and the result of that read(2). */
struct blocked {
	int		fd;
	pthread_t	thread;
	pid_t		tid;
	ssize_t		len;
	int		error;
	char		buf[65536];
};

static void *block(void *arg)
{
	struct blocked *blocked = arg;

	__atomic_store_n(&blocked->tid, gettid(), __ATOMIC_RELEASE);
	blocked->len = read(blocked->fd, blocked->buf, sizeof(blocked->buf));
	blocked->error = errno;
	return NULL;
}

static bool is_sleeping(struct blocked *blocked)
{
	pid_t tid = __atomic_load_n(&blocked->tid, __ATOMIC_ACQUIRE);
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state == 'S';
}

static int start_blocked(struct blocked *blocked, int fd)
{
	memset(blocked, 0, sizeof(*blocked));
	blocked->fd = fd;
	if (pthread_create(&blocked->thread, NULL, block, blocked))
		return -errno;
	return wait_until(is_sleeping(blocked), 5000) ? 0 : -ETIMEDOUT;
}

TEST_F(wait, read_blocks_until_there_is_a_record)
{
	static struct blocked blocked;

	ASSERT_EQ(0, start_blocked(&blocked, self->fd));
	ASSERT_EQ(0, emit_one());
	ASSERT_EQ(0, pthread_join(blocked.thread, NULL));
	EXPECT_LE(56, blocked.len);
}

TEST_F(wait, blocked_read_ends_at_stop)
{
	static struct blocked blocked;

	ASSERT_EQ(0, start_blocked(&blocked, self->fd));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, pthread_join(blocked.thread, NULL));
	EXPECT_EQ(0, blocked.len);
}

static void ignore(int signal)
{
}

TEST_F(wait, signal_is_eintr)
{
	static struct blocked blocked;
	struct sigaction action = { .sa_handler = ignore };

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	ASSERT_EQ(0, start_blocked(&blocked, self->fd));
	ASSERT_EQ(0, pthread_kill(blocked.thread, SIGUSR1));
	ASSERT_EQ(0, pthread_join(blocked.thread, NULL));
	EXPECT_EQ(-1, blocked.len);
	EXPECT_EQ(EINTR, blocked.error);
}

/* After a signal with SA_RESTART, read(2) is restarted. */
TEST_F(wait, signal_restarts_with_sa_restart)
{
	static struct blocked blocked;
	struct sigaction action = {
		.sa_handler	= ignore,
		.sa_flags	= SA_RESTART,
	};

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	ASSERT_EQ(0, start_blocked(&blocked, self->fd));
	ASSERT_EQ(0, pthread_kill(blocked.thread, SIGUSR1));
	ASSERT_EQ(0, emit_one());
	ASSERT_EQ(0, pthread_join(blocked.thread, NULL));
	EXPECT_LE(56, blocked.len);
}

TEST_F(wait, poll_reports_records_and_the_end)
{
	struct pollfd poll_fd = { .fd = self->fd, .events = POLLIN };

	EXPECT_EQ(0, poll(&poll_fd, 1, 0));
	ASSERT_EQ(0, session_flush(self->fd));
	EXPECT_EQ(0, poll(&poll_fd, 1, 0));
	ASSERT_EQ(0, emit_one());
	EXPECT_EQ(1, poll(&poll_fd, 1, 5000));
	EXPECT_EQ(POLLIN, poll_fd.revents);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	EXPECT_EQ(1, poll(&poll_fd, 1, 5000));
	EXPECT_EQ(POLLIN | POLLHUP, poll_fd.revents);
}

TEST_F(wait, epoll_wakes_once_per_edge)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->fd, &event));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
	ASSERT_EQ(0, emit_one());
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, 5000));
	EXPECT_EQ(EPOLLIN, event.events);
	/* A pass of the worker that finds no records does not wake the reader. */
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 500));
	ASSERT_EQ(0, emit_one());
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, 5000));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	close(epoll);
}

TEST_HARNESS_MAIN
