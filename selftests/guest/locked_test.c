// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the buffers of a user without privileges count as locked memory
 */
#include <errno.h>
#include <unistd.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/nobody.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define SESSIONS	(TPROF_LX_MAX_USER_SESSIONS - 1)
#define SMALL_RING	(16 << 10)
#define SMALL_FIFO	(64 << 10)

FIXTURE(locked) {
	struct unprivileged	user;
	int			fds[SESSIONS];
};

FIXTURE_SETUP(locked)
{
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(locked)
{
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

static int limit_memory(rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };

	return setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0;
}

/* Start a session of the user's process, with sizes or the defaults. Return it, or -errno. */
static int begin(struct unprivileged *user, __u64 ring_bytes, __u64 fifo_bytes)
{
	__s32 pid = user->own.pid;
	struct tprof_lx_config config = {
		.ring_bytes	= ring_bytes,
		.fifo_bytes	= fifo_bytes,
		.targets	= (unsigned long)&pid,
		.nr_targets	= 1,
	};
	int fd = session_open(0), err;
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	if (fd < 0)
		return fd;
	attr_init(&attr, 100);
	attr.exclude_kernel = 1;
	err = session_config(fd, &config);
	err = err ?: event_add_with(fd, "timer", &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: session_start(fd, 1);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Start as many sessions as the limit allows. Return their number, or -errno. */
static int begin_all(FIXTURE_DATA(locked) *self, __u64 ring_bytes, __u64 fifo_bytes)
{
	int nr;

	for (nr = 0; nr < SESSIONS; nr++) {
		self->fds[nr] = begin(&self->user, ring_bytes, fifo_bytes);
		if (self->fds[nr] == -ENOBUFS)
			break;
		if (self->fds[nr] < 0)
			return self->fds[nr];
	}
	return nr;
}

static void end_all(FIXTURE_DATA(locked) *self, int nr)
{
	while (nr > 0)
		close(self->fds[--nr]);
}

/* Read the limits of a session that is opened now. */
static int read_info(struct tprof_lx_info *info)
{
	int fd = session_open(0), err;

	if (fd < 0)
		return fd;
	err = session_info(fd, info);
	close(fd);
	return err;
}

TEST_F(locked, buffers_of_a_user_are_limited)
{
	struct tprof_lx_info info = {};
	int nr, again;

	ASSERT_EQ(0, limit_memory(8 << 20));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	nr = begin_all(self, 0, 0);
	EXPECT_LT(1, nr);
	EXPECT_GT(SESSIONS, nr);
	end_all(self, nr);
	/* What has ended does not count. */
	again = begin_all(self, 0, 0);
	EXPECT_EQ(nr, again);
	end_all(self, again);
	ASSERT_EQ(0, limit_memory(0));
	/* The defaults shrink, so that two sessions fit, and so do the largest sizes. */
	again = begin_all(self, 0, 0);
	EXPECT_GT(nr, again);
	EXPECT_LE(2, again);
	end_all(self, again);
	ASSERT_EQ(0, read_info(&info));
	EXPECT_LE(2, begin_all(self, info.ring_max, info.fifo_max));
	EXPECT_EQ(-EINVAL, begin(&self->user, 2 * info.ring_max, 0));
}

static int pin(struct target *target, __u64 cpu)
{
	return cpu_pin(cpu);
}

/* Let the ring of CPU 0 grow, as the process of the user may run there. */
static int grow(struct unprivileged *user)
{
	static char buf[1 << 17];
	int err = target_do(&user->own, pin, 1), fd;

	if (err)
		return err;
	fd = begin(user, 0, SMALL_FIFO);
	if (fd < 0)
		return fd;
	err = session_stop(fd, 1);
	while (!err && read(fd, buf, sizeof(buf)) > 0)
		;
	err = err ?: target_do(&user->own, pin, 0);
	err = err ?: session_start(fd, 1);
	close(fd);
	return err;
}

TEST_F(locked, ring_that_grows_counts_once)
{
	int nr;

	if (cpus_online() < 2)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, limit_memory(8 << 20));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.own, pin, 0));
	nr = begin_all(self, 0, 0);
	ASSERT_LT(1, nr);
	end_all(self, nr);
	/* If one were counted wrong, all together would be as large as a session. */
	for (int i = 0; i < SESSIONS; i++)
		ASSERT_EQ(0, grow(&self->user));
	EXPECT_EQ(nr, begin_all(self, 0, 0));
}

/* Pages that a task maps would live on when CONFIG frees the queue. */
TEST_F(locked, mapped_queue_stays_counted)
{
	static char buf[1 << 17];
	struct tprof_lx_config config = {};
	void *map;
	int fd;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	fd = begin(&self->user, SMALL_RING, SMALL_FIFO);
	ASSERT_LE(0, fd);
	map = mmap(NULL, SMALL_FIFO, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, session_stop(fd, 1));
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	EXPECT_EQ(-EBUSY, session_config(fd, &config));
	ASSERT_EQ(0, munmap(map, SMALL_FIFO));
	EXPECT_EQ(0, session_config(fd, &config));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, SMALL_FIFO, PROT_READ, MAP_SHARED, fd, 0));
	close(fd);
}

static int root_fd;

/* Sample switches of all tasks, while CPU 1 is offline. */
static int begin_as_root(struct target *target, __u64 unused)
{
	struct perf_event_attr attr;

	root_fd = session_open(0);
	if (root_fd < 0)
		return root_fd;
	attr_init(&attr, 100);
	attr_track(&attr);
	attr.context_switch = 1;
	return event_add(root_fd, "timer", &attr) ?: session_start(root_fd, 1);
}

static int set_online(struct target *target, __u64 is_online)
{
	return cpu_set_online(1, is_online);
}

static bool has_cpu_to_take(void)
{
	return !access("/sys/devices/system/cpu/cpu1/online", W_OK) && cpus_online() == 2;
}

/* Take CPU 1 offline, and become a user that may lock what is free for one CPU. */
static int begin_without_cpu_1(struct unprivileged *user)
{
	return target_do(&user->root, set_online, false) ?: limit_memory(0) ?:
	       unprivileged_begin(user, -1);
}

static int count_lost(struct target *target, __u64 unused)
{
	struct tprof_lx_stats stats;

	return session_stats(root_fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats) ?: stats.side_lost;
}

TEST_F(locked, cpu_that_comes_online_has_rings_of_other_users)
{
	int nr;

	if (!has_cpu_to_take())
		SKIP(return, "needs two CPUs, of which CPU 1 can be taken offline");
	ASSERT_EQ(0, begin_without_cpu_1(&self->user));
	nr = begin_all(self, SMALL_RING, SMALL_FIFO);
	EXPECT_LT(1, nr);
	EXPECT_EQ(0, target_do(&self->user.root, begin_as_root, 0));
	EXPECT_EQ(0, target_do(&self->user.root, set_online, true));
	EXPECT_EQ(0, target_do(&self->user.root, count_lost, 0));
	end_all(self, nr);
}

/* Let a session count the threads of the user's process by as many events as there may be. */
static int add_thread_counts(const struct unprivileged *user, int fd)
{
	__u32 flags = TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS;
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err = session_small(fd, SMALL_RING, SMALL_FIFO);

	err = err ?: session_attach(fd, user->own.pid, 0);
	attr_user(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	for (int i = 0; i < TPROF_LX_MAX_EVENTS && !err; i++)
		err = event_add_with(fd, "soft", &attr, flags, &event);
	return err;
}

/* The last session has room for its buffers, but not for cells with the counts of 32 events. */
TEST_F(locked, counts_of_threads_are_limited)
{
	int nr;

	ASSERT_EQ(0, limit_memory(0));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, add_thread_counts(&self->user, self->user.fd));
	nr = begin_all(self, SMALL_RING, SMALL_FIFO);
	ASSERT_LT(1, nr);
	ASSERT_GT(SESSIONS - 1, nr);
	/* The buffers have room in the place of another session's. */
	close(self->fds[--nr]);
	EXPECT_EQ(-ENOBUFS, session_start(self->user.fd, ALL_EVENTS));
	end_all(self, nr);
	EXPECT_EQ(0, session_start(self->user.fd, ALL_EVENTS));
}

/* Two sessions fit into 516 KiB. With 109 KiB for cells of CPU 1, one would. */
TEST_F(locked, cells_of_cpus_that_are_offline_do_not_count)
{
	int fd;

	if (!has_cpu_to_take())
		SKIP(return, "needs two CPUs, of which CPU 1 can be taken offline");
	ASSERT_EQ(0, begin_without_cpu_1(&self->user));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, add_thread_counts(&self->user, fd));
	EXPECT_EQ(0, session_start(fd, ALL_EVENTS));
	EXPECT_EQ(0, add_thread_counts(&self->user, self->user.fd));
	EXPECT_EQ(0, session_start(self->user.fd, ALL_EVENTS));
	close(fd);
	EXPECT_EQ(0, target_do(&self->user.root, set_online, true));
}

TEST_F(locked, cap_ipc_lock_has_no_limit)
{
	ASSERT_EQ(0, limit_memory(0));
	ASSERT_EQ(0, unprivileged_begin(&self->user, CAP_IPC_LOCK));
	EXPECT_EQ(SESSIONS, begin_all(self, 0, 0));
}

TEST_HARNESS_MAIN
