// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - random calls by several threads, with injected failures
 *
 * A call may return any result. But the kernel must not crash or log errors (guard.c
 * checks this), the ledgers must be exact, and no session may be left at the end.
 * The calls and the failures are in fuzz/.
 *
 * The environment variable FUZZ_SECONDS sets the duration. FUZZ_SEED and FUZZ_ROUND
 * repeat the calls of an earlier run, from round FUZZ_ROUND on, but the threads may
 * interleave differently. Each round writes its seed and number to the kernel's log,
 * because a test that hangs cannot print them.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "fuzz/calls.h"
#include "fuzz/faults.h"
#include "fuzz/ioctls.h"
#include "fuzz/user.h"
#include "harness/test.h"

#define LIMIT		7200	/* seconds; must be longer than FUZZ_SECONDS */
#define NR_THREADS	4
#define ROUND_SECONDS	3
#define FIRST_FAULTS	40	/* one of the first N possible failures is injected */
#define MSR_FAULTS	37	/* every Nth access to an MSR fails */

/* After this many calls, each ioctl must have succeeded at least once. */
#define LONG_CALLS	40000
/*
 * About one in 500 calls is a do_whole() that succeeds, but with some seeds one in 10,000. After
 * WHOLE_CALLS calls, at least one do_whole() must have succeeded.
 */
#define WHOLE_CALLS	40000

/**
 * struct fuzzer - a thread that makes random calls
 * @thread:	the thread
 * @dice:	random numbers of the thread
 * @nr_calls:	number of calls
 * @nr_good:	number of calls that succeeded
 * @nr_failed:	number of calls in which a failure was injected
 */
struct fuzzer {
	pthread_t	thread;
	struct dice	dice;
	unsigned long	nr_calls;
	unsigned long	nr_good;
	unsigned long	nr_failed;
};

static __u64 round_end;
static unsigned long nr_failed_msrs, nr_failing_rounds;

/* Return N to inject the Nth possible failure of a call. Small N are more likely. */
static unsigned int fault_roll(struct dice *dice)
{
	return 1 + dice_roll(dice, 1 + dice_roll(dice, FIRST_FAULTS));
}

static void throw_one(struct fuzzer *fuzzer, struct faults *faults, unsigned long nth)
{
	struct dice *dice = &fuzzer->dice;
	const struct call *call;
	bool fails;

	dice_begin(dice, nth);
	call = calls_roll(dice);
	fails = !calls_may_wait && dice_roll(dice, 2);
	if (fails)
		faults_begin(faults, fault_roll(dice));
	fuzzer->nr_good += !call->call(dice);
	if (fails)
		faults_end(faults);
}

/*
 * Make random calls until the round ends. In some rounds, calls may block until a
 * signal interrupts them. In the other rounds, failures are injected. No round does
 * both, because a failure in the delivery of a signal would kill the process by
 * SIGSEGV.
 */
static void *fuzz(void *arg)
{
	struct fuzzer *fuzzer = arg;
	struct faults faults;

	faults_init(&faults);
	for (unsigned long nth = 0; now_ns() < round_end; nth++) {
		throw_one(fuzzer, &faults, nth);
		fuzzer->nr_calls++;
	}
	fuzzer->nr_failed += faults.nr_failed;
	faults_free(&faults);
	return NULL;
}

static void interrupt(int signal)
{
}

/* Run all threads for one round. Signals interrupt threads that block in a call. */
static void run_round(struct fuzzer *fuzzers)
{
	round_end = now_ns() + ROUND_SECONDS * NSEC_PER_SEC;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&fuzzers[i].thread, NULL, fuzz, &fuzzers[i]);
	for (int i = 0; i < NR_THREADS;) {
		if (calls_may_wait)
			pthread_kill(fuzzers[i].thread, SIGUSR1);
		usleep(5000);
		if (now_ns() > round_end)
			i += !pthread_tryjoin_np(fuzzers[i].thread, NULL);
	}
}

/* Read to the end. Do not decode the records: their sample_type is random. */
static int read_to_end(int fd)
{
	static char buf[1 << 16];
	ssize_t len;

	do {
		len = read(fd, buf, sizeof(buf));
	} while (len > 0 || (len < 0 && errno == EAGAIN));
	return len < 0 ? -errno : 0;
}

static __u32 nr_events(int fd)
{
	struct tprof_lx_stats stats;
	__u32 nr = 0;

	while (!session_stats(fd, TPROF_LX_SUM, nr, &stats))
		nr++;
	return nr;
}

/* Stop the sessions in all slots, check their ledgers, and close them. */
static void settle(struct __test_metadata *_metadata)
{
	for (int cpu = 1; cpu < calls_nr_cpus(); cpu++)
		cpu_set_online(cpu, true);
	for (int i = 0; i < CALLS_NR_SLOTS; i++) {
		int fd = CALLS_SLOT + i;

		if (session_state(fd) < 0)
			continue;
		fcntl(fd, F_SETFL, O_NONBLOCK);
		EXPECT_EQ(0, session_stop(fd, ALL_EVENTS));
		EXPECT_EQ(0, read_to_end(fd));
		EXPECT_TRUE(ledgers_add_up(fd, nr_events(fd)));
	}
	ASSERT_EQ(0, calls_setup());
	EXPECT_TRUE(wait_until(!sessions_left(), 10000))
		TH_LOG("%d sessions and events left", sessions_left());
}

/* Log and set the seeds of a round. They do not depend on previous rounds. */
static int seed(struct fuzzer *fuzzers, unsigned long number, unsigned int round)
{
	char text[64];
	int err = 0;

	snprintf(text, sizeof(text), "<3>selftest: fuzz FUZZ_SEED=%lu FUZZ_ROUND=%u\n",
		 number, round);
	file_write("/dev/kmsg", text);
	for (int i = 0; !err && i < NR_THREADS; i++)
		err = dice_init(&fuzzers[i].dice, (number * 1000003 + round) * 31 + i);
	return err;
}

/*
 * What happens in round N depends on N % 4:
 * 0: failures are injected, also into accesses to MSRs
 * 1: calls may block, and the module may be unloaded
 * 2: failures are injected
 * 3: calls may block
 */
static void set_up_round(struct __test_metadata *_metadata, int *keeper,
			 unsigned int round)
{
	calls_may_unload = round % 4 == 1;
	if (!calls_may_unload)
		ASSERT_LE(0, *keeper = session_open(0));
	calls_may_wait = round % 2;
	nr_failing_rounds += !calls_may_wait;
	if (faults_are_possible())
		ASSERT_EQ(0, faults_of_module());
	faults_of_registers(round % 4 ? 0 : MSR_FAULTS);
}

static void end_round(struct __test_metadata *_metadata, int *keeper)
{
	long nr_failed = faults_nr_of_registers();
	int err;

	if (nr_failed > 0)
		nr_failed_msrs += nr_failed;
	faults_of_registers(0);
	close(*keeper);
	*keeper = -1;
	settle(_metadata);
	/*
	 * Reload the module: this enables all counters that the calls have disabled. Task
	 * work that has not run yet, of a deferred chain or an mmap(), still holds the
	 * module.
	 */
	ASSERT_TRUE(wait_until(!(err = modules_load_anew()), 10000))
		TH_LOG("cannot reload the module: %d", err);
}

/* Check that calls succeeded, failures were injected and the module was unloaded. */
static void judge(struct __test_metadata *_metadata, struct fuzzer *fuzzers)
{
	struct fuzzer sum = {};

	for (int i = 0; i < NR_THREADS; i++) {
		sum.nr_calls += fuzzers[i].nr_calls;
		sum.nr_good += fuzzers[i].nr_good;
		sum.nr_failed += fuzzers[i].nr_failed;
	}
	printf("# note: %lu calls, %lu succeeded, %lu with an injected failure; %lu sessions started, %lu without privileges, %lu register accesses failed, module unloaded %lu times\n",
	       sum.nr_calls, sum.nr_good, sum.nr_failed, calls_nr_whole, user_nr_started,
	       nr_failed_msrs, calls_nr_unloads);
	EXPECT_LT(0, sum.nr_good);
	if (sum.nr_calls >= WHOLE_CALLS) {
		EXPECT_LT(0, calls_nr_whole);
		EXPECT_LT(0, user_nr_started);
		if (faults_are_possible() && nr_failing_rounds)
			EXPECT_LT(0, sum.nr_failed);
	}
	if (sum.nr_calls < LONG_CALLS)
		return;
	EXPECT_EQ(NULL, ioctls_never_good())
		TH_LOG("%s never succeeded", ioctls_never_good());
	EXPECT_LT(0, calls_nr_unloads);
	if (faults_are_possible() && faults_nr_of_registers() >= 0 &&
	    environment("TPROF_LAB_CPI", 0))
		EXPECT_LT(0, nr_failed_msrs);
}

/*
 * @keeper: session that is open in rounds in which the module must not be unloaded
 */
FIXTURE(fuzz) {
	int	keeper;
};

FIXTURE_SETUP(fuzz)
{
	self->keeper = -1;
}

FIXTURE_TEARDOWN(fuzz)
{
	close(self->keeper);
}

TEST_F_TIMEOUT(fuzz, random_calls_keep_the_ledgers_exact, LIMIT)
{
	unsigned long number = environment("FUZZ_SEED", now_ns() % 1000000);
	unsigned long seconds = environment("FUZZ_SECONDS", 9);
	unsigned int round = environment("FUZZ_ROUND", 0);
	__u64 end = now_ns() + seconds * NSEC_PER_SEC;
	static struct fuzzer fuzzers[NR_THREADS];
	/* SA_RESTART is not set, so a signal ends a call that blocks. */
	const struct sigaction woken = { .sa_handler = interrupt };

	printf("# note: FUZZ_SEED=%lu\n", number);
	expect_load();
	expect_dmesg("cannot be sampled");
	expect_dmesg("tprof_lx: user ");
	sigaction(SIGUSR1, &woken, NULL);
	ASSERT_EQ(0, faults_setup());
	ASSERT_EQ(0, calls_setup());
	compat_is_possible();
	for (; now_ns() < end; round++) {
		ASSERT_EQ(0, seed(fuzzers, number, round));
		set_up_round(_metadata, &self->keeper, round);
		run_round(fuzzers);
		end_round(_metadata, &self->keeper);
	}
	judge(_metadata, fuzzers);
}

/*
 * Call N depends only on the seed and N, not on how many random numbers earlier
 * calls used.
 */
TEST(same_seed_makes_the_same_calls)
{
	static struct dice dice, again, other;
	unsigned int nr_other = 0;

	ASSERT_EQ(0, dice_init(&dice, 1));
	ASSERT_EQ(0, dice_init(&again, 1));
	ASSERT_EQ(0, dice_init(&other, 2));
	for (unsigned long nth = 0; nth < 1000; nth++) {
		const struct call *call;

		dice_begin(&dice, nth);
		dice_begin(&again, nth);
		dice_begin(&other, nth);
		call = calls_roll(&dice);
		ASSERT_EQ(call, calls_roll(&again));
		nr_other += call != calls_roll(&other);
		for (unsigned long n = nth % 7; n; n--)
			dice_roll(&dice, 6);
	}
	EXPECT_LT(100, nr_other);
}

TEST_HARNESS_MAIN
