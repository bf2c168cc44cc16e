// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - load and unload the module; its parameters
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/nobody.h"
#include "fuzz/faults.h"
#include "harness/test.h"
#include "harness/stream.h"

#define PARAMETERS	"/sys/module/tprof_lx/parameters/"

static int load(const char *parameters)
{
	int err = module_load("tprof-lx", parameters);

	if (err)
		return err;
	return wait_until(!access(DEVICE, F_OK), 5000) ? 0 : -ENODEV;
}

/* These tests expect the lines that the module logs while it is being loaded. */
FIXTURE(load) {
	int	unused;
};

FIXTURE_SETUP(load)
{
	expect_dmesg("tprof_lx: ");
	ASSERT_EQ(0, module_unload("tprof-lx-fake"));
	ASSERT_EQ(0, module_unload("tprof-lx"));
}

FIXTURE_TEARDOWN(load)
{
	module_unload("tprof-lx");
	EXPECT_EQ(0, load(""));
	EXPECT_EQ(0, module_load("tprof-lx-fake", ""));
}

TEST_F(load, node_exists_while_loaded)
{
	EXPECT_NE(0, access("/sys/class/misc/" TPROF_LX_DEVICE_NAME, F_OK));
	ASSERT_EQ(0, load(""));
	EXPECT_EQ(0, access("/sys/class/misc/" TPROF_LX_DEVICE_NAME, F_OK));
	ASSERT_EQ(0, module_unload("tprof-lx"));
	EXPECT_TRUE(wait_until(access(DEVICE, F_OK), 5000));
}

TEST_F(load, loads_a_hundred_times)
{
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, module_load("tprof-lx", ""));
		ASSERT_EQ(0, module_unload("tprof-lx"));
	}
}

/* Run a session before each unload, so that all hooks have been in use. */
TEST_F(load, unloads_after_use)
{
	struct perf_event_attr attr;

	attr_init(&attr, 2000);
	attr_track(&attr);
	attr.context_switch = 1;
	for (int i = 0; i < 10; i++) {
		int fd;

		ASSERT_EQ(0, load(""));
		fd = session_open(0);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, session_target(fd, getpid()));
		ASSERT_EQ(0, event_add(fd, "nmi", &attr));
		ASSERT_EQ(1, event_clock(fd, "timer", 2000));
		ASSERT_EQ(0, session_start(fd, 3));
		spin_ms(20);
		close(fd);
		ASSERT_EQ(0, module_unload("tprof-lx"));
	}
}

/* Return true if the module is unloaded and its device disappears. */
static bool is_gone(void)
{
	return !module_is_loaded("tprof-lx") && wait_until(access(DEVICE, F_OK), 5000);
}

/* For N = 1, 2, ..., inject the Nth possible failure into the load of the module. */
TEST_F_TIMEOUT(load, failed_load_leaves_nothing, 600)
{
	unsigned int nth = 0, nr_refused = 0;
	unsigned long nr_failed;
	struct faults faults;
	int err;

	if (!faults_are_possible())
		SKIP(return, "this kernel has no fault injection");
	ASSERT_EQ(0, faults_setup());
	ASSERT_EQ(0, faults_of_function("do_one_initcall"));
	faults_init(&faults);
	expect_dmesg("kobject_add_internal failed for tprof-lx");
	expect_dmesg("debugfs: out of free dentries");
	do {
		nr_failed = faults.nr_failed;
		faults_begin(&faults, ++nth);
		err = module_load("tprof-lx", "");
		faults_end(&faults);
		nr_refused += !!err;
		if (!err)
			ASSERT_EQ(0, module_unload("tprof-lx"));
		ASSERT_TRUE(is_gone());
	} while (faults.nr_failed > nr_failed);
	faults_free(&faults);
	EXPECT_EQ(0, err);
	EXPECT_LT(5, nr_refused);
	printf("# note: %lu failures injected, %u of them prevented the load\n",
	       faults.nr_failed, nr_refused);
}

TEST_F(load, parameters_take_effect)
{
	static const char good[] =
		"ring_bytes=65536 fifo_bytes=0x20000 flush_ms=50 max_rate=60000 max_stack=64";
	struct tprof_lx_info info = {};
	int fd;

	ASSERT_EQ(0, load(good));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &info));
	EXPECT_EQ(65536, info.ring_default);
	EXPECT_EQ(0x20000, info.fifo_default);
	EXPECT_EQ(50, info.flush_ms_default);
	EXPECT_EQ(60000, info.max_rate);
	EXPECT_EQ(64, info.max_stack);
	close(fd);
}

/* Load the module. Return the access that INFO reports, or -errno. */
static int access_if_loaded(const char *parameters)
{
	struct tprof_lx_info info = {};
	int err = load(parameters), fd;

	if (err)
		return err;
	fd = session_open(0);
	err = session_info(fd, &info);
	close(fd);
	return err ?: module_unload("tprof-lx") ?: (int)info.access;
}

/* The last parameter holds, as with any other that is given twice. */
TEST_F(load, old_names_of_access_have_the_degrees_that_they_had)
{
	EXPECT_EQ(0, access_if_loaded(""));
	EXPECT_EQ(3, access_if_loaded("access=3"));
	EXPECT_EQ(0, access_if_loaded("access=4"));
	EXPECT_EQ(2, access_if_loaded("unprivileged=1"));
	EXPECT_EQ(0, access_if_loaded("unprivileged=2"));
	EXPECT_EQ(1, access_if_loaded("unprivileged=1 unprivileged_counters=0"));
	EXPECT_EQ(1, access_if_loaded("unprivileged_counters=0 unprivileged=1"));
	EXPECT_EQ(0, access_if_loaded("access=3 unprivileged=0"));
}

TEST_F(load, device_is_for_all_if_users_may_observe)
{
	struct stat st;

	ASSERT_EQ(0, load("access=1"));
	ASSERT_EQ(0, stat(DEVICE, &st));
	EXPECT_EQ(0666, st.st_mode & 07777);
}

TEST_F(load, parameters_out_of_bounds_become_defaults)
{
	static const char bad[] =
		"ring_bytes=1 fifo_bytes=many flush_ms=0 max_rate=0 max_stack=513 debug=4096";
	struct tprof_lx_info usual = {}, info = {};
	int fd;

	ASSERT_EQ(0, load(""));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &usual));
	close(fd);
	ASSERT_EQ(0, module_unload("tprof-lx"));

	ASSERT_EQ(0, load(bad));
	fd = session_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_info(fd, &info));
	EXPECT_EQ(usual.ring_default, info.ring_default);
	EXPECT_EQ(usual.fifo_default, info.fifo_default);
	EXPECT_EQ(usual.flush_ms_default, info.flush_ms_default);
	EXPECT_EQ(usual.max_rate, info.max_rate);
	EXPECT_EQ(usual.max_stack, info.max_stack);
	EXPECT_EQ(0, file_number(PARAMETERS "debug"));
	close(fd);
}

/* Open the kernel's log at its end, for log_count(). */
static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

static int log_count(int fd, const char *what)
{
	char line[8192];
	int count = 0;
	ssize_t len;

	while ((len = read(fd, line, sizeof(line) - 1)) > 0) {
		line[len] = '\0';
		count += !!strstr(line, what);
	}
	return count;
}

TEST_F(load, load_logs_one_line)
{
	int log = log_open();

	ASSERT_LE(0, log);
	ASSERT_EQ(0, load(""));
	ASSERT_EQ(0, module_unload("tprof-lx"));
	EXPECT_EQ(1, log_count(log, "tprof_lx: "));
	close(log);
}

TEST_F(load, each_bad_parameter_is_logged)
{
	int log = log_open();

	ASSERT_LE(0, log);
	ASSERT_EQ(0, load("ring_bytes=1 fifo_bytes=many flush_ms=0"));
	ASSERT_EQ(0, module_unload("tprof-lx"));
	EXPECT_EQ(4, log_count(log, "tprof_lx: "));
	close(log);
}

/* As a user, add an event that needs a counter. Return 0 or the error. */
static int add_counter_as_nobody(const struct counters *counters)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int status;
	pid_t pid = fork();

	if (!pid) {
		attr_user(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
		_exit(become_user(NOBODY, -1) ||
		      event_add_with(session_open(0), counters->backend.name, &attr,
				     TPROF_LX_EVENT_PROCESS, &event));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define FIRST_COUNTER	"user 65534 may use the counters (access=2): meanwhile, perf, guests"

/* The administrator learns why perf has no counters. */
TEST_F(load, first_counter_of_a_user_is_logged)
{
	int log = log_open();
	struct counters counters;

	ASSERT_LE(0, log);
	ASSERT_EQ(0, load("access=2"));
	ASSERT_EQ(0, counters_open(&counters));
	close(counters.fd);
	if (counters.why_not)
		SKIP(return, "%s", counters.why_not);
	EXPECT_EQ(0, log_count(log, "may use the counters"));
	ASSERT_EQ(0, add_counter_as_nobody(&counters));
	ASSERT_EQ(0, add_counter_as_nobody(&counters));
	EXPECT_EQ(1, log_count(log, FIRST_COUNTER));
	close(log);
}

/* Writing a bad value to a parameter fails, and the parameter keeps its value. */
TEST(parameter_written_at_run_time_is_checked)
{
	static const char *const bad[] = { "0", "10001", "-1", "x", "" };
	long usual = file_number(PARAMETERS "flush_ms");

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		if (*bad[i]) {
			EXPECT_GT(0, file_write(PARAMETERS "flush_ms", bad[i]));
		}
		EXPECT_EQ(usual, file_number(PARAMETERS "flush_ms"));
	}
}

TEST(only_root_can_write_parameters)
{
	static const char *const names[] = {
		"ring_bytes", "fifo_bytes", "flush_ms", "max_rate", "max_stack", "debug",
	};
	struct stat stat_buf;
	char path[256];

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(path, sizeof(path), PARAMETERS "%s", names[i]);
		ASSERT_EQ(0, stat(path, &stat_buf));
		EXPECT_EQ(0, stat_buf.st_mode & 022);
	}
}

TEST_HARNESS_MAIN
