// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - clocks of processes that sleep cost others nothing, and those of
 * processes that run a part of their time
 *
 * The clocks belong to a user without privileges, and so to processes, in user mode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/test.h"
#include "harness/unprivileged.h"

#define RATE		"/sys/module/tprof_lx/parameters/unprivileged_rate"
#define HZ_EACH		100000

FIXTURE(clock_idle) {
	struct unprivileged	user;
	long			rate;
};

FIXTURE_VARIANT(clock_idle) {
	const char	*backend;
	bool		has_kernel;
};

#define CLOCK(name, _backend, _has_kernel)				\
	FIXTURE_VARIANT_ADD(clock_idle, name) {				\
		.backend	= _backend,				\
		.has_kernel	= _has_kernel,				\
	}

CLOCK(timer, "timer", false);
CLOCK(nmi, "nmi", false);
CLOCK(timer_of_kernel, "timer", true);
CLOCK(nmi_of_kernel, "nmi", true);

FIXTURE_SETUP(clock_idle)
{
	self->rate = file_number(RATE);
	ASSERT_EQ(0, file_write(RATE, "64000000"));
	ASSERT_EQ(0, unprivileged_setup(&self->user));
	ASSERT_EQ(0, unprivileged_begin(&self->user, -1));
	if (variant->has_kernel)
		ASSERT_EQ(0, unprivileged_allow(&self->user, TPROF_LX_ACCESS_KERNEL));
}

static int restore_rate(struct target *target, __u64 rate)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", rate);
	return file_write(RATE, text);
}

FIXTURE_TEARDOWN(clock_idle)
{
	EXPECT_EQ(0, target_do(&self->user.root, restore_rate, self->rate));
	EXPECT_EQ(0, unprivileged_teardown(&self->user));
}

/* Open a session with @nr clocks of the process @user->own, which sleeps, and start them. */
static int start_clocks(struct unprivileged *user, const FIXTURE_VARIANT(clock_idle) *clock,
			int nr)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int fd = session_open(0), err;

	if (fd < 0)
		return fd;
	err = session_target(fd, user->own.pid);
	attr_init(&attr, HZ_EACH);
	attr.exclude_kernel = !clock->has_kernel;
	for (int i = 0; i < nr && !err; i++)
		err = event_add_with(fd, clock->backend, &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: session_start(fd, ALL_EVENTS >> (32 - nr));
	if (err)
		close(fd);
	return err ?: fd;
}

/* Return how many interrupts of the local timers all CPUs have had, or -1. */
static long timer_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "re");
	char line[4096], *at, *end;
	long sum = -1;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, "LOC:");
		if (!at)
			continue;
		sum = 0;
		for (at += strlen("LOC:");; at = end) {
			sum += strtol(at, &end, 10);
			if (end == at)
				break;
		}
	}
	fclose(file);
	return sum;
}

#define BUSY_MS	300

TEST_F(clock_idle, sleeping_targets_have_no_ticks)
{
	/* Ticks of the scheduler, at no more than 1000 Hz, and timers of the kernel. */
	long most = 2 * cpus_online() * BUSY_MS, ticks;
	int fd;

	fd = start_clocks(&self->user, variant, 8);
	ASSERT_LE(0, fd);
	ticks = -timer_interrupts();
	ASSERT_GE(0, ticks);
	spin_ms(BUSY_MS);
	ticks += timer_interrupts();
	TH_LOG("%ld interrupts in %d ms", ticks, BUSY_MS);
	EXPECT_GE(most, ticks);
	close(fd);
}

#define TRIES	5

/*
 * Return how long a loop of 10 million instructions takes, in microseconds. Another task may run
 * meanwhile, so take the least of some times.
 */
static int time_loop(struct target *target, __u64 unused)
{
	__u64 least = ~0ULL, begin, took;

	for (int i = 0; i < TRIES; i++) {
		begin = now_ns();
		work(5000000);
		took = now_ns() - begin;
		least = took < least ? took : least;
	}
	return least / 1000;
}

/* In the lab, time is counted in instructions, so only what the loop loses can differ. */
TEST_F(clock_idle, loop_of_another_user_loses_nothing)
{
	static const int numbers[] = { 1, 8, 64 };
	int alone, beside, fds[2], nr;

	if (!lab_is_deterministic())
		SKIP(return, "time is not counted in instructions here");
	alone = target_do(&self->user.root, time_loop, 0);
	ASSERT_LT(0, alone);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		nr = numbers[i] > 32 ? numbers[i] / 2 : numbers[i];
		fds[0] = start_clocks(&self->user, variant, nr);
		ASSERT_LE(0, fds[0]);
		fds[1] = numbers[i] > nr ? start_clocks(&self->user, variant, nr) : -1;
		ASSERT_LE(numbers[i] > nr ? 0 : -1, fds[1]);
		beside = target_do(&self->user.root, time_loop, 0);
		TH_LOG("%d us alone, %d us beside %d events", alone, beside, numbers[i]);
		EXPECT_GE(alone + alone / 500, beside);
		close(fds[0]);
		close(fds[1]);
	}
}

/*
 * All clocks of a CPU take at most 2/8 of its time, entry and exit of their interrupts included.
 * The rest of the loop's time is that of the scheduler.
 */
TEST_F(clock_idle, loop_of_the_target_keeps_most_of_its_time)
{
	static const int numbers[] = { 1, 8, 32 };
	int alone, beside, fd;

	if (!lab_is_deterministic())
		SKIP(return, "time is not counted in instructions here");
	alone = target_do(&self->user.own, time_loop, 0);
	ASSERT_LT(0, alone);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		fd = start_clocks(&self->user, variant, numbers[i]);
		ASSERT_LE(0, fd);
		beside = target_do(&self->user.own, time_loop, 0);
		TH_LOG("%d us alone, %d us beside %d events", alone, beside, numbers[i]);
		EXPECT_GE(alone * 4 / 3 + alone / 50, beside);
		close(fd);
	}
}

TEST_HARNESS_MAIN
