// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a session ends when its last target has exited
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/target.h"
#include "harness/test.h"

FIXTURE(ending) {
	int		fd;
	__u32		key;
	struct target	target;
	struct stream	stream;
};

/* Children of the target wait on this pipe until the test closes it. */
static int hold[2];

FIXTURE_SETUP(ending)
{
	self->key = getpid();
	self->fd = session_open(O_NONBLOCK);
	ASSERT_LE(0, self->fd);
	/* Open the device of the back ends before the target is forked. */
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, pipe(hold));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	close(hold[0]);
}

FIXTURE_TEARDOWN(ending)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int add_count(int fd, __u32 key)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return event_add_with(fd, TPROF_LX_FAKE_COUNTER, &attr, TPROF_LX_EVENT_PROCESS, &event);
}

static bool is_running(int fd)
{
	return session_state(fd) == TPROF_LX_STATE_RUNNING;
}

/* Wait for the end of the stream. Return true if poll(2) reports it in time. */
static bool has_ended(int fd)
{
	struct pollfd pfd = { .fd = fd };

	return poll(&pfd, 1, 10000) == 1 && pfd.revents & POLLHUP;
}

static int count_some(struct target *target, __u64 nr)
{
	return fake_count(target->key, nr, NULL);
}

TEST_F(ending, exit_of_the_only_target_ends_the_session)
{
	char byte;

	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, count_some, 3));
	EXPECT_TRUE(is_running(self->fd));
	EXPECT_EQ(-1, read(self->fd, &byte, 1));
	EXPECT_EQ(EAGAIN, errno);
	target_end(&self->target);
	EXPECT_TRUE(has_ended(self->fd));
	EXPECT_EQ(0, read(self->fd, &byte, 1));
	EXPECT_EQ(TPROF_LX_STATE_ARMED, session_state(self->fd));
	EXPECT_EQ(3, count_sum(self->fd, 0));
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
}

static int count_late(struct target *target, __u64 nr)
{
	return fake_count_late(target->key, nr);
}

/* Let the target exit. Wait until its exit waits for fake_let_close(). */
static bool begin_exit(struct target *target)
{
	return !target_ask(target, NULL, 0) && wait_until(process_is(target->pid, 'D'), 10000);
}

static bool end_exit(struct target *target)
{
	return !fake_let_close() && waitpid(target->pid, NULL, 0) == target->pid;
}

TEST_F(ending, exit_of_the_last_target_counts_to_its_end)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, count_late, 5));
	EXPECT_TRUE(begin_exit(&self->target));
	spin_ms(100);
	EXPECT_TRUE(is_running(self->fd));
	EXPECT_TRUE(end_exit(&self->target));
	EXPECT_TRUE(has_ended(self->fd));
	EXPECT_EQ(5, count_sum(self->fd, 0));
}

TEST_F(ending, exit_that_began_before_that_of_the_last_target_counts_to_its_end)
{
	struct target last;

	ASSERT_EQ(0, target_start(&last, self->key, 0));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, session_attach(self->fd, last.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, count_late, 5));
	EXPECT_TRUE(begin_exit(&self->target));
	target_end(&last);
	spin_ms(100);
	EXPECT_TRUE(is_running(self->fd));
	EXPECT_TRUE(end_exit(&self->target));
	EXPECT_TRUE(has_ended(self->fd));
	EXPECT_EQ(5, count_sum(self->fd, 0));
}

/* A session can be closed while it waits for the end of an exit. */
TEST_F(ending, session_can_be_closed_during_the_exit_of_the_last_target)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, count_late, 5));
	EXPECT_TRUE(begin_exit(&self->target));
	ASSERT_EQ(0, close(self->fd));
	EXPECT_TRUE(end_exit(&self->target));
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
}

/* Fork a child that lets an event happen when the test closes @hold. */
static int fork_child(struct target *target, __u64 unused)
{
	pid_t pid = fork();
	char byte;

	(void)unused;
	close(hold[1]);
	if (pid)
		return pid < 0 ? -errno : 0;
	/* The test waits for the end of the target, not of this child. */
	close(target->to_child[0]);
	close(target->to_parent[1]);
	_exit(read(hold[0], &byte, 1) || fake_count(target->key, 1, NULL));
}

TEST_F(ending, descendants_keep_the_session)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, fork_child, 0));
	target_end(&self->target);
	spin_ms(100);
	EXPECT_TRUE(is_running(self->fd));
	close(hold[1]);
	EXPECT_TRUE(has_ended(self->fd));
	EXPECT_EQ(1, count_sum(self->fd, 0));
}

static int emit_some(struct target *target, __u64 count)
{
	return fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
}

TEST_F(ending, samples_can_be_read_to_the_end)
{
	/* The back end "fake" samples the CPU of the task, so all stay on one CPU. */
	target_end(&self->target);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, event_fake(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_do(&self->target, emit_some, 77));
	target_end(&self->target);
	ASSERT_EQ(0, stream_read_to_end(&self->stream, self->fd, 10000));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	EXPECT_EQ(77, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_FALSE(is_running(self->fd));
}

static void *attach_thread(void *fd)
{
	return (void *)(long)(session_attach(*(int *)fd, 0, TPROF_LX_TARGET_THREAD) ?:
			      session_start(*(int *)fd, 1));
}

TEST_F(ending, exit_of_a_thread_ends_the_session)
{
	pthread_t thread;
	void *result;

	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, pthread_create(&thread, NULL, attach_thread, &self->fd));
	ASSERT_EQ(0, pthread_join(thread, &result));
	ASSERT_EQ(0, (long)result);
	EXPECT_TRUE(has_ended(self->fd));
	target_end(&self->target);
}

/* Write a program whose only segment has an address that no process can map. */
static int write_unmappable(int fd)
{
	const struct {
		Elf64_Ehdr	header;
		Elf64_Phdr	segment;
	} program = {
		.header = {
			.e_ident = {
				ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
			},
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_entry = ~0xfffUL,
			.e_phoff = sizeof(program.header),
			.e_ehsize = sizeof(program.header),
			.e_phentsize = sizeof(program.segment),
			.e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_vaddr = ~0xfffUL,
			.p_filesz = sizeof(program),
			.p_memsz = sizeof(program),
			.p_align = 4096,
		},
	};

	return write(fd, &program, sizeof(program)) == sizeof(program) ? 0 : -EIO;
}

static void *attach_and_fail_exec(void *fd)
{
	int program = memfd_create("unmappable", MFD_CLOEXEC);
	char *no_strings[] = { NULL };

	if (program >= 0 && !write_unmappable(program) && !attach_thread(fd))
		fexecve(program, no_strings, no_strings);
	_exit(1);
}

/* execve(2) gives the thread the id of the leader, then fails and kills the process. */
TEST_F(ending, failed_execve_of_a_thread_ends_the_session)
{
	pthread_t thread;
	int status;
	pid_t pid;

	ASSERT_EQ(0, add_count(self->fd, self->key));
	pid = fork();
	if (!pid) {
		pthread_create(&thread, NULL, attach_and_fail_exec, &self->fd);
		pthread_join(thread, NULL);
		_exit(2);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	EXPECT_TRUE(has_ended(self->fd));
	target_end(&self->target);
}

TEST_F(ending, detach_of_the_last_target_does_not_end_the_session)
{
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_detach(self->fd, self->target.pid, 0));
	spin_ms(100);
	EXPECT_TRUE(is_running(self->fd));
	EXPECT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_attach(self->fd, self->target.pid, 0));
	ASSERT_EQ(0, target_do(&self->target, count_some, 1));
	target_end(&self->target);
	EXPECT_TRUE(has_ended(self->fd));
	EXPECT_EQ(1, count_sum(self->fd, 0));
}

#define ROUNDS	100

/* No matter when the target exits, the session ends or does not start. */
TEST_F(ending, target_that_exits_at_any_time_ends_the_session)
{
	int fd, err;
	pid_t pid;

	target_end(&self->target);
	for (int i = 0; i < ROUNDS; i++) {
		fd = session_open(0);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, add_count(fd, self->key));
		pid = fork();
		if (!pid) {
			usleep(i * 50);
			_exit(0);
		}
		err = session_attach(fd, pid, 0);
		err = err ?: session_start(fd, 1);
		EXPECT_TRUE(err == -ESRCH || (!err && has_ended(fd)));
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		close(fd);
	}
}

TEST_HARNESS_MAIN
