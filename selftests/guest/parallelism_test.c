// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - samples with the number of targets that run (TPROF_LX_EVENT_PARALLELISM)
 *
 * One target takes samples of the back end "fake" on CPU 0, while the other one spins on CPU 1, or
 * does not. The spinning one has a real-time priority, so no other task interrupts it, and the
 * number in each sample is known.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/stream.h"
#include "harness/target.h"
#include "harness/test.h"

#define WEIGHED	(TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PARALLELISM)

/* Samples that each request emits. */
#define SOME	100

/**
 * struct spin - a target that spins
 * @is_on:	it spins now
 * @is_over:	it must end
 * @spent:	nanoseconds that the phases of the other target have taken
 */
struct spin {
	bool is_on;
	bool is_over;
	__u64 spent;
};

static volatile struct spin *spin;

/* Make @spin, which the targets that are started afterwards share. */
static int spin_share(void)
{
	spin = mmap(NULL, sizeof(*spin), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if ((void *)spin != MAP_FAILED)
		return 0;
	spin = NULL;
	return -errno;
}

/* Let the real-time priority of the spinning target have all of its CPU. */
static int allow_real_time(void)
{
	return file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
}

static int spin_until_over(struct target *target, __u64 cpu)
{
	const struct sched_param high = { .sched_priority = 90 }, none = {};
	int err = cpu_pin(cpu);

	(void)target;
	if (!err && sched_setscheduler(0, SCHED_FIFO, &high))
		err = -errno;
	spin->is_on = !err;
	while (!err && !spin->is_over)
		;
	spin->is_on = false;
	sched_setscheduler(0, SCHED_OTHER, &none);
	return err;
}

static int emit_some(struct target *target, __u64 count)
{
	return cpu_pin(0) ?: fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
}

/* Cause samples of the event that has the next key. */
static int emit_next(struct target *target, __u64 count)
{
	return cpu_pin(0) ?: fake_emit_from(target->key + 1, TPROF_LX_FAKE_TASK, count);
}

/*
 * The spinning target keeps workers of the kernel from its CPU. Linux 6.12 gives them a part of the
 * time all the same, but with PREEMPT_RT, timers and RCU starve, too.
 */
static bool starves_kernel(void)
{
	unsigned int major, minor;
	struct utsname kernel;

	if (uname(&kernel) || sscanf(kernel.release, "%u.%u", &major, &minor) != 2)
		return true;
	return strstr(kernel.version, "PREEMPT_RT") || major < 6 || (major == 6 && minor < 12);
}

FIXTURE(parallelism) {
	int			fd;
	__u32			key;
	struct perf_event_attr	attr;
	struct target		target;
	struct target		spinner;
	struct stream		stream;
};

FIXTURE_SETUP(parallelism)
{
	self->key = getpid();
	if (starves_kernel())
		SKIP(return, "here, a task that spins keeps the kernel from its CPU");
	if (cpus_online() < 2)
		SKIP(return, "one CPU runs one target at a time");
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, allow_real_time());
	ASSERT_EQ(0, spin_share());
	/* Open the device of the back end before the targets are forked. */
	ASSERT_EQ(-ENOENT, fake_emit_from(self->key, TPROF_LX_FAKE_TASK, 1));
	ASSERT_EQ(0, target_start(&self->target, self->key, 0));
	ASSERT_EQ(0, target_start(&self->spinner, self->key, 0));
	attr_fake(&self->attr, self->key);
	self->attr.sample_type |= PERF_SAMPLE_WEIGHT;
}

FIXTURE_TEARDOWN(parallelism)
{
	spin->is_over = true;
	target_end(&self->target);
	target_end(&self->spinner);
	cpu_set_online(1, true);
	stream_free(&self->stream);
	close(self->fd);
}

static int add_weighed(FIXTURE_DATA(parallelism) *self, int fd)
{
	struct tprof_lx_event event;

	return event_add_with(fd, TPROF_LX_FAKE_BACKEND, &self->attr, WEIGHED, &event);
}

/* Start a session with one target or both. */
static int begin(FIXTURE_DATA(parallelism) *self, int nr_targets)
{
	int err = session_target(self->fd, self->target.pid);

	if (!err && nr_targets == 2)
		err = session_attach(self->fd, self->spinner.pid, 0);
	return err ?: add_weighed(self, self->fd) ?: session_start(self->fd, 1);
}

static int spin_begin(FIXTURE_DATA(parallelism) *self)
{
	int err;

	spin->is_over = false;
	err = target_ask(&self->spinner, spin_until_over, 1);
	return err ?: wait_until(spin->is_on, 10000) ? 0 : -ETIMEDOUT;
}

static int spin_end(FIXTURE_DATA(parallelism) *self)
{
	int err;

	spin->is_over = true;
	err = target_wait(&self->spinner);
	/* The target reports its end before it sleeps. */
	if (!wait_until(process_is(self->spinner.pid, 'S'), 10000))
		return -ETIMEDOUT;
	nap();
	return err;
}

static int emit(FIXTURE_DATA(parallelism) *self)
{
	return target_do(&self->target, emit_some, SOME);
}

/* Emit while the other target waits, spins, and waits again. */
static int emit_in_three_phases(FIXTURE_DATA(parallelism) *self)
{
	int err = emit(self) ?: spin_begin(self) ?: emit(self);

	return err ?: spin_end(self) ?: emit(self);
}

/* PERF_SAMPLE_WEIGHT is the last field of a sample. */
static __u64 weight_of(const struct record *record)
{
	const char *end = (const char *)record->body + record->body_bytes;

	return *(const __u64 *)(end - sizeof(__u64));
}

/*
 * Return true if the samples, in the order of their times, have the parallelism of @digits: SOME
 * samples for each.
 */
static bool has_weights(struct stream *stream, const char *digits)
{
	const struct record *record;
	size_t nr = 0, wanted = strlen(digits) * SOME;
	__u64 weight;

	stream_sort(stream);
	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		weight = weight_of(record);
		if (nr < wanted && weight != (__u64)digits[nr / SOME] - '0') {
			printf("# sample %zu has %llu, not %c\n", nr, weight, digits[nr / SOME]);
			return false;
		}
		nr++;
	}
	if (nr != wanted)
		printf("# %zu samples, not %zu\n", nr, wanted);
	return nr == wanted;
}

static int end(FIXTURE_DATA(parallelism) *self)
{
	return session_stop(self->fd, ALL_EVENTS) ?: stream_read_all(&self->stream, self->fd);
}

TEST_F(parallelism, targets_that_run_are_counted)
{
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, emit_in_three_phases(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "121"));
}

TEST_F(parallelism, other_tasks_are_not_counted)
{
	ASSERT_EQ(0, begin(self, 1));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "1"));
}

/* The spinning target does not pass a task switch when the session starts and stops. */
TEST_F(parallelism, a_target_that_runs_at_start_is_counted)
{
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "221"));
}

TEST_F(parallelism, attach_and_detach_reach_a_target_that_runs)
{
	ASSERT_EQ(0, begin(self, 1));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, session_attach(self->fd, self->spinner.pid, 0));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, session_detach(self->fd, self->spinner.pid, 0));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "121"));
}

TEST_F(parallelism, a_target_that_exits_is_not_counted)
{
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	/* The pipe to the target breaks. */
	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, kill(self->spinner.pid, SIGKILL));
	ASSERT_EQ(self->spinner.pid, waitpid(self->spinner.pid, NULL, 0));
	/* It leaves its CPU shortly after its end is known. */
	nap();
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "21"));
}

/* Let a child spin, and end when this process has emitted. */
static int fork_and_emit(struct target *target, __u64 count)
{
	int err = 0;
	pid_t pid;

	spin->is_over = false;
	pid = fork();
	if (!pid)
		_exit(spin_until_over(target, 1) ? 1 : 0);
	/* With a parent that does not sleep, the samples come in one order only. */
	while (!spin->is_on)
		;
	err = emit_some(target, count);
	spin->is_over = true;
	if (waitpid(pid, NULL, 0) != pid)
		return -ECHILD;
	nap();
	return err ?: emit_some(target, count);
}

TEST_F(parallelism, children_are_counted)
{
	ASSERT_EQ(0, begin(self, 1));
	ASSERT_EQ(0, target_do(&self->target, fork_and_emit, SOME));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "21"));
}

/* The other target has called no execve(2), so its samples would not be taken either. */
static int exec_and_emit(struct target *target, __u64 count)
{
	char key[16];
	int status;
	pid_t pid;

	snprintf(key, sizeof(key), "%u", target->key);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "emit_after_exec", key, NULL);
		_exit(127);
	}
	(void)count;
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -ECHILD;
}

static void __attribute__((constructor)) run_as_other_program(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], "emit_after_exec"))
		_exit(cpu_pin(0) || fake_emit_from(strtoul(argv[1], NULL, 0), TPROF_LX_FAKE_TASK,
						   SOME) ? 1 : 0);
}

TEST_F(parallelism, enable_on_exec_counts_from_the_exec)
{
	self->attr.enable_on_exec = 1;
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, target_do(&self->target, exec_and_emit, 0));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "1"));
}

TEST_F(parallelism, an_offline_cpu_runs_no_target)
{
	if (access("/sys/devices/system/cpu/cpu1/online", W_OK) || cpus_online() != 2)
		SKIP(return, "CPU 1 cannot be the only other one, and taken offline");
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "12"));
}

/* Another session counts both targets, with an event of its own behind gates of its own. */
TEST_F(parallelism, sessions_count_their_own_targets)
{
	struct stream stream = {};
	int other = session_open(0);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, begin(self, 1));
	ASSERT_EQ(0, session_target(other, self->target.pid));
	ASSERT_EQ(0, session_attach(other, self->spinner.pid, 0));
	self->attr.config = self->key + 1;
	ASSERT_EQ(0, add_weighed(self, other));
	ASSERT_EQ(0, session_start(other, 1));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, target_do(&self->target, emit_next, SOME));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, session_stop(other, 1));
	ASSERT_EQ(0, stream_read_all(&stream, other));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "1"));
	EXPECT_TRUE(has_weights(&stream, "2"));
	stream_free(&stream);
	close(other);
}

/*
 * A further event comes behind gates that are open. If it has no such flag, the samples of the
 * first event must not miss the target meanwhile; if it has, it must count targets that run.
 */
TEST_F(parallelism, events_come_and_go_behind_open_gates)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_fake(&attr, self->key + 1);
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, session_attach(self->fd, self->spinner.pid, 0));
	ASSERT_EQ(0, event_add_with(self->fd, TPROF_LX_FAKE_BACKEND, &attr, TPROF_LX_EVENT_PROCESS,
				    &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, add_weighed(self, self->fd));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, 2));
	ASSERT_EQ(0, spin_end(self));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, session_start(self->fd, 2));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "222"));
}

/* The number is the last field, after a call chain, the registers and the stack. */
TEST_F(parallelism, number_follows_all_other_fields)
{
	self->attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				  PERF_SAMPLE_STACK_USER;
	self->attr.sample_regs_user = 1;
	self->attr.sample_stack_user = 64;
	ASSERT_EQ(0, begin(self, 2));
	ASSERT_EQ(0, spin_begin(self));
	ASSERT_EQ(0, emit(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "2"));
}

TEST_F(parallelism, counts_by_thread_do_not_change_it)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key + 1);
	ASSERT_EQ(0, event_add_with(self->fd, TPROF_LX_FAKE_COUNTER, &attr,
				    TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS, &event));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, session_attach(self->fd, self->spinner.pid, 0));
	ASSERT_EQ(0, add_weighed(self, self->fd));
	ASSERT_EQ(0, session_start(self->fd, 3));
	ASSERT_EQ(0, emit_in_three_phases(self));
	ASSERT_EQ(0, end(self));
	EXPECT_TRUE(has_weights(&self->stream, "121"));
}

TEST_F(parallelism, flag_and_field_need_each_other)
{
	struct perf_event_attr attr = self->attr;

	EXPECT_EQ(0, event_try_with(TPROF_LX_FAKE_BACKEND, &attr, WEIGHED));
	EXPECT_EQ(-EOPNOTSUPP, event_try_with(TPROF_LX_FAKE_BACKEND, &attr, 0));
	EXPECT_EQ(-EOPNOTSUPP, event_try_with(TPROF_LX_FAKE_BACKEND, &attr,
					      TPROF_LX_EVENT_PROCESS));
	EXPECT_EQ(-EINVAL, event_try_with(TPROF_LX_FAKE_BACKEND, &attr,
					  TPROF_LX_EVENT_PARALLELISM));
	attr.sample_type &= ~PERF_SAMPLE_WEIGHT;
	EXPECT_EQ(-EINVAL, event_try_with(TPROF_LX_FAKE_BACKEND, &attr, WEIGHED));
	attr_count(&attr, PERF_TYPE_SOFTWARE, self->key);
	attr.sample_type = PERF_SAMPLE_WEIGHT;
	EXPECT_EQ(-EINVAL, event_try_with(TPROF_LX_FAKE_COUNTER, &attr, WEIGHED));
}

/* The counters: an NMI finds the number, with a call chain and without. */
FIXTURE(counted) {
	struct counters	counters;
	int		fd;
	struct target	target;
	struct target	spinner;
	struct stream	stream;
};

FIXTURE_VARIANT(counted) {
	bool has_chains;
};

#define COUNTED(name, chains)						\
	FIXTURE_VARIANT_ADD(counted, name) {				\
		.has_chains	= chains,				\
	}

COUNTED(plain, false);
COUNTED(chains, true);

#define INSNS_PERIOD	20011ULL
#define LOOPS		1000000ULL

FIXTURE_SETUP(counted)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	if (starves_kernel())
		SKIP(return, "here, a task that spins keeps the kernel from its CPU");
	if (cpus_online() < 2)
		SKIP(return, "one CPU runs one target at a time");
	self->fd = self->counters.fd;
	ASSERT_EQ(0, allow_real_time());
	ASSERT_EQ(0, spin_share());
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, target_start(&self->spinner, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, session_attach(self->fd, self->spinner.pid, 0));
	attr_user(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	attr_sample(&attr, INSNS_PERIOD);
	attr_omit_cpu(&attr);
	self->stream.omits_cpu = true;
	attr.sample_type |= PERF_SAMPLE_WEIGHT;
	attr.sample_type |= variant->has_chains ? PERF_SAMPLE_CALLCHAIN : 0;
	ASSERT_EQ(0, event_add_with(self->fd, self->counters.backend.name, &attr, WEIGHED,
				    &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
}

FIXTURE_TEARDOWN(counted)
{
	if (spin) {
		spin->is_over = true;
		target_end(&self->target);
		target_end(&self->spinner);
	}
	stream_free(&self->stream);
	close(self->counters.fd);
}

static int work_some(struct target *target, __u64 loops)
{
	int err = cpu_pin(0);

	(void)target;
	if (!err)
		work(loops);
	return err;
}

TEST_F(counted, samples_of_counters_have_it)
{
	__u64 nr[3] = {}, least = LOOPS * INSNS_PER_LOOP / INSNS_PERIOD, weight, before = 1;
	const struct record *record;

	ASSERT_EQ(0, target_do(&self->target, work_some, LOOPS));
	spin->is_over = false;
	ASSERT_EQ(0, target_ask(&self->spinner, spin_until_over, 1));
	ASSERT_TRUE(wait_until(spin->is_on, 10000));
	ASSERT_EQ(0, target_do(&self->target, work_some, LOOPS));
	spin->is_over = true;
	ASSERT_EQ(0, target_wait(&self->spinner));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		if (record->pid != (__u32)self->target.pid)
			continue;
		weight = weight_of(record);
		ASSERT_TRUE(weight == before || weight == before + 1);
		ASSERT_GE(2, weight);
		before = weight;
		nr[weight]++;
	}
	printf("# %llu samples of one target, %llu of two\n", nr[1], nr[2]);
	EXPECT_LE(least, nr[1]);
	EXPECT_LE(least, nr[2]);
}

/* The clocks: periods divided by the parallelism add up to the time that has passed. */
FIXTURE(latency) {
	int		fd;
	struct target	target;
	struct target	spinner;
	struct stream	stream;
};

FIXTURE_VARIANT(latency) {
	const char *backend;
	bool has_chains;
};

#define LATENCY(name, clock, chains)					\
	FIXTURE_VARIANT_ADD(latency, name) {				\
		.backend	= #clock,				\
		.has_chains	= chains,				\
	}

LATENCY(timer, timer, false);
LATENCY(timer_chains, timer, true);
LATENCY(nmi, nmi, false);
LATENCY(nmi_chains, nmi, true);

#define PERIOD		(4 * NSEC_PER_MSEC)
#define PHASE_MS	1000

FIXTURE_SETUP(latency)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;

	if (starves_kernel())
		SKIP(return, "here, a task that spins keeps the kernel from its CPU");
	if (cpus_online() < 2)
		SKIP(return, "one CPU runs one target at a time");
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, allow_real_time());
	ASSERT_EQ(0, spin_share());
	ASSERT_EQ(0, target_start(&self->target, 0, 0));
	ASSERT_EQ(0, target_start(&self->spinner, 0, 0));
	ASSERT_EQ(0, session_target(self->fd, self->target.pid));
	ASSERT_EQ(0, session_attach(self->fd, self->spinner.pid, 0));
	attr_init(&attr, 0);
	attr_omit_cpu(&attr);
	self->stream.omits_cpu = true;
	attr.freq = 0;
	attr.sample_period = PERIOD;
	attr.sample_type |= PERF_SAMPLE_WEIGHT;
	attr.sample_type |= variant->has_chains ? PERF_SAMPLE_CALLCHAIN : 0;
	ASSERT_EQ(0, event_add_with(self->fd, variant->backend, &attr, WEIGHED, &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
}

FIXTURE_TEARDOWN(latency)
{
	spin->is_over = true;
	target_end(&self->target);
	target_end(&self->spinner);
	stream_free(&self->stream);
	close(self->fd);
}

/* Spin alone, together with the other target, and alone. */
static int spin_phases(struct target *target, __u64 cpu)
{
	const struct sched_param high = { .sched_priority = 90 }, none = {};
	__u64 since = now_ns();
	int err = cpu_pin(cpu);

	(void)target;
	if (!err && sched_setscheduler(0, SCHED_FIFO, &high))
		return -errno;
	spin_ms(PHASE_MS);
	spin->is_over = false;
	spin_ms(PHASE_MS);
	spin->is_over = true;
	spin_ms(PHASE_MS);
	spin->spent = now_ns() - since;
	sched_setscheduler(0, SCHED_OTHER, &none);
	return err;
}

/* Spin while the other target wants it. */
static int spin_second_phase(struct target *target, __u64 cpu)
{
	int err = cpu_pin(cpu);

	while (!err && spin->is_over)
		usleep(1000);
	return err ?: spin_until_over(target, cpu);
}

TEST_F(latency, periods_by_parallelism_add_up_to_the_time)
{
	__u64 sum = 0, cpu_time = 0, nr = 0, shared = 0, longest = 0, slack, weight;
	const struct record *record;
	struct tprof_lx_stats stats;

	spin->is_over = true;
	ASSERT_EQ(0, target_ask(&self->spinner, spin_second_phase, 1));
	ASSERT_EQ(0, target_do(&self->target, spin_phases, 0));
	ASSERT_EQ(0, target_wait(&self->spinner));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	for_each_record_type(record, &self->stream, PERF_RECORD_SAMPLE) {
		weight = weight_of(record);
		ASSERT_TRUE(weight == 1 || weight == 2);
		sum += record->period / weight;
		cpu_time += record->period;
		longest = record->period > longest ? record->period : longest;
		shared += weight == 2;
		nr++;
	}
	printf("# %llu us passed, latency %llu us, CPU time %llu us, %llu samples, %llu of two, longest %llu us, %llu filtered\n",
	       spin->spent / 1000, sum / 1000, cpu_time / 1000, nr, shared, longest / 1000,
	       stats.ledger.filtered);
	EXPECT_EQ(0, stats.ledger.lost_ring);
	/*
	 * The number is that of the end of a period. On both CPUs, two periods have parts of two
	 * phases, and one does not end.
	 */
	slack = spin->spent / 100 + 6 * longest;
	EXPECT_LE(spin->spent, sum + slack);
	EXPECT_GE(spin->spent + slack, sum);
	EXPECT_LT(0, shared);
	EXPECT_LT(sum + PHASE_MS * NSEC_PER_MSEC / 2, cpu_time);
}

TEST_HARNESS_MAIN
