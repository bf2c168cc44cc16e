// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what each value of the parameter `access` lets users observe
 *
 * access_test.c has which processes they may observe, quota_test.c how much at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/count_page.h"
#include "harness/nobody.h"
#include "harness/unprivileged.h"
#include "harness/test.h"

#define PARAMETERS	"/sys/module/tprof_lx/parameters/"
#define KPTR_RESTRICT	"/proc/sys/kernel/kptr_restrict"

FIXTURE(degree) {
	struct unprivileged	user;
	struct stream		stream;
	long			kptr_restrict;
	long			max_counters;
};

static int write_digit(const char *path, __u64 value)
{
	const char text[] = { '0' + value, '\0' };

	return file_write(path, text);
}

static int set_kptr_restrict(struct target *root, __u64 value)
{
	return write_digit(KPTR_RESTRICT, value);
}

static int set_max_counters(struct target *root, __u64 value)
{
	return write_digit(PARAMETERS "unprivileged_counters", value);
}

/* Write 0 or 1 to the parameter by its old name. */
static int set_unprivileged(struct target *root, __u64 value)
{
	return write_digit(PARAMETERS "unprivileged", value);
}

FIXTURE_SETUP(degree)
{
	self->kptr_restrict = file_number(KPTR_RESTRICT);
	self->max_counters = file_number(PARAMETERS "unprivileged_counters");
	expect_counters();
	ASSERT_EQ(0, unprivileged_setup(&self->user));
}

FIXTURE_TEARDOWN(degree)
{
	stream_free(&self->stream);
	EXPECT_EQ(0, target_do(&self->user.root, set_kptr_restrict, self->kptr_restrict));
	EXPECT_EQ(0, target_do(&self->user.root, set_max_counters, self->max_counters));
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

/* Give up all privileges and open a session. Then let users observe what @access permits. */
static int begin_with(FIXTURE_DATA(degree) *self, __u32 access)
{
	return unprivileged_begin(&self->user, -1) ?: unprivileged_allow(&self->user, access);
}

static __u32 access_of(int fd)
{
	struct tprof_lx_info info = {};

	return session_info(fd, &info) ? ~0U : info.access;
}

static int add_clock(int fd, const char *backend, const struct perf_event_attr *attr)
{
	struct tprof_lx_event event;

	return event_add_with(fd, backend, attr, TPROF_LX_EVENT_PROCESS, &event);
}

static int add_timer(int fd, const struct perf_event_attr *attr)
{
	return add_clock(fd, "timer", attr);
}

static int add_soft(int fd, __u64 config, bool exclude_kernel)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_count(&attr, PERF_TYPE_SOFTWARE, config);
	attr.exclude_kernel = exclude_kernel;
	return event_add_with(fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event);
}

/* Add an event of instructions with a count page. Without counters, the error is -ENODEV. */
static int add_page(int fd, struct tprof_lx_event *event)
{
	struct tprof_lx_backend backend;
	struct perf_event_attr attr;
	int err = counters_backend(fd, &backend);

	attr_user(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	return err ?: event_add_with(fd, backend.name, &attr, PAGE_FLAGS, event);
}

TEST_F(degree, none_opens_no_session)
{
	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_NONE));
	EXPECT_EQ(-EPERM, session_open(0));
	EXPECT_EQ(TPROF_LX_ACCESS_NONE, access_of(self->user.fd));
}

TEST_F(degree, own_has_clocks_and_software_events_in_user_mode)
{
	struct perf_event_attr attr;

	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_OWN));
	EXPECT_EQ(TPROF_LX_ACCESS_OWN, access_of(self->user.fd));
	attr_init(&attr, 100);
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr));
	attr.exclude_kernel = 1;
	EXPECT_EQ(0, add_timer(self->user.fd, &attr));
	EXPECT_EQ(0, add_soft(self->user.fd, PERF_COUNT_SW_PAGE_FAULTS, true));
	EXPECT_EQ(-EACCES, add_soft(self->user.fd, PERF_COUNT_SW_CONTEXT_SWITCHES, false));
}

TEST_F(degree, own_has_no_counters)
{
	struct tprof_lx_event event;
	struct tprof_lx_backend backend;

	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_OWN));
	if (counters_backend(self->user.fd, &backend))
		SKIP(return, "no counters");
	EXPECT_EQ(-EACCES, unprivileged_add_counter(self->user.fd, RAW_INSNS));
	EXPECT_EQ(-EACCES, add_page(self->user.fd, &event));
}

TEST_F(degree, counters_has_counters_in_user_mode)
{
	struct perf_event_attr attr;
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	EXPECT_EQ(TPROF_LX_ACCESS_COUNTERS, access_of(self->user.fd));
	EXPECT_EQ(-EACCES, add_soft(self->user.fd, PERF_COUNT_SW_CONTEXT_SWITCHES, false));
	attr_init(&attr, 100);
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr));
	err = unprivileged_add_counter(self->user.fd, RAW_INSNS);
	if (err == -ENODEV || err == -EIO)
		SKIP(return, "no counters that work");
	EXPECT_EQ(0, err);
}

/* A library measures itself: no capability, and no system call for a read. */
TEST_F(degree, counters_lets_a_thread_read_its_own_count)
{
	struct tprof_lx_counter counter;
	struct tprof_lx_event event;
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	err = add_page(self->user.fd, &event);
	if (err == -ENODEV || err == -EIO)
		SKIP(return, "no counters that work");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, tprof_lx_counter_map(&counter, self->user.fd, event.index));
	ASSERT_EQ(0, session_attach(self->user.fd, 0, TPROF_LX_TARGET_THREAD));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	EXPECT_EQ(1, (int)counter.page->cap_user_rdpmc);
	EXPECT_TRUE(count_page_is_exact(&counter));
	tprof_lx_counter_unmap(&counter);
}

/* Another thread than the reader of the page is no target, even if it is of the same user. */
TEST_F(degree, count_page_of_another_process_is_refused)
{
	struct tprof_lx_event event;
	int err;

	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	err = add_page(self->user.fd, &event);
	if (err == -ENODEV || err == -EIO)
		SKIP(return, "no counters that work");
	ASSERT_EQ(0, err);
	EXPECT_EQ(-EBUSY, session_attach(self->user.fd, self->user.own.pid,
					 TPROF_LX_TARGET_THREAD));
}

/*
 * Run selfcount, the example of <tprof-lx/rdpmc.h>, as a user. That user may not be able to
 * search the directory of the program. Return its output.
 */
static FILE *run_example(char *backend)
{
	char *argv[] = { "selfcount", backend, "100000", NULL };
	char path[PATH_MAX] = "", program[PATH_MAX + 32];
	int ends[2], fd;
	pid_t pid;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0 || pipe(ends))
		return NULL;
	snprintf(program, sizeof(program), "%s/workloads/selfcount", dirname(path));
	fd = open(program, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		if (!become_user(NOBODY, -1))
			fexecve(fd, argv, environ);
		_exit(1);
	}
	close(fd);
	close(ends[1]);
	return pid < 0 || waitpid(pid, NULL, 0) != pid ? NULL : fdopen(ends[0], "r");
}

TEST_F(degree, counters_lets_the_example_count_itself)
{
	struct tprof_lx_backend backend;
	unsigned long long insns = 0, branches = 0;
	int fd = session_open(0), err;
	FILE *output;

	ASSERT_LE(0, fd);
	err = counters_backend(fd, &backend);
	close(fd);
	if (err || lab_breaks_counters() || !lab_mode())
		SKIP(return, "no counters that work and are exact");
	output = run_example(backend.name);
	ASSERT_NE(NULL, output);
	EXPECT_EQ(2, fscanf(output, "%llu instructions, %llu branches", &insns, &branches));
	EXPECT_EQ(200000, insns);
	EXPECT_EQ(100000, branches);
	fclose(output);
}

/*
 * As a user that may sample the kernel, sample @own, which spends much time there, with call
 * chains, and stop. @kptr_restrict is the value of kernel.kptr_restrict. Set @degraded to the mask
 * that START returns.
 */
static int sample_kernel_by(FIXTURE_DATA(degree) *self, const char *backend,
			    __u64 kptr_restrict, __u32 *degraded)
{
	struct perf_event_attr attr;
	int err = begin_with(self, TPROF_LX_ACCESS_KERNEL);

	err = err ?: target_do(&self->user.root, set_kptr_restrict, kptr_restrict);
	attr_init(&attr, 1000);
	attr_track(&attr);
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	err = err ?: add_clock(self->user.fd, backend, &attr);
	err = err ?: session_attach(self->user.fd, self->user.own.pid, 0);
	err = err ?: session_start_degraded(self->user.fd, 1, degraded);
	err = err ?: target_do(&self->user.own, target_call_kernel, 500);
	err = err ?: session_stop(self->user.fd, ALL_EVENTS);
	return err ?: stream_finish(&self->stream, self->user.fd);
}

static int sample_kernel(FIXTURE_DATA(degree) *self, __u64 kptr_restrict)
{
	__u32 degraded;

	return sample_kernel_by(self, "timer", kptr_restrict, &degraded);
}

/* Count samples of the kernel. Set @nr_addresses to the number of its addresses in them. */
static size_t count_kernel(const struct stream *stream, size_t *nr_addresses)
{
	size_t nr = 0;

	*nr_addresses = 0;
	for (size_t i = 0; i < stream->nr_records; i++) {
		const struct record *record = &stream->index[i];
		const __u64 *word = record->body;

		if (record->header->type != PERF_RECORD_SAMPLE)
			continue;
		nr += (record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
		      PERF_RECORD_MISC_KERNEL;
		for (size_t j = 0; j < record->body_bytes / sizeof(*word); j++)
			*nr_addresses += word[j] >= KERNEL_BEGIN &&
					 word[j] != (__u64)PERF_CONTEXT_USER;
	}
	return nr;
}

TEST_F(degree, kernel_has_samples_of_the_kernel_with_addresses)
{
	size_t nr_addresses;

	ASSERT_EQ(0, sample_kernel(self, 0));
	EXPECT_LT(0, count_kernel(&self->stream, &nr_addresses));
	EXPECT_LT(0, nr_addresses);
}

TEST_F(degree, kptr_restrict_hides_addresses_of_the_kernel)
{
	size_t nr_addresses;

	ASSERT_EQ(0, sample_kernel(self, 1));
	EXPECT_LT(0, count_kernel(&self->stream, &nr_addresses));
	EXPECT_EQ(0, nr_addresses);
}

TEST_F(degree, kernel_is_sampled_by_nmi_as_by_timer)
{
	size_t nr_addresses;
	__u32 degraded;

	ASSERT_EQ(0, sample_kernel_by(self, "nmi", 0, &degraded));
	EXPECT_EQ(1, degraded);
	EXPECT_LT(0, count_kernel(&self->stream, &nr_addresses));
}

TEST_F(degree, kernel_has_software_events_of_the_kernel)
{
	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_KERNEL));
	EXPECT_EQ(TPROF_LX_ACCESS_KERNEL, access_of(self->user.fd));
	ASSERT_EQ(0, add_soft(self->user.fd, PERF_COUNT_SW_CONTEXT_SWITCHES, false));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	ASSERT_EQ(0, session_start(self->user.fd, 1));
	ASSERT_EQ(0, target_do(&self->user.own, target_call_kernel, 1));
	EXPECT_LT(0, count_sum(self->user.fd, 0));
}

/* The highest degree is of own processes, too, and has no ids of others. */
TEST_F(degree, kernel_has_nothing_of_others)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_KERNEL));
	attr_init(&attr, 100);
	EXPECT_EQ(-EACCES, event_add_with(self->user.fd, "timer", &attr, 0, &event));
	attr.context_switch = 1;
	EXPECT_EQ(-EACCES, add_timer(self->user.fd, &attr));
	EXPECT_EQ(-EPERM, session_attach(self->user.fd, self->user.root.pid, 0));
	attr_count(&attr, PERF_TYPE_RAW, TPROF_LX_SOFT_WAKEUPS);
	EXPECT_EQ(-EACCES, event_add_with(self->user.fd, "soft", &attr, TPROF_LX_EVENT_PROCESS,
					  &event));
}

TEST_F(degree, lower_degree_does_not_end_events)
{
	ASSERT_EQ(0, begin_with(self, TPROF_LX_ACCESS_KERNEL));
	ASSERT_EQ(0, add_soft(self->user.fd, PERF_COUNT_SW_CONTEXT_SWITCHES, false));
	ASSERT_EQ(0, unprivileged_allow(&self->user, TPROF_LX_ACCESS_OWN));
	EXPECT_EQ(-EACCES, add_soft(self->user.fd, PERF_COUNT_SW_CONTEXT_SWITCHES, false));
	ASSERT_EQ(0, session_attach(self->user.fd, self->user.own.pid, 0));
	EXPECT_EQ(0, session_start(self->user.fd, 1));
}

TEST_F(degree, old_name_has_the_degrees_that_it_had)
{
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	ASSERT_EQ(0, target_do(&self->user.root, set_unprivileged, 0));
	EXPECT_EQ(TPROF_LX_ACCESS_NONE, file_number(PARAMETERS "access"));
	EXPECT_EQ(0, file_number(PARAMETERS "unprivileged"));
	EXPECT_EQ(-EPERM, session_open(0));
	ASSERT_EQ(0, target_do(&self->user.root, set_unprivileged, 1));
	EXPECT_EQ(TPROF_LX_ACCESS_COUNTERS, file_number(PARAMETERS "access"));
	EXPECT_EQ(1, file_number(PARAMETERS "unprivileged"));
	ASSERT_EQ(0, target_do(&self->user.root, set_max_counters, 0));
	EXPECT_EQ(TPROF_LX_ACCESS_OWN, access_of(self->user.fd));
	ASSERT_EQ(0, unprivileged_allow(&self->user, TPROF_LX_ACCESS_KERNEL));
	EXPECT_EQ(1, file_number(PARAMETERS "unprivileged"));
}

TEST_HARNESS_MAIN
