// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - tests whether a counter counts and its overflow sends an NMI
 *
 * CPUID reports what the processor has, or what the hypervisor promises. Some
 * hypervisors do not keep the promise: the guest's counters stand still, or
 * they overflow and send no NMI. So before the first event, a loop of known
 * length is counted and sampled with interrupts off. One general counter does
 * this first, then one fixed counter.
 *
 * Context: interrupts off, on the CPU that is tested; the sink in NMI.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "x86/x86_selftest.h"

enum {
	/* Steps of the loop, each of two instructions. */
	STEPS		= 20000,
	PER_STEP	= 2,
	/*
	 * Maximum number of runs of the loop. The counter overflows in the first
	 * run, but its NMI may be late.
	 */
	ROUNDS		= 100,
	PERIOD		= 10000,
	/* Factor by which an SMI or a hypervisor may raise the count. */
	TOLERANCE	= 2,
	ATTEMPTS	= 3,
};

/**
 * struct trial - a counter under test
 * @event:	event with the test's own sink
 * @counter:	count and period
 * @has_come:	the NMI of the overflow has come
 */
struct trial {
	struct tprof_pmu_event		event;
	struct tprof_x86_counter	counter;
	bool				has_come;
};

static void trial_sink(struct tprof_pmu_event *event, struct pt_regs *regs,
		       u64 period, u64 merged)
{
	struct trial *trial = container_of(event, struct trial, event);

	WRITE_ONCE(trial->has_come, true);
}

static void trial_work(void)
{
	unsigned long steps = STEPS;

	asm volatile("1: dec %0\n\t"
		     "jnz 1b"
		     : "+r"(steps) : : "cc");
}

static const char *begin_trial(struct trial *trial, struct tprof_x86_cpu *xcpu,
			       const struct tprof_x86_select *select, int row,
			 u64 period)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;

	memset(trial, 0, sizeof(*trial));
	trial->event.sink = trial_sink;
	trial->counter.event = &trial->event;
	tprof_x86_counter_set_width(&trial->counter,
				    tprof_x86_row_bits(caps, row),
				    caps->has_full_width, select->grain);
	tprof_x86_counter_set_period(&trial->counter, period, false, 0);
	return tprof_x86_cpu_arm(xcpu, &trial->counter, select, row) ?
		       "a register of the counters faults" : NULL;
}

/*
 * Expect an NMI twice: the counter may overflow until it is disarmed, and its
 * NMI may come during the disarming or later.
 */
static void end_trial(struct tprof_x86_cpu *xcpu, int row)
{
	tprof_nmi_expect(xcpu->source);
	tprof_x86_cpu_disarm(xcpu, row);
	tprof_nmi_expect(xcpu->source);
}

static const char *count_once(struct tprof_x86_cpu *xcpu,
			      const struct tprof_x86_select *select, int row,
			      u64 *count)
{
	struct trial trial;
	const char *wrong;

	wrong = begin_trial(&trial, xcpu, select, row, 0);
	if (wrong)
		return wrong;
	trial_work();
	end_trial(xcpu, row);
	*count = trial.counter.count;
	return *count ? NULL : "the counters do not count";
}

/* Try again if the count is too high, because it may include the handlers of NMIs. */
static const char *try_counting(struct tprof_x86_cpu *xcpu,
				const struct tprof_x86_select *select, int row)
{
	const char *wrong;
	u64 count;
	int i;

	for (i = 0; i < ATTEMPTS; i++) {
		wrong = count_once(xcpu, select, row, &count);
		if (wrong)
			return wrong;
		if (count < STEPS * PER_STEP)
			break;
		if (count <= TOLERANCE * STEPS * PER_STEP)
			return NULL;
	}
	return "the counters do not count correctly";
}

static const char *try_sampling(struct tprof_x86_cpu *xcpu,
				const struct tprof_x86_select *select, int row)
{
	struct trial trial;
	const char *wrong;
	int i;

	wrong = begin_trial(&trial, xcpu, select, row, PERIOD);
	if (wrong)
		return wrong;
	for (i = 0; i < ROUNDS && !READ_ONCE(trial.has_come); i++)
		trial_work();
	end_trial(xcpu, row);
	if (!trial.has_come)
		return "a counter overflows without an interrupt";
	return NULL;
}

static const char *try_one_of(struct tprof_x86_cpu *xcpu,
			      const struct tprof_x86_select *select, u64 rows)
{
	const char *wrong;

	if (!rows)
		return NULL;
	wrong = try_counting(xcpu, select, __ffs64(rows));
	if (wrong)
		return wrong;
	return try_sampling(xcpu, select, __ffs64(rows));
}

/**
 * tprof_x86_selftest - test the counters of this CPU
 * @xcpu:	counters of this CPU, none of them armed
 *
 * If the processor cannot count the event of the test (instructions), return NULL
 * without a test.
 *
 * Context: interrupts off, on the CPU.
 * Return: NULL, or a text that says what is wrong with the counters.
 */
const char *tprof_x86_selftest(struct tprof_x86_cpu *xcpu)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_user = 1,
	};
	const u64 general = BIT_ULL(TPROF_X86_FIXED) - 1;
	struct tprof_x86_select select;
	const char *wrong;
	u64 rows;

	if (tprof_x86_select(&attr, &xcpu->caps, &select))
		return NULL;
	rows = select.rows & ~xcpu->foreign;
	wrong = try_one_of(xcpu, &select, rows & general);
	if (wrong)
		return wrong;
	return try_one_of(xcpu, &select, rows & ~general);
}
