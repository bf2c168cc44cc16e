// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sessions that are limited to CPUs and processes
 *
 * A sample of the back end "fake" belongs to the task that requests it, so the test
 * knows exactly which samples must be filtered.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"
#include "harness/target.h"

FIXTURE(filter) {
	int		fd;
	__u32		key;
	struct stream	stream;
};

FIXTURE_SETUP(filter)
{
	self->key = getpid();
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cpu_pin(0));
}

FIXTURE_TEARDOWN(filter)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int emit_some(struct target *target, __u64 count)
{
	return fake_emit_from(target->key, TPROF_LX_FAKE_TASK, count);
}

static int helper_emit(struct target *helper, __u64 count)
{
	return target_do(helper, emit_some, count);
}

static int begin(FIXTURE_DATA(filter) *self)
{
	int err = event_fake(self->fd, self->key);

	return err < 0 ? err : session_start(self->fd, 1);
}

static int end(FIXTURE_DATA(filter) *self, struct tprof_lx_ledger *ledger)
{
	struct tprof_lx_stats stats;
	int err;

	err = session_stop(self->fd, ALL_EVENTS);
	err = err ?: stream_read_all(&self->stream, self->fd);
	err = err ?: session_stats(self->fd, TPROF_LX_SUM, 0, &stats);
	*ledger = stats.ledger;
	return err;
}

TEST_F(filter, default_is_all_processes)
{
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, target_start(&helper, self->key, 0));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, helper_emit(&helper, 100));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 100));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(200, ledger.delivered);
	EXPECT_EQ(0, ledger.filtered);
}

TEST_F(filter, process_that_is_no_target_is_filtered)
{
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, target_start(&helper, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, helper.pid));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, helper_emit(&helper, 100));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 77));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(177, ledger.taken);
	EXPECT_EQ(100, ledger.delivered);
	EXPECT_EQ(77, ledger.filtered);
	EXPECT_EQ(100, stream_count(&self->stream, PERF_RECORD_SAMPLE));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
}

TEST_F(filter, present_descendants_are_targets)
{
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, target_start(&helper, self->key, 3));
	/* The helper answers only after all generations have been forked. */
	ASSERT_EQ(-ENOENT, helper_emit(&helper, 1));
	ASSERT_EQ(0, session_target(self->fd, helper.pid));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, helper_emit(&helper, 100));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 50));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(100, ledger.delivered);
	EXPECT_EQ(50, ledger.filtered);
}

TEST_F(filter, future_descendants_are_targets)
{
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, target_start(&helper, self->key, 2));
	ASSERT_EQ(0, helper_emit(&helper, 100));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(100, ledger.delivered);
	EXPECT_EQ(0, ledger.filtered);
}

/* The helper is forked after CONFIG and before START. */
TEST_F(filter, descendants_between_config_and_start_are_targets)
{
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, target_start(&helper, self->key, 1));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, helper_emit(&helper, 100));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(100, ledger.delivered);
}

static void *emit_from_thread(void *arg)
{
	FIXTURE_DATA(filter) *self = arg;

	return (void *)(long)fake_emit_from(self->key, 0, 100);
}

TEST_F(filter, threads_of_a_target_are_sampled)
{
	struct tprof_lx_ledger ledger;
	pthread_t thread;
	void *err;

	ASSERT_EQ(0, session_target(self->fd, getpid()));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, pthread_create(&thread, NULL, emit_from_thread, self));
	ASSERT_EQ(0, pthread_join(thread, &err));
	ASSERT_EQ(0, (long)err);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(100, ledger.delivered);
	EXPECT_EQ(0, ledger.filtered);
}

TEST_F(filter, many_targets)
{
	struct target helpers[4];
	__s32 targets[3];
	struct tprof_lx_config config = {
		.targets	= (unsigned long)targets,
		.nr_targets	= 3,
	};
	struct tprof_lx_ledger ledger;

	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, target_start(&helpers[i], self->key, 0));
		targets[i % 3] = helpers[i].pid;
	}
	/* helpers[3] has replaced helpers[0] in targets[0]. */
	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, begin(self));
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, helper_emit(&helpers[i], 10 + i));
	}
	for (int i = 0; i < 4; i++)
		target_end(&helpers[i]);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(10, ledger.filtered);
	EXPECT_EQ(11 + 12 + 13, ledger.delivered);
}

/* After a second CONFIG, without targets, all processes are sampled again. */
TEST_F(filter, config_replaces_targets)
{
	struct tprof_lx_config config = {};
	struct tprof_lx_ledger ledger;
	struct target helper;

	ASSERT_EQ(0, target_start(&helper, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, helper.pid));
	ASSERT_EQ(0, session_config(self->fd, &config));
	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, fake_emit_from(self->key, 0, 50));
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_EQ(50, ledger.delivered);
	EXPECT_EQ(0, ledger.filtered);
}

TEST_F(filter, side_band_covers_only_targets)
{
	struct perf_event_attr attr;
	struct tprof_lx_ledger ledger;
	const struct record *record;
	struct target helper, other;

	attr_init(&attr, 10);
	attr_track(&attr);
	ASSERT_EQ(0, target_start(&helper, self->key, 0));
	ASSERT_EQ(0, session_target(self->fd, helper.pid));
	ASSERT_EQ(0, event_add(self->fd, "timer", &attr));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, target_start(&other, self->key, 0));
	ASSERT_EQ(0, prctl(PR_SET_NAME, "not recorded"));
	target_end(&other);
	target_end(&helper);
	ASSERT_EQ(0, end(self, &ledger));
	EXPECT_NE(NULL, stream_find(&self->stream, PERF_RECORD_EXIT,
				    helper.pid));
	for_each_record(record, &self->stream) {
		EXPECT_NE(getpid(), record->pid);
		EXPECT_NE(other.pid, record->pid);
	}
}

TEST_F(filter, only_listed_cpus_are_sampled)
{
	struct tprof_lx_stats stats;
	const struct record *record;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	for (int cpu = 0; cpu < 2; cpu++) {
		close(self->fd);
		self->fd = session_open(0);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, session_cpus(self->fd, cpu));
		ASSERT_EQ(0, event_clock(self->fd, "nmi", 1000));
		ASSERT_EQ(1, event_clock(self->fd, "timer", 1000));
		ASSERT_EQ(0, session_start(self->fd, 3));
		spin_ms(200);
		EXPECT_TRUE(wait_until(session_taken(self->fd, cpu, TPROF_LX_SUM) > 50,
				       10000));
		ASSERT_EQ(0, session_stop(self->fd, 3));
		ASSERT_EQ(0, stream_read_all(&self->stream, self->fd));
		for_each_record_type(record, &self->stream,
				     PERF_RECORD_SAMPLE) {
			EXPECT_EQ(cpu, record->cpu);
		}
		ASSERT_EQ(0, session_stats(self->fd, cpu, TPROF_LX_SUM,
					   &stats));
		EXPECT_LT(50, stats.ledger.delivered);
		ASSERT_EQ(0, session_stats(self->fd, !cpu, TPROF_LX_SUM,
					   &stats));
		EXPECT_EQ(0, stats.ledger.taken);
		stream_free(&self->stream);
	}
}

TEST_F(filter, fake_runs_only_on_listed_cpus)
{
	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, session_cpus(self->fd, 1));
	ASSERT_EQ(0, begin(self));
	EXPECT_EQ(-ECANCELED, fake_emit_from(self->key, 0, 10));
	ASSERT_EQ(0, cpu_pin(1));
	EXPECT_EQ(0, fake_emit_from(self->key, 0, 10));
}

TEST_HARNESS_MAIN
