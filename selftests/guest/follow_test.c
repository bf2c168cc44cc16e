// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - FOLLOW: processes that become targets by their names
 *
 * Events of the back end "fake-count" happen when a task requests them, so each test knows the
 * exact count. The program of a name is this one, called by a symbolic link.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/test.h"

#define ALONE	TPROF_LX_TARGET_ALONE
#define NAME	"tp-named"

FIXTURE(follow) {
	int		fd;
	__u32		key;
	char		dir[32];
	struct stream	stream;
};

/* An automaton that accepts one name. Its last state accepts nothing. */
struct automaton {
	__u8	states[16][256];
	__u32	nr;
};

static void make_automaton(struct automaton *automaton, const char *name)
{
	size_t i, len = strlen(name);

	automaton->nr = len + 2;
	memset(automaton->states, len + 1, sizeof(automaton->states));
	for (i = 0; i < len; i++)
		automaton->states[i][(__u8)name[i]] = i + 1;
	for (i = 0; i <= len + 1; i++)
		automaton->states[i][0] = i == len;
}

static int follow_by(int fd, const struct automaton *automaton, __u32 flags, __u64 *nr_followed)
{
	struct tprof_lx_follow follow = {
		.size		= sizeof(follow),
		.flags		= flags,
		.nr_states	= automaton ? automaton->nr : 0,
		.states		= automaton ? (unsigned long)automaton->states : 0,
	};
	int err = session_ioctl(fd, TPROF_LX_IOC_FOLLOW, &follow);

	*nr_followed = follow.nr_followed;
	return err;
}

static int follow_name(int fd, const char *name, __u32 flags)
{
	struct automaton automaton;
	__u64 nr;

	make_automaton(&automaton, name);
	return follow_by(fd, &automaton, flags, &nr);
}

static __u64 nr_followed(int fd)
{
	__u64 nr = ~0ULL;

	return follow_by(fd, NULL, 0, &nr) ? ~0ULL : nr;
}

static int add_count(int fd, __u32 key)
{
	struct tprof_lx_event event;
	struct perf_event_attr attr;

	attr_count(&attr, PERF_TYPE_SOFTWARE, key);
	return event_add_with(fd, TPROF_LX_FAKE_COUNTER, &attr, TPROF_LX_EVENT_PROCESS, &event);
}

FIXTURE_SETUP(follow)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(-ENOENT, fake_count(self->key, 1, NULL));
	ASSERT_EQ(0, add_count(self->fd, self->key));
	strcpy(self->dir, "/tmp/follow.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
}

static void link_path(FIXTURE_DATA(follow) *self, const char *name, char path[64])
{
	snprintf(path, 64, "%s/%s", self->dir, name);
}

FIXTURE_TEARDOWN(follow)
{
	char path[64];

	link_path(self, NAME, path);
	unlink(path);
	link_path(self, "tp-other", path);
	unlink(path);
	rmdir(self->dir);
	stream_free(&self->stream);
	close(self->fd);
}

/*
 * Execute this program by the name @name, to do what run_as_named_program() does. Return the id of
 * the process, which has ended, or -errno.
 */
static pid_t run_named(FIXTURE_DATA(follow) *self, const char *name, const char *what)
{
	char path[64], program[256] = "", key[16];
	int status;
	pid_t pid;

	link_path(self, name, path);
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		return -errno;
	if (symlink(program, path) && errno != EEXIST)
		return -errno;
	snprintf(key, sizeof(key), "%u", self->key);
	pid = fork();
	if (!pid) {
		fake_count(self->key, 1000, NULL);
		execl(path, "run_as_named_program", what, key, NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) != pid || status ? -ECHILD : pid;
}

static int count_in_child(__u32 key, const char *name)
{
	pid_t pid;
	int status;

	if (name)
		prctl(PR_SET_NAME, name);
	pid = fork();
	if (!pid)
		_exit(fake_count(key, 10, NULL) != 0);
	return waitpid(pid, &status, 0) != pid || status;
}

static int run_program(const char *what, __u32 key)
{
	if (fake_count(key, 1, NULL))
		return 1;
	if (!strcmp(what, "fork"))
		return count_in_child(key, NULL);
	if (!strcmp(what, "rename"))
		return count_in_child(key, "tp-renamed");
	return 0;
}

/* The harness defines main(), so look for "run_as_named_program WHAT KEY" before it. */
static void __attribute__((constructor)) run_as_named_program(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[0], "run_as_named_program"))
		_exit(run_program(argv[1], strtoul(argv[2], NULL, 0)));
}

TEST_F(follow, process_of_a_name_is_counted_from_its_exec)
{
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, nr_followed(self->fd));
	ASSERT_LT(0, run_named(self, "tp-other", "count"));
	EXPECT_EQ(0, count_sum(self->fd, 0));
	ASSERT_LT(0, run_named(self, NAME, "count"));
	EXPECT_EQ(1, count_sum(self->fd, 0));
	EXPECT_EQ(1, nr_followed(self->fd));
}

/* The session goes on when the last process has ended, and others come. */
TEST_F(follow, session_does_not_end_with_its_last_process)
{
	__u32 running = 0;

	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	for (int i = 0; i < 20; i++)
		ASSERT_LT(0, run_named(self, NAME, "count"));
	ASSERT_EQ(0, session_running(self->fd, &running));
	EXPECT_EQ(1, running);
	EXPECT_EQ(20, count_sum(self->fd, 0));
	EXPECT_EQ(20, nr_followed(self->fd));
}

TEST_F(follow, descendants_are_counted_whatever_their_name)
{
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_LT(0, run_named(self, NAME, "rename"));
	EXPECT_EQ(11, count_sum(self->fd, 0));
	EXPECT_EQ(1, nr_followed(self->fd));
}

TEST_F(follow, alone_leaves_out_children_of_other_names)
{
	ASSERT_EQ(0, follow_name(self->fd, NAME, ALONE));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_LT(0, run_named(self, NAME, "rename"));
	EXPECT_EQ(1, count_sum(self->fd, 0));
	ASSERT_LT(0, run_named(self, NAME, "fork"));
	EXPECT_EQ(12, count_sum(self->fd, 0));
	EXPECT_EQ(3, nr_followed(self->fd));
}

static void rename_and_count(const char *name)
{
	prctl(PR_SET_NAME, name);
	fake_count(getppid(), 1, NULL);
}

TEST_F(follow, process_that_renames_itself_is_not_followed)
{
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_LT(0, child_runs(rename_and_count, NAME));
	EXPECT_EQ(0, count_sum(self->fd, 0));
	EXPECT_EQ(0, nr_followed(self->fd));
}

TEST_F(follow, other_targets_may_be_attached_beside)
{
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, fake_count(self->key, 3, NULL));
	ASSERT_EQ(0, session_detach(self->fd, 0, 0));
	ASSERT_LT(0, run_named(self, NAME, "count"));
	EXPECT_EQ(4, count_sum(self->fd, 0));
	EXPECT_EQ(1, nr_followed(self->fd));
}

static bool has_mapping(const struct stream *stream, pid_t pid, const char *part)
{
	const struct record *record;

	for_each_record_type(record, stream, PERF_RECORD_MMAP2) {
		const struct record_mmap2 *map = record->body;

		if (map->pid == (__u32)pid && strstr(map->filename, part))
			return true;
	}
	return false;
}

/*
 * The program and the dynamic linker are mapped in execve(2), before the process runs. The probes
 * that write records are registered already, for another session.
 */
TEST_F(follow, stream_has_name_and_mappings_from_the_exec_on)
{
	struct perf_event_attr attr;
	const struct record *record;
	struct tprof_lx_event event;
	int earlier = session_open(0);
	pid_t pid, other;

	attr_init(&attr, 10);
	attr_track(&attr);
	ASSERT_EQ(0, event_add(earlier, "timer", &attr));
	ASSERT_EQ(0, session_start(earlier, 1));
	ASSERT_EQ(0, event_add_with(self->fd, "timer", &attr, 0, &event));
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1U << event.index));
	other = run_named(self, "tp-other", "count");
	ASSERT_LT(0, other);
	pid = run_named(self, NAME, "count");
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	record = stream_find(&self->stream, PERF_RECORD_COMM, pid);
	ASSERT_NE(NULL, record);
	EXPECT_STREQ(NAME, ((const struct record_comm *)record->body)->comm);
	EXPECT_NE(NULL, stream_find(&self->stream, PERF_RECORD_EXIT, pid));
	EXPECT_TRUE(has_mapping(&self->stream, pid, "follow_test"));
	EXPECT_TRUE(has_mapping(&self->stream, pid, "ld-linux"));
	EXPECT_EQ(NULL, stream_find(&self->stream, PERF_RECORD_COMM, other));
	EXPECT_FALSE(has_mapping(&self->stream, other, "follow_test"));
	close(earlier);
}

TEST_F(follow, config_ends_it)
{
	const struct tprof_lx_config config = { .size = sizeof(config) };

	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	EXPECT_EQ(-EEXIST, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_config(self->fd, &config));
	EXPECT_EQ(~0ULL, nr_followed(self->fd));
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
	ASSERT_EQ(0, follow_name(self->fd, NAME, 0));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(0, nr_followed(self->fd));
}

TEST_F(follow, wrong_arguments_are_refused)
{
	struct automaton automaton;
	__u64 nr;

	EXPECT_EQ(-ENOENT, follow_by(self->fd, NULL, 0, &nr));
	make_automaton(&automaton, NAME);
	EXPECT_EQ(-EINVAL, follow_by(self->fd, &automaton, TPROF_LX_TARGET_THREAD, &nr));
	automaton.states[3]['x'] = automaton.nr;
	EXPECT_EQ(-EINVAL, follow_by(self->fd, &automaton, 0, &nr));
	automaton.nr = TPROF_LX_MAX_NAME_STATES + 1;
	EXPECT_EQ(-EINVAL, follow_by(self->fd, &automaton, 0, &nr));
	/* After failed calls, the session has no target. */
	EXPECT_EQ(-ESRCH, session_start(self->fd, 1));
	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, follow_name(self->fd, NAME, 0));
}

TEST_HARNESS_MAIN
