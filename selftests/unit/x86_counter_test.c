// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - counter arithmetic around an overflow
 *
 * The hardware counter is the variable @hardware: the test loads it, adds events to it
 * and reads it.
 */
#include <string.h>

#include "unit.h"
#include "x86/x86_counter.h"

void (*tprof_test_interrupt)(void);

static struct tprof_x86_counter counter;
static u64 hardware;

static u64 grain;

static void setup(u32 bits, bool is_full_width, u64 period, bool is_random)
{
	memset(&counter, 0, sizeof(counter));
	tprof_x86_counter_set_width(&counter, bits, is_full_width, grain);
	tprof_x86_counter_set_period(&counter, period, is_random, 4711);
	hardware = tprof_x86_counter_resume(&counter);
}

static void events(u64 nr)
{
	hardware = (hardware + nr) & counter.mask;
}

/* Return the number of events until the counter overflows. */
static u64 distance(void)
{
	return -hardware & counter.mask;
}

/* What the last sample stands for: events, and further samples that were due. */
struct sample {
	u64 period;
	u64 merged;
};

static bool overflow(u64 tsc, struct sample *sample)
{
	u64 due = tprof_x86_counter_advance(&counter, hardware, tsc);

	hardware = tprof_x86_counter_load(&counter);
	if (due)
		*sample = (struct sample){ counter.last, due - 1 };
	return due;
}

static u64 total(void)
{
	return tprof_x86_counter_total(&counter, hardware);
}

static void test_skid(void)
{
	struct sample sample;
	u64 nr = 0, sum = 0, counted = 0;
	bool is_late = false;

	setup(48, true, 1000, false);
	unit_ok(distance() == 1000 &&
		!tprof_x86_counter_is_over(&counter, hardware),
		"the first overflow is one period away");
	for (u64 skid = 0; skid < 900; skid++) {
		u64 step = distance() + skid;

		counted += step;
		events(step);
		is_late |= !tprof_x86_counter_is_over(&counter, hardware);
		nr += overflow(0, &sample);
		sum += sample.period;
		is_late |= sample.merged;
	}
	unit_ok(!is_late && nr == 900 && sum == 900 * 1000,
		"each overflow is a sample of one period");
	unit_ok(nr == counted / 1000,
		"there are as many samples as periods, whatever the skid");
	unit_ok(total() == counted,
		"all events are counted, whatever the skid");
}

/* After any skid, the bits of @grain are clear in the value loaded into the counter. */
static void test_grain(void)
{
	struct sample sample;
	u64 counted = 0, sum = 0;
	bool is_right = true;

	grain = 127;
	setup(48, true, 100003, false);
	for (u64 skid = 0; skid < 2000; skid++) {
		u64 step = distance() + skid;

		is_right &= distance() && !(distance() & grain);
		events(step);
		counted += step;
		if (overflow(0, &sample))
			sum += sample.period;
	}
	unit_ok(is_right,
		"a counter with a grain is loaded with the grain's bits clear");
	unit_ok(counted / 100003 == sum / 100003 && total() == counted,
		"with a grain there are as many samples as periods");

	setup(48, true, 1000, false);
	counter.left = 1;
	hardware = tprof_x86_counter_resume(&counter);
	unit_ok(distance() == 128,
		"a counter that stopped with a sample due keeps the grain");
	setup(48, true, 0, false);
	unit_ok(!(distance() & grain),
		"a counter without a period keeps the grain");
	grain = 0;
}

static void test_merge(void)
{
	struct sample sample;
	bool is_right = true;

	for (u64 over = 0; over < 1000; over++) {
		setup(48, true, 128, false);
		events(128 + over);
		is_right &= overflow(0, &sample);
		is_right &= sample.period == 128 * (1 + sample.merged);
		/*
		 * The next overflow must be at a multiple of the period, at least
		 * TPROF_X86_MIN_LEFT events away.
		 */
		is_right &= (over + distance()) % 128 == 0 &&
			    distance() >= TPROF_X86_MIN_LEFT &&
			    distance() < 128 + TPROF_X86_MIN_LEFT;
		is_right &= total() == 128 + over;
	}
	unit_ok(is_right,
		"samples that are due at once are one sample with all periods");
}

static void test_width(void)
{
	static const u8 widths[] = { 32, 40, 48, 62 };
	struct sample sample;
	bool is_right = true;

	for (int i = 0; i < ARRAY_SIZE(widths); i++) {
		u64 longest = BIT_ULL(widths[i] - 1);

		setup(widths[i], true, longest, false);
		is_right &= distance() == longest;
		is_right &= !tprof_x86_counter_is_over(&counter, hardware);
		events(longest - 1);
		is_right &= !tprof_x86_counter_is_over(&counter, hardware);
		events(1);
		is_right &= tprof_x86_counter_is_over(&counter, hardware);
		is_right &= overflow(0, &sample) && total() == longest;
	}
	unit_ok(is_right,
		"the longest load of each width overflows at its end");

	setup(48, false, BIT_ULL(31), false);
	unit_ok(hardware == 0xffff80000000,
		"a narrow write is sign-extended");
}

static void test_laps(void)
{
	struct sample sample;
	u64 period = 5 * BIT_ULL(31) + 77;
	u64 counted = 0;
	bool is_right = true;
	int laps;

	setup(40, false, period, false);
	for (int nr = 1; nr < 4; nr++) {
		laps = 0;
		do {
			u64 step = distance() + 10;

			is_right &= step <= BIT_ULL(31) + 10;
			counted += step;
			events(step);
			laps++;
		} while (!overflow(0, &sample));
		is_right &= laps == 6 && sample.period == period &&
			    counted / period == nr;
	}
	unit_ok(is_right && total() == counted,
		"a period that is longer than the counter takes several loads");
}

static void test_counting(void)
{
	struct sample sample;
	bool is_due = false;
	u64 counted = 0;

	setup(48, true, 0, false);
	for (int i = 0; i < 1000; i++) {
		u64 step = distance() + i;

		counted += step;
		events(step);
		is_due |= overflow(0, &sample);
	}
	unit_ok(!is_due && total() == counted,
		"without a period no sample is due");

	tprof_x86_counter_set_count(&counter, BIT_ULL(48) - 100);
	hardware = tprof_x86_counter_load(&counter);
	unit_ok(distance() == 100,
		"a counter that starts at a count overflows with its low bits");
	events(101);
	unit_ok(!overflow(0, &sample) && total() == BIT_ULL(48) + 1,
		"a count goes on across the counter's overflow");
	tprof_x86_counter_set_count(&counter, -1ULL);
	hardware = tprof_x86_counter_load(&counter);
	events(3);
	overflow(0, &sample);
	unit_ok(total() == 2, "a count wraps at 2^64");
}

static void test_settle(void)
{
	struct sample sample;

	setup(48, true, 1000, false);
	events(400);
	tprof_x86_counter_settle(&counter, hardware);
	hardware = tprof_x86_counter_resume(&counter);
	unit_ok(distance() == 600 && total() == 400,
		"the rest of a period is kept over a stop");
	events(700);
	tprof_x86_counter_settle(&counter, hardware);
	hardware = tprof_x86_counter_resume(&counter);
	unit_ok(distance() == TPROF_X86_MIN_LEFT && total() == 1100,
		"an overflow missed at a stop comes soon after the start");
	events(distance());
	unit_ok(overflow(0, &sample) && sample.period == 1000 &&
		distance() == 1000 - 102,
		"a missed overflow is a sample of its period, the next is on time");
	setup(48, true, 0, false);
	events(distance() + 5);
	tprof_x86_counter_settle(&counter, hardware);
	hardware = tprof_x86_counter_resume(&counter);
	events(7);
	unit_ok(total() == BIT_ULL(47) + 12, "a count goes on after a stop");
}

static void test_random(void)
{
	struct sample sample;
	u64 sum = 0, lowest = ~0ULL, highest = 0;
	const int nr = 20000;
	bool is_told = true;

	setup(48, true, 10000, true);
	for (int i = 0; i < nr; i++) {
		u64 step = distance();

		events(step);
		is_told &= overflow(0, &sample) && sample.period == step;
		sum += step;
		lowest = min(lowest, step);
		highest = max(highest, step);
	}
	unit_ok(is_told, "a sample has the random period that has passed");
	unit_ok(highest - lowest <= 10000 / 8 && highest - lowest > 1000,
		"a random period varies by an eighth at most");
	unit_ok(sum / nr > 9980 && sum / nr < 10020,
		"random periods average the requested one");
}

/*
 * A simulated load. Events occur at @events_hz, which varies at random by up to @waver
 * percent. Interrupts are @late TSC cycles late. The requested sampling rate is @freq Hz.
 */
struct load {
	u64	events_hz;
	u32	freq;
	u32	waver;
	u64	late;
};

#define TSC_HZ		3000000000ULL

/* Return the number of samples between @begin_ms and @end_ms. */
static u64 simulate(const struct load *load, u64 begin_ms, u64 end_ms)
{
	u64 begin = TSC_HZ / 1000 * begin_ms, end = TSC_HZ / 1000 * end_ms;
	u64 tsc = 0, nr = 0, step, rate, random = 88172645463325252ULL;
	struct sample sample;

	setup(48, true, 0, false);
	tprof_x86_counter_set_rate(&counter, TSC_HZ / load->freq, 128, false, 1);
	hardware = tprof_x86_counter_load(&counter);
	while (tsc < end) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		rate = load->events_hz;
		if (load->waver)
			rate += (s64)(random % (2 * load->waver + 1) -
				      load->waver) * (s64)rate / 100;
		step = distance();
		tsc += (u64)((double)step * TSC_HZ / rate) + load->late;
		events(step + (u64)((double)load->late * rate / TSC_HZ));
		if (overflow(tsc, &sample) && tsc >= begin && tsc < end)
			nr++;
	}
	return nr;
}

static void test_rate(void)
{
	static const struct load loads[] = {
		{ 3000000000ULL, 1000, 0, 0 },
		{ 3000000000ULL, 99, 0, 3000 },
		{ 3000000000ULL, 100000, 0, 3000 },
		{ 12000000000ULL, 50000, 10, 1000 },
		{ 400000000ULL, 4000, 20, 3000 },
		{ 1000000ULL, 1000, 0, 3000 },
		{ 3000000ULL, 1000, 20, 3000 },
		{ 200000ULL, 250, 0, 3000 },
	};
	bool is_settled = true, is_steady = true;

	for (int i = 0; i < ARRAY_SIZE(loads); i++) {
		u64 freq = loads[i].freq;
		/* Count the samples from 0.1 s to 1.1 s, then those from 1 s to 11 s. */
		u64 soon = simulate(&loads[i], 100, 1100);
		u64 later = simulate(&loads[i], 1000, 11000);

		is_settled &= soon * 20 >= freq * 19 && soon * 20 <= freq * 21;
		is_steady &= later * 2 >= freq * 19 && later * 2 <= freq * 21;
	}
	unit_ok(is_settled, "a rate is held to 5 percent from 0.1 s on");
	unit_ok(is_steady, "a rate is held to 5 percent for ten seconds");
}

static void test_rate_bounds(void)
{
	struct sample sample;
	u64 before;

	setup(48, true, 0, false);
	tprof_x86_counter_set_rate(&counter, TSC_HZ / 1000, 128, false, 1);
	hardware = tprof_x86_counter_load(&counter);
	before = counter.period;
	events(distance());
	overflow(10, &sample);
	unit_ok(counter.period == 8 * before, "a period grows by eight at most");
	events(distance());
	overflow(10 + 60 * TSC_HZ, &sample);
	unit_ok(counter.period == 4 * before,
		"a period shrinks by two at most");
	for (int i = 1; i < 100; i++) {
		events(distance());
		overflow(i * 100 * TSC_HZ, &sample);
	}
	unit_ok(counter.period == 128,
		"a period does not shrink below the minimum");
	for (int i = 0; i < 100; i++) {
		events(distance());
		overflow(counter.sampled_at, &sample);
	}
	unit_ok(counter.period == BIT_ULL(46),
		"a period does not grow above the maximum");
}

/* Handling a sample takes longer than the time between samples at the requested rate. */
static void test_dear_samples(void)
{
	const u64 cost = TSC_HZ / 10000, events_hz = 3000000000ULL;
	struct sample sample;
	u64 tsc = 0, nr = 0, step;

	setup(48, true, 0, false);
	tprof_x86_counter_set_rate(&counter, TSC_HZ / 50000, 128, false, 1);
	hardware = tprof_x86_counter_load(&counter);
	while (tsc < TSC_HZ) {
		step = distance();
		events(step);
		tsc += step * TSC_HZ / events_hz;
		nr += overflow(tsc, &sample);
		counter.spent = cost;
		tsc += cost;
	}
	unit_ok(nr * cost < TSC_HZ / 6,
		"expensive samples take less than a sixth of the time");
	unit_ok(nr * cost > TSC_HZ / 24,
		"expensive samples take more than a 24th of the time");
}

/*
 * In each interrupt, a counter of kernel events also counts @way events of the
 * interrupt's entry and exit. The period of 200 is less than @way: the CPU would run
 * nothing but interrupts if the module did not lengthen the period.
 *
 * @handler: TSC cycles in the interrupt handler; the whole interrupt takes 2500
 */
static void test_bounded_period(u64 handler)
{
	const u64 way = 400, rest = 2500 - handler;
	struct sample sample;
	u64 tsc = 0, work = 0, sum = 0;

	setup(48, true, 200, false);
	tprof_x86_counter_bound(&counter, 65536);
	hardware = tprof_x86_counter_load(&counter);
	for (int i = 0; i < 10000; i++) {
		u64 step = distance() > way ? distance() - way : 0;

		work += step;
		events(step + way);
		tsc += step + rest;
		sum += overflow(tsc, &sample) ? sample.period : 0;
		counter.spent = handler;
		tsc += handler;
	}
	unit_ok(work * 4 > tsc,
		"the program has at least a quarter of the time");
	unit_ok(work * 16 < tsc * 15,
		"the program has less than 15/16 of the time");
	unit_ok(counter.slowed > 0,
		"samples with a longer period are counted as slowed");
	unit_ok(sum <= work + 10000 * way,
		"samples sum up to no more than was counted");
	setup(48, true, 70000, false);
	tprof_x86_counter_bound(&counter, 65536);
	unit_ok(!counter.is_varied, "a period above the bound is not varied");
}

/*
 * Serve an overflow as the NMI handler does. If @may_be_steady and the counter is steady,
 * try tprof_x86_counter_advance_steady() first. Return the period of the sample, or 0.
 */
static u64 serve(struct tprof_x86_counter *served, u64 now, bool may_be_steady)
{
	u64 due;

	if (may_be_steady && tprof_x86_counter_is_steady(served, now)) {
		tprof_x86_counter_advance_steady(served, now);
		return served->next;
	}
	due = tprof_x86_counter_advance(served, now, 0);
	tprof_x86_counter_load(served);
	return due ? served->last : 0;
}

/*
 * However early or late the interrupt comes, serve() must have the same result with and
 * without @may_be_steady.
 */
static void test_steady(void)
{
	static const u64 periods[] = { 2, 3, 128, 1000, 1ULL << 31, (1ULL << 31) + 1,
				       1ULL << 47, 1ULL << 46 };
	struct tprof_x86_counter steady;
	bool is_same = true, is_used = false;
	u64 now;

	for (int i = 0; i < 8 * ARRAY_SIZE(periods); i++) {
		u64 period = periods[i % ARRAY_SIZE(periods)];

		setup(i & 8 ? 48 : 32, i & 16, period, false);
		steady = counter;
		is_used |= steady.steady_limit != 0;
		for (int j = 0; j < 200 && is_same; j++) {
			/* The interrupt is up to 3 events early, or up to 2 periods late. */
			now = counter.prev + counter.left - 3 +
			      (j % 5 ? j % 7 : (u64)j * period / 100);
			now &= counter.mask;
			is_same &= serve(&counter, now, false) ==
				   serve(&steady, now, true);
			/* Only the general arithmetic sets it. */
			steady.last = counter.last;
			is_same &= !memcmp(&steady, &counter, sizeof(steady));
		}
	}
	unit_ok(is_used && is_same,
		"the arithmetic of a steady counter agrees with the general one");
	setup(48, true, 1000, true);
	unit_ok(!counter.steady_limit, "a counter of random periods is not steady");
	setup(48, false, 1ULL << 32, false);
	unit_ok(!counter.steady_limit, "a counter of several laps is not steady");
	setup(48, true, 0, false);
	unit_ok(!counter.steady_limit, "a counter without samples is not steady");
	setup(48, true, 1000, false);
	tprof_x86_counter_bound(&counter, 1000);
	tprof_x86_counter_resume(&counter);
	unit_ok(!counter.steady_limit, "a counter whose period may grow is not steady");
	setup(48, true, 1000, false);
	counter.left = 0;
	tprof_x86_counter_resume(&counter);
	unit_ok(!counter.steady_limit, "a counter that starts with a sample due is not steady");
}

int main(void)
{
	test_steady();
	test_bounded_period(500);
	test_bounded_period(120);
	test_dear_samples();
	test_skid();
	test_grain();
	test_merge();
	test_width();
	test_laps();
	test_counting();
	test_settle();
	test_random();
	test_rate();
	test_rate_bounds();
	return unit_exit();
}
