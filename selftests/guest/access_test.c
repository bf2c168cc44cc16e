// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sessions of users without privileges
 *
 * The child @root is a stranger to the session. quota_test.c has the limits of users.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/nobody.h"
#include "harness/stream.h"
#include "harness/target.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define ALONE		TPROF_LX_TARGET_ALONE
#define THREAD		TPROF_LX_TARGET_THREAD
#define OTHER		1000

/* Copies of this program, on a file system of their own that only the test sees. */
#define DIR		"/mnt"
#define ORDINARY	DIR "/ordinary"
#define SET_USER_ID	DIR "/set-user-id"
#define UNREADABLE	DIR "/unreadable"
#define PAGES		64

/*
 * In a copy: execute user code that causes page faults, report that, and wait until the
 * standard input is closed.
 */
__attribute__((constructor)) static void run_as_program(int argc, char **argv)
{
	static char pages[PAGES * 4096];
	char byte;

	if (argc != 2 || strcmp(argv[1], "--program"))
		return;
	for (int i = 0; i < PAGES; i++)
		((volatile char *)pages)[i * 4096] = 1;
	if (write(STDOUT_FILENO, "r", 1) == 1)
		while (read(STDIN_FILENO, &byte, 1) > 0)
			;
	_exit(0);
}

static int copy_program(const char *path, mode_t mode)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
	int err = from < 0 || to < 0 ? -errno : 0;
	char buf[65536];
	ssize_t len;

	while (!err && (len = read(from, buf, sizeof(buf))) > 0)
		err = write(to, buf, len) == len ? 0 : -EIO;
	close(from);
	close(to);
	return err ? err : chmod(path, mode) ? -errno : 0;
}

static int make_programs(void)
{
	int err;

	/* The lab has no such directory. */
	if (mkdir(DIR, 0755) && errno != EEXIST)
		return -errno;
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", DIR, "tmpfs", 0, "mode=755"))
		return -errno;
	err = copy_program(ORDINARY, 0755);
	err = err ?: copy_program(SET_USER_ID, 04755);
	return err ?: copy_program(UNREADABLE, 0711);
}

/**
 * struct program - a child that executes a copy of this program
 * @pid:	process id
 * @tid:	id of the thread that executes it
 * @in:		its standard input
 * @out:	its standard output
 */
struct program {
	pid_t	pid;
	pid_t	tid;
	int	in;
	int	out;
};

static void *exec_when_told(void *path)
{
	pid_t tid = gettid();
	char byte;

	if (write(STDOUT_FILENO, &tid, sizeof(tid)) == sizeof(tid) &&
	    read(STDIN_FILENO, &byte, 1) == 1)
		execl(path, path, "--program", NULL);
	_exit(1);
}

static void exec_program(char *path, bool in_thread, int in, int out)
{
	pthread_t thread;

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (!in_thread)
		exec_when_told(path);
	if (!pthread_create(&thread, NULL, exec_when_told, path))
		pthread_join(thread, NULL);
	_exit(1);
}

/* Fork a child that executes @path after program_go(), in a second thread if @in_thread. */
static int program_fork(struct program *program, char *path, bool in_thread)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -errno;
	program->in = in[1];
	program->out = out[0];
	program->pid = fork();
	if (!program->pid)
		exec_program(path, in_thread, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	if (program->pid < 0)
		return -errno;
	return read(program->out, &program->tid, sizeof(pid_t)) == sizeof(pid_t) ? 0 : -EPIPE;
}

/* Return after the program has executed user code. */
static int program_go(struct program *program)
{
	char byte;

	if (write(program->in, "g", 1) != 1)
		return -errno;
	return read(program->out, &byte, 1) == 1 ? 0 : -EPIPE;
}

static void program_end(struct program *program)
{
	close(program->in);
	close(program->out);
	waitpid(program->pid, NULL, 0);
}

FIXTURE(access) {
	struct unprivileged	user;
	struct program		program;
	struct stream		stream;
};

FIXTURE_SETUP(access)
{
	self->program.pid = 0;
	ASSERT_EQ(0, make_programs());
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(access)
{
	if (self->program.pid)
		program_end(&self->program);
	stream_free(&self->stream);
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

static int count_some(struct target *target, __u64 nr)
{
	return fake_count(target->key, nr, NULL);
}

/* Add an event, of which the test knows the exact count. */
static int add_count(FIXTURE_DATA(access) *self)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->user.key);
	attr.exclude_kernel = 1;
	return event_add_with(self->user.fd, TPROF_LX_FAKE_COUNTER, &attr, TPROF_LX_EVENT_PROCESS,
			      &event);
}

static bool is_running(int fd)
{
	__u32 running;

	return !session_running(fd, &running) && running;
}

TEST_F(access, own_process_is_counted)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, add_count(self));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, count_some, 7));
	ASSERT_EQ(0, target_do(&self->user.root, count_some, 100));
	ASSERT_EQ(0, fake_count(self->user.key, 100, NULL));
	EXPECT_EQ(7, count_sum(self->user.fd, 0));
}

TEST_F(access, stranger_is_refused)
{
	static const __u8 states[256];
	struct tprof_lx_follow follow = {
		.size = sizeof(follow), .nr_states = 1, .states = (unsigned long)states,
	};

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, ALONE));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, THREAD));
	EXPECT_EQ(-EPERM, session_target(self->user.fd, self->user.root.pid));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, 1, 0));
	EXPECT_EQ(-EPERM, session_ioctl(self->user.fd, TPROF_LX_IOC_FOLLOW, &follow));
	/* A kernel thread. */
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, 2, 0));
	EXPECT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, 0));
}

static int become_other(struct target *target, __u64 unused)
{
	int err = become_user(OTHER, -1);

	return err ?: prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

TEST_F(access, other_user_is_refused)
{
	struct target other;

	ASSERT_EQ(0, target_start(&other, self->user.key, 0));
	ASSERT_EQ(0, target_do(&other, become_other, 0));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, other.pid, 0));
	target_end(&other);
}

static int set_dumpable(struct target *target, __u64 value)
{
	return prctl(PR_SET_DUMPABLE, value) ? -errno : 0;
}

/* The kernel's own check is asked, too: the ids alone would allow this. */
TEST_F(access, process_that_may_not_be_dumped_is_refused)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.own, set_dumpable, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.own.pid, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.own.pid, THREAD));
	EXPECT_EQ(-EPERM, session_target(self->user.fd, self->user.own.pid));
	ASSERT_EQ(0, target_do(&self->user.own, set_dumpable, 1));
	EXPECT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
}

static int add_timer(int fd, const struct perf_event_attr *attr, __u32 flags)
{
	struct tprof_lx_event event;

	return event_add_with(fd, "timer", attr, flags, &event);
}

/* Sample user mode of @own, and record its forks and mappings. */
static int track_own(FIXTURE_DATA(access) *self, __u64 rate)
{
	struct perf_event_attr attr;
	int err;

	attr_init(&attr, rate);
	attr_track(&attr);
	attr.exclude_kernel = 1;
	err = add_timer(self->user.fd, &attr, TPROF_LX_EVENT_PROCESS);
	err = err ?: session_attach(self->user.fd, self->user.own.pid, 0);
	return err ?: session_start(self->user.fd, 1);
}

TEST_F(access, events_beyond_own_user_code_are_refused)
{
	struct perf_event_attr attr;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	attr_init(&attr, 100);
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr, TPROF_LX_EVENT_PROCESS));
	attr.exclude_kernel = 1;
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr, 0));
	attr.context_switch = 1;
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr, TPROF_LX_EVENT_PROCESS));
	attr.context_switch = 0;
	EXPECT_EQ(0, add_timer(self->user.fd, &attr, TPROF_LX_EVENT_PROCESS));
	/* Without targets, the session would cover all processes. */
	EXPECT_EQ(-ESRCH, session_start(self->user.fd, 1));
}

/*
 * Start a session that counts and samples page faults of the program from its exec on, and
 * run the program. With flag THREAD, a second thread executes it and is the only target.
 */
static int run_program(FIXTURE_DATA(access) *self, char *path, __u32 flags)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err;

	attr_init(&attr, 0);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.freq = 0;
	attr.sample_period = 1;
	attr.exclude_kernel = 1;
	attr.enable_on_exec = 1;
	attr_track(&attr);
	err = event_add_with(self->user.fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: program_fork(&self->program, path, flags & THREAD);
	err = err ?: session_attach(self->user.fd, self->program.tid, flags);
	err = err ?: session_start(self->user.fd, 1);
	return err ?: program_go(&self->program);
}

TEST_F(access, ordinary_program_is_observed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, run_program(self, ORDINARY, 0));
	EXPECT_LE(PAGES, count_sum(self->user.fd, 0));
	EXPECT_TRUE(is_running(self->user.fd));
	ASSERT_EQ(0, session_stop(self->user.fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_finish(&self->stream, self->user.fd));
	/* The event rests after a sample that took long. */
	EXPECT_NE(0, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_NE(0, stream_count(&self->stream, PERF_RECORD_MMAP2));
}

/* The program is no target any more: it counts nothing, and the session ends before it. */
static void expect_nothing(struct __test_metadata *_metadata, FIXTURE_DATA(access) *self)
{
	EXPECT_EQ(0, count_sum(self->user.fd, 0));
	EXPECT_TRUE(wait_until(!is_running(self->user.fd), 10000));
	ASSERT_EQ(0, stream_finish(&self->stream, self->user.fd));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_EQ(0, stream_count(&self->stream, PERF_RECORD_MMAP2));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->program.pid, 0));
}

/* Count a process by thread, and let it execute @path. Return the name of its thread, if any. */
static const char *name_after_exec(FIXTURE_DATA(access) *self, char *path)
{
	static struct tprof_lx_thread thread;
	struct tprof_lx_threads arg = {
		.size		= sizeof(arg),
		.nr_threads	= 1,
		.threads	= (unsigned long)&thread,
		.thread_size	= sizeof(thread),
	};
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int err;

	attr_user(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	err = event_add_with(self->user.fd, "soft", &attr,
			     TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS, &event);
	err = err ?: program_fork(&self->program, path, false);
	err = err ?: session_attach(self->user.fd, self->program.tid, 0);
	err = err ?: session_start(self->user.fd, 1);
	err = err ?: program_go(&self->program);
	err = err ?: session_ioctl(self->user.fd, TPROF_LX_IOC_THREADS, &arg);
	return err || arg.nr_threads != 1 ? NULL : thread.comm;
}

TEST_F(access, name_of_ordinary_program_is_shown)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_STRNE("", name_after_exec(self, ORDINARY));
}

TEST_F(access, name_of_set_user_id_program_is_hidden)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_STREQ("", name_after_exec(self, SET_USER_ID));
}

TEST_F(access, set_user_id_program_is_not_observed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, run_program(self, SET_USER_ID, 0));
	expect_nothing(_metadata, self);
}

/* execve(2) gives the thread the id of its leader before it changes the credentials. */
TEST_F(access, set_user_id_program_of_a_thread_is_not_observed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, run_program(self, SET_USER_ID, THREAD));
	expect_nothing(_metadata, self);
}

TEST_F(access, unreadable_program_of_a_thread_is_not_observed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, run_program(self, UNREADABLE, THREAD));
	expect_nothing(_metadata, self);
}

TEST_F(access, unreadable_program_is_not_observed)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, run_program(self, UNREADABLE, 0));
	expect_nothing(_metadata, self);
}

/* The child of a target executes the program: the target remains one, its child does not. */
TEST_F(access, set_user_id_descendant_is_left_out)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, program_fork(&self->program, SET_USER_ID, false));
	ASSERT_EQ(0, program_go(&self->program));
	ASSERT_EQ(0, add_count(self));
	/* This process and @own are in the tree, the program is not. */
	ASSERT_EQ(0, session_attach(self->user.fd, 0, 0));
	EXPECT_EQ(-EEXIST, session_attach(self->user.fd, self->user.own.pid, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->program.pid, 0));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, count_some, 3));
	ASSERT_EQ(0, target_do(&self->user.root, count_some, 100));
	EXPECT_EQ(3, count_sum(self->user.fd, 0));
}

static int count_change_count(struct target *target, __u64 uid)
{
	return fake_count(target->key, 1, NULL) ?: setresuid(uid, uid, uid) ? -errno :
	       fake_count(target->key, 100, NULL);
}

/* Both the opener and the target may change their user id. */
TEST_F(access, setuid_removes_the_target)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, CAP_SETUID));
	ASSERT_EQ(0, add_count(self));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, count_change_count, NOBODY));
	EXPECT_EQ(101, count_sum(self->user.fd, 0));
	ASSERT_EQ(0, target_do(&self->user.own, count_change_count, OTHER));
	EXPECT_EQ(102, count_sum(self->user.fd, 0));
	EXPECT_TRUE(wait_until(!is_running(self->user.fd), 10000));
}

static int count_unshare_count(struct target *target, __u64 unused)
{
	return fake_count(target->key, 1, NULL) ?: unshare(CLONE_NEWUSER) ? -errno :
	       fake_count(target->key, 100, NULL);
}

TEST_F(access, user_namespace_removes_the_target)
{
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, add_count(self));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	err = target_do(&self->user.own, count_unshare_count, 0);
	if (err == -EPERM || err == -EINVAL || err == -ENOSPC)
		SKIP(return, "user namespaces are not permitted here");
	ASSERT_EQ(0, err);
	EXPECT_EQ(1, count_sum(self->user.fd, 0));
	EXPECT_TRUE(wait_until(!is_running(self->user.fd), 10000));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.own.pid, 0));
}

static int clone_counts(struct target *target, __u64 flags)
{
	pid_t pid = syscall(SYS_clone, SIGCHLD | flags, 0, 0, 0, 0);
	int status;

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(fake_count(target->key, 10, NULL) ? 1 : 0);
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -ECHILD;
}

TEST_F(access, child_in_user_namespace_is_no_target)
{
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, add_count(self));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, clone_counts, 0));
	EXPECT_EQ(10, count_sum(self->user.fd, 0));
	err = target_do(&self->user.own, clone_counts, CLONE_NEWUSER);
	if (err == -EPERM || err == -EINVAL || err == -ENOSPC)
		SKIP(return, "user namespaces are not permitted here");
	ASSERT_EQ(0, err);
	EXPECT_EQ(10, count_sum(self->user.fd, 0));
}

/* Take over the file @fd of the parent, and attach this process. */
static int attach_self(struct target *target, __u64 fd)
{
	int pidfd = syscall(SYS_pidfd_open, getppid(), 0);
	int copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0), err;

	if (copy < 0)
		return -errno;
	err = session_attach(copy, 0, ALONE) == -EPERM &&
	      session_attach(copy, getpid(), THREAD) == -EPERM ? 0 : -EBADE;
	close(copy);
	close(pidfd);
	return err;
}

/* The rights of a session are those of its opener. */
TEST_F(access, passed_file_gives_no_rights)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_EQ(0, target_do(&self->user.root, attach_self, self->user.fd));
}

/* Let /proc/PID of a stranger show the process @own. */
static int forge_proc(struct target *target, __u64 own)
{
	char from[32], to[32];

	snprintf(from, sizeof(from), "/proc/%llu", own);
	snprintf(to, sizeof(to), "/proc/%d", getpid());
	return mount(from, to, NULL, MS_BIND, NULL) ? -errno : 0;
}

static int unforge_proc(struct target *target, __u64 unused)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", getpid());
	return umount2(path, MNT_DETACH) ? -errno : 0;
}

TEST_F(access, forged_proc_gives_no_rights)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.root, forge_proc, self->user.own.pid));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, 0));
	EXPECT_EQ(-EPERM, session_target(self->user.fd, self->user.root.pid));
	EXPECT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	EXPECT_EQ(0, target_do(&self->user.root, unforge_proc, 0));
}

/* Change the ids of this thread only, which setresuid(3) would do for all threads. */
static void *become_other_alone(void *unused)
{
	return syscall(SYS_setresuid, OTHER, OTHER, OTHER) ? (void *)-1 : NULL;
}

static int count_let_other_change_count(struct target *target, __u64 unused)
{
	pthread_t thread;
	void *result;
	int err = fake_count(target->key, 1, NULL);

	err = err ?: -pthread_create(&thread, NULL, become_other_alone, NULL);
	err = err ?: -pthread_join(thread, &result);
	return err ?: result ? -EPERM : fake_count(target->key, 100, NULL);
}

/* The threads share their memory. So if one of them is a stranger, no other is observed. */
TEST_F(access, setuid_of_another_thread_removes_the_target)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, CAP_SETUID));
	ASSERT_EQ(0, add_count(self));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, THREAD));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, count_let_other_change_count, 0));
	EXPECT_EQ(1, count_sum(self->user.fd, 0));
	EXPECT_TRUE(wait_until(!is_running(self->user.fd), 10000));
}

static void *pause_for_ever(void *unused)
{
	for (;;)
		pause();
	return NULL;
}

/* Fork a process of which the first thread exits and another one lives on. */
static pid_t fork_without_first_thread(bool is_dumpable)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_DUMPABLE, is_dumpable);
	if (pthread_create(&thread, NULL, pause_for_ever, NULL))
		_exit(1);
	syscall(SYS_exit, 0);
	return -1;
}

/* The first thread has no memory any more, so the kernel would not refuse this thread. */
TEST_F(access, process_without_first_thread_keeps_its_secrets)
{
	static const int expected[] = { -EPERM, 0 };
	pid_t pid;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	for (int is_dumpable = 0; is_dumpable < 2; is_dumpable++) {
		pid = fork_without_first_thread(is_dumpable);
		ASSERT_LT(0, pid);
		ASSERT_TRUE(wait_until(process_is(pid, 'Z'), 10000));
		EXPECT_EQ(expected[is_dumpable], session_attach(self->user.fd, pid, ALONE));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

static int start_tracking(struct target *target, __u64 unused)
{
	struct perf_event_attr attr;
	int fd = session_open(0);

	attr_init(&attr, 100);
	attr_track(&attr);
	return fd < 0 ? fd : event_add(fd, "timer", &attr) ?: session_start(fd, 1);
}

static int fork_and_wait(struct target *target, __u64 unused)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return waitpid(pid, NULL, 0) == pid ? pid : -ECHILD;
}

#define LAST_PID	"/proc/sys/kernel/ns_last_pid"

/* Fork a process that gets id @pid. */
static int fork_as(struct target *target, __u64 pid)
{
	char last[16];
	int err, i;

	snprintf(last, sizeof(last), "%llu", pid - 1);
	for (i = 0; i < 100; i++) {
		err = file_write(LAST_PID, last);
		if (err || fork_and_wait(target, 0) == (int)pid)
			return err;
	}
	return -EAGAIN;
}

static size_t count_forks_of(const struct stream *stream, pid_t parent)
{
	size_t nr = 0;

	for (size_t i = 0; i < stream->nr_records; i++) {
		const struct record_task *task = stream->index[i].body;

		nr += stream->index[i].header->type == PERF_RECORD_FORK &&
		      task->ppid == (__u32)parent;
	}
	return nr;
}

/*
 * The id of a former target still has its mark when a stranger forks a process with that
 * id. A session that tracks forks already has the probe that runs first.
 */
TEST_F(access, fork_of_a_stranger_is_not_reported)
{
	int pid;

	if (access(LAST_PID, F_OK))
		SKIP(return, "this kernel does not let a test choose a process id");
	ASSERT_EQ(0, target_do(&self->user.root, start_tracking, 0));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, track_own(self, 100));
	pid = target_do(&self->user.own, fork_and_wait, 0);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, target_do(&self->user.root, fork_as, pid));
	ASSERT_EQ(0, session_stop(self->user.fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_finish(&self->stream, self->user.fd));
	EXPECT_EQ(1, count_forks_of(&self->stream, self->user.own.pid));
	EXPECT_EQ(0, count_forks_of(&self->stream, self->user.root.pid));
}

static int open_in_user_namespace(struct target *target, __u64 unused)
{
	if (unshare(CLONE_NEWUSER))
		return -errno;
	return session_open(0) == -EPERM ? 0 : -EBADE;
}

TEST_F(access, root_of_user_namespace_cannot_open)
{
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	err = target_do(&self->user.own, open_in_user_namespace, 0);
	if (err == -EPERM || err == -EINVAL || err == -ENOSPC)
		SKIP(return, "user namespaces are not permitted here");
	EXPECT_EQ(0, err);
}

static int open_fds[2];

static int open_another(struct target *target, __u64 nr)
{
	open_fds[nr] = session_open(0);
	return open_fds[nr] < 0 ? open_fds[nr] : 0;
}

TEST_F(access, sessions_of_others_are_not_reported)
{
	struct tprof_lx_session list[4] = {};
	struct tprof_lx_sessions sessions = {
		.size = sizeof(sessions),
		.nr_sessions = ARRAY_LEN(list),
		.session_size = sizeof(list[0]),
		.sessions = (uintptr_t)list,
	};
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.root, open_another, 0));
	ASSERT_EQ(0, target_do(&self->user.own, open_another, 0));
	ASSERT_EQ(0, session_info(self->user.fd, &info));
	EXPECT_EQ(2, info.nr_sessions);
	EXPECT_TRUE(info.features & TPROF_LX_FEATURE_UNPRIVILEGED);
	ASSERT_EQ(0, session_ioctl(self->user.fd, TPROF_LX_IOC_SESSIONS, &sessions));
	EXPECT_EQ(2, sessions.nr_sessions);
	EXPECT_EQ(getpid(), list[0].pid);
	EXPECT_EQ(self->user.own.pid, list[1].pid);
	EXPECT_EQ(0, list[2].pid);
	memset(&stats, 0xff, sizeof(stats));
	ASSERT_EQ(0, session_stats(self->user.fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_EQ(0, stats.nmi_sampled + stats.nmi_late + stats.nmi_foreign);
	EXPECT_EQ(0, stats.calls + stats.calls_failed + stats.buffers + stats.buffers_failed);
	EXPECT_EQ(0, stats.ipi_calls + stats.cpu_works + stats.grace_periods);
	EXPECT_EQ(0, stats.total_lost + stats.total_side_lost + stats.total_rounds +
		     stats.total_empty_rounds + stats.total_kicks + stats.total_stalls +
		     stats.total_interrupts + stats.total_handler_ns + stats.total_around_ns);
}

static int reload_burn(struct target *target, __u64 unused)
{
	return module_unload("tprof-lx-burn") ?: module_load("tprof-lx-burn", "");
}

static bool has_kernel_addresses(const struct stream *stream)
{
	for (size_t i = 0; i < stream->nr_records; i++) {
		const struct record *record = &stream->index[i];
		const struct record_mmap2 *map = record->body;

		if (record->header->type == PERF_RECORD_SAMPLE && record->ip >= KERNEL_BEGIN)
			return true;
		if (record->header->type == PERF_RECORD_MMAP2 &&
		    (map->addr >= KERNEL_BEGIN ||
		     (record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
		     PERF_RECORD_MISC_KERNEL))
			return true;
	}
	return stream_count(stream, PERF_RECORD_KSYMBOL);
}

/* A module is loaded and unloaded meanwhile, and the target spends much time in the kernel. */
TEST_F(access, no_record_has_an_address_of_the_kernel)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, track_own(self, 1000));
	ASSERT_EQ(0, target_ask(&self->user.own, target_call_kernel, 500));
	EXPECT_EQ(0, target_do(&self->user.root, reload_burn, 0));
	ASSERT_EQ(0, target_wait(&self->user.own));
	ASSERT_EQ(0, session_stop(self->user.fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_finish(&self->stream, self->user.fd));
	EXPECT_NE(0, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_FALSE(has_kernel_addresses(&self->stream));
}

/* On Intel, this bit of the config counts both threads of the core. */
TEST_F(access, other_thread_of_the_core_is_not_counted)
{
	struct tprof_lx_backend backend;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	if (counters_backend(self->user.fd, &backend) || strcmp(backend.name, "intel"))
		SKIP(return, "no counters of Intel");
	if (unprivileged_add_counter(self->user.fd, RAW_INSNS) == -EIO)
		SKIP(return, "the counters do not work here");
	EXPECT_EQ(-EACCES, unprivileged_add_counter(self->user.fd, RAW_INSNS | RAW_ANY));
}

TEST_HARNESS_MAIN
