// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the counters of a CPU, on x86_model
 *
 * The tests check on every kind of PMU:
 * - The number of samples is events / period.
 * - Arming or disarming a counter does not disturb a running one, even if an NMI
 *   arrives between any two steps.
 * - A register that faults is reported.
 * - At the end, all registers are restored.
 *
 * Unlike an emulator, the model also has status bits that stay set, late NMIs, and
 * counters that continue to count after they were stopped.
 */
#include "unit.h"
#include "x86_job.h"

static void test_sampling(enum model_kind kind, bool counts_kernel)
{
	struct model before;
	struct job job;

	job_reset(kind);
	before = model;
	job_prepare(&job, 1000, counts_kernel);
	unit_ok(!job_arm(&job, 1), job_on(kind, "a counter is armed"));
	model_run(500);
	unit_ok(tprof_x86_cpu_read(&job.counter) == 500 && !job.samples,
		job_on(kind, "a counter can be read while it counts"));
	model_run(10000);
	unit_ok(job.samples == 10 && job.periods == 10000 &&
		model.nr_nmis == 10 && verdicts[TPROF_NMI_SAMPLED] == 10,
		job_on(kind, "a sample is taken for each period"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	unit_ok(job.counter.count == 10500, job_on(kind, "all events are counted"));
	unit_ok(model_is_as(&before),
		job_on(kind, "disarming a counter restores all registers"));
	model_run(1000);
	unit_ok(job.samples == 10,
		job_on(kind, "a disarmed counter takes no sample"));
}

/* Let the handler last for 100 events. */
static void run_handler(struct job *job)
{
	model_run(100);
}

static void test_handler(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	job.on_sample = run_handler;
	job_arm(&job, 1);
	model_run(2500);
	unit_ok(job.samples == 2 && tprof_x86_cpu_read(&job.counter) == 2500,
		job_on(kind, "a counter of kernel mode does not count the handler"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_many(enum model_kind kind)
{
	u64 counters, periods = 0;
	struct job jobs[TPROF_X86_MAX_ROWS];
	struct model before;
	bool is_right = true;
	int row;

	job_reset(kind);
	before = model;
	for (counters = xcpu.caps.counters; counters; counters &= counters - 1) {
		row = __ffs(counters);
		job_prepare(&jobs[row], 200 + row / 4, row & 1);
		is_right &= !job_arm(&jobs[row], row);
	}
	model_run(20000);
	for (counters = xcpu.caps.counters; counters; counters &= counters - 1) {
		row = __ffs(counters);
		tprof_x86_cpu_disarm(&xcpu, row);
		/*
		 * All counters were armed before the first event, so each must count
		 * every event.
		 */
		is_right &= jobs[row].counter.count == 20000;
		is_right &= jobs[row].samples == 20000 / (200 + row / 4);
		periods += jobs[row].periods;
	}
	unit_ok(is_right && periods,
		job_on(kind, "all counters count and sample at once"));
	unit_ok(!verdicts[TPROF_NMI_LATE] || model.caps.global_status,
		job_on(kind, "counters that overflow together are served together"));
	unit_ok(model_is_as(&before),
		job_on(kind, "disarming all counters restores all registers"));
}

static void test_gate(enum model_kind kind)
{
	struct job gated, other;
	struct model before;

	job_reset(kind);
	before = model;
	job_prepare(&gated, 1000, true);
	job_prepare(&other, 700, true);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	job_arm(&gated, 1);
	job_arm(&other, 0);
	model_run(7000);
	unit_ok(!gated.samples && !tprof_x86_cpu_read(&gated.counter) && other.samples == 10,
		job_on(kind, "a counter whose gate is closed stands still"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	model_run(2500);
	unit_ok(gated.samples == 2 && tprof_x86_cpu_read(&gated.counter) == 2500,
		job_on(kind, "a counter whose gate is opened counts"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	model_run(7000);
	unit_ok(gated.samples == 2 && other.samples == 23,
		job_on(kind, "an NMI of another counter does not open a gate"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	job_arm(&gated, 1);
	model_run(500);
	unit_ok(gated.samples == 2 && tprof_x86_cpu_read(&gated.counter) == 2500,
		job_on(kind, "a gate stays closed when its counter is armed again"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	unit_ok(model_is_as(&before) && !xcpu.shut,
		job_on(kind, "counters with gates restore all registers"));
}

/* Stall the event of row 1 at its third sample, as the sink does. */
static void stall_third(struct job *job)
{
	if (job->samples == 3)
		tprof_x86_cpu_stall(&xcpu, 1, true);
}

static void test_stall(enum model_kind kind, bool counts_kernel)
{
	struct job stalled, other;
	struct model before;
	u64 count;

	job_reset(kind);
	before = model;
	job_prepare(&stalled, 1000, counts_kernel);
	stalled.on_sample = stall_third;
	job_prepare(&other, 700, counts_kernel);
	job_arm(&stalled, 1);
	job_arm(&other, 0);
	model_run(7000);
	count = tprof_x86_cpu_read(&stalled.counter);
	unit_ok(stalled.samples == 3 && count == 3000 && other.samples == 10,
		job_on(kind, "an event that stalls at a sample stands still, and others go on"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	model_run(7000);
	unit_ok(stalled.samples == 3 && tprof_x86_cpu_read(&stalled.counter) == count,
		job_on(kind, "a gate that opens does not start a stalled event"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	job_arm(&stalled, 1);
	model_run(7000);
	unit_ok(stalled.samples == 3 && tprof_x86_cpu_read(&stalled.counter) == count,
		job_on(kind, "an event stays stalled when its counter is armed again"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), false);
	tprof_x86_cpu_stall(&xcpu, 1, false);
	model_run(7000);
	unit_ok(tprof_x86_cpu_read(&stalled.counter) == count,
		job_on(kind, "the end of a stall does not open a gate"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
	model_run(2500);
	unit_ok(stalled.samples == 5 && tprof_x86_cpu_read(&stalled.counter) == count + 2500,
		job_on(kind, "after a stall, the period goes on where it stopped"));
	unit_ok(other.samples == 30500 / 700,
		job_on(kind, "stalls of an event cost others nothing"));
	tprof_x86_cpu_disarm(&xcpu, 1);
	tprof_x86_cpu_disarm(&xcpu, 0);
	unit_ok(model_is_as(&before) && !xcpu.stalled && !xcpu.shut,
		job_on(kind, "a counter that has stalled restores all registers"));
}

/* A change of the gate that an NMI interrupted may start a counter that the NMI stalled. */
static void test_interrupted_stall(enum model_kind kind)
{
	struct job stalled, other;

	job_reset(kind);
	job_prepare(&stalled, 1000, true);
	job_prepare(&other, 1000, true);
	job_arm(&stalled, 1);
	job_arm(&other, 0);
	/* The NMI has set this bit; @global_ctrl and the registers are still as before. */
	set_bit(1, &xcpu.stalled);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(0), false);
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(0), true);
	model_run(7000);
	unit_ok(!stalled.samples && other.samples == 7,
		job_on(kind, "a stall outlasts the change that its NMI interrupted"));
	tprof_x86_cpu_stall(&xcpu, 1, false);
	/* The NMI came just before the last step of the change, which writes the register. */
	set_bit(1, &xcpu.stalled);
	xcpu.global_ctrl &= ~BIT_ULL(1);
	tprof_x86_cpu_hold_stalled(&xcpu);
	model_run(7000);
	unit_ok(!stalled.samples && other.samples == 14,
		job_on(kind, "a stall outlasts the last step of such a change"));
	tprof_x86_cpu_stall(&xcpu, 1, false);
	tprof_x86_cpu_disarm(&xcpu, 1);
	tprof_x86_cpu_disarm(&xcpu, 0);
}

/* Open or close the gate of row 1, as gate.c does. */
static void set_opening(struct tprof_pmu_opening *opening, bool is_open)
{
	if (is_open)
		opening->since_tsc = model.tsc;
	else
		opening->open_tsc += model.tsc - opening->since_tsc;
	opening->is_open = is_open;
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), is_open);
}

/*
 * In each turn the gate is open for 700 ticks of the TSC and closed for 7000. The model
 * counts an event per tick, so a sample every 1000 ticks needs a period of 1000.
 */
static void test_gated_rate(enum model_kind kind)
{
	struct tprof_pmu_opening opening = {};
	struct job job;
	u64 early = 0;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	tprof_x86_counter_set_rate(&job.counter, 1000, 128, false, 1);
	job.counter.opening = &opening;
	set_opening(&opening, false);
	job_arm(&job, 1);
	for (int turn = 0; turn < 1000; turn++) {
		set_opening(&opening, true);
		model_run(700);
		set_opening(&opening, false);
		model_run(7000);
		if (turn == 99)
			early = job.samples;
	}
	unit_ok(job.samples - early >= 600 && job.samples - early <= 660,
		job_on(kind, "a frequency is held for the time for which the gate is open"));
	unit_ok(tprof_x86_cpu_read(&job.counter) == 700000,
		job_on(kind, "a gated counter with a frequency counts all events"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_late(enum model_kind kind)
{
	struct job first, second;

	job_reset(kind);
	job_prepare(&first, 1000, false);
	job_prepare(&second, 1001, false);
	job_arm(&first, 0);
	job_arm(&second, 1);
	model.is_nmi_held = true;
	model_run(1100);
	model_deliver();
	unit_ok(first.samples == 1 && second.samples == 1,
		job_on(kind, "one late NMI serves two overflows"));
	unit_ok(verdicts[TPROF_NMI_SAMPLED] == 1,
		job_on(kind, "the second of two late NMIs samples nothing"));
	model.is_nmi_held = false;
	model_run(9000);
	unit_ok(first.samples == 10 && second.samples == 10,
		job_on(kind, "with late NMIs, samples = events / period"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_disarm(&xcpu, 1);
	unit_ok(first.counter.count == 10100 && second.counter.count == 10100,
		job_on(kind, "late NMIs lose no event"));
}

static void test_disarmed(enum model_kind kind)
{
	struct job first, second;

	job_reset(kind);
	job_prepare(&first, 1000, true);
	job_prepare(&second, 100000, true);
	job_arm(&first, 0);
	job_arm(&second, 1);
	model.is_nmi_held = true;
	model_run(1000);
	tprof_x86_cpu_disarm(&xcpu, 0);
	model_deliver();
	unit_ok(!first.samples && !second.samples &&
		!verdicts[TPROF_NMI_SAMPLED],
		job_on(kind, "an NMI after its counter was disarmed is no sample"));
	unit_ok(!model.global_status,
		job_on(kind, "an NMI after its counter was disarmed clears its status"));
	unit_ok(!job_arm(&first, 0) && !verdicts[TPROF_NMI_SAMPLED],
		job_on(kind, "a counter is armed again after a late NMI"));
	model.is_nmi_held = false;
	model_run(1000);
	unit_ok(first.samples == 2,
		job_on(kind, "a counter armed again takes the missed sample and the next"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_stuck(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	job_arm(&job, 1);
	model.stuck = 1;
	model_nmi();
	unit_ok(verdicts[TPROF_NMI_FOREIGN] == 1,
		job_on(kind, "a status bit that stays set does not make an NMI ours"));
	model_run(5000);
	unit_ok(job.samples == 5,
		job_on(kind, "a status bit that stays set does not hold up our NMIs"));
	model.stuck = 2;
	model_nmi();
	unit_ok(verdicts[TPROF_NMI_FOREIGN] == 2 && job.samples == 5,
		job_on(kind, "a status bit that stays set is no overflow"));
	model.stuck = 0;
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/*
 * If Intel PT is used, perf's NMI handler acknowledges all overflows and stops all
 * counters before the module's handler runs.
 */
static void test_acknowledged(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, true);
	job_arm(&job, 1);
	model.is_nmi_held = true;
	model_run(1000);
	model.global_status = 0;
	model.global_ctrl = 0;
	model_deliver();
	unit_ok(job.samples == 1 && verdicts[TPROF_NMI_SAMPLED] == 1,
		job_on(kind, "an overflow that another handler acknowledged is a sample"));
	model.is_nmi_held = false;
	model_run(5000);
	unit_ok(job.samples == 6,
		job_on(kind, "counters that another handler stopped go on"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/*
 * An overflow is served during an NMI of another source. The NMI of this overflow arrives
 * later, and its delivery masks LVTPC.
 */
static void test_silenced(enum model_kind kind)
{
	struct job job;

	job_reset(kind);
	job_prepare(&job, 1000, false);
	job_arm(&job, 1);
	model.is_nmi_held = true;
	model_run(1000);
	model_nmi();
	unit_ok(job.samples == 1,
		job_on(kind, "an NMI of any source serves an overflow"));
	model.lvtpc |= APIC_LVT_MASKED;
	model_deliver();
	unit_ok(verdicts[TPROF_NMI_LATE] == 1 &&
		!(model.lvtpc & APIC_LVT_MASKED),
		job_on(kind, "the NMI of a served overflow leaves LVTPC unmasked"));
	model.is_nmi_held = false;
	model_run(5000);
	unit_ok(job.samples == 6,
		job_on(kind, "overflows after a served one are served"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_drift(enum model_kind kind)
{
	struct job job;
	u64 counted;

	job_reset(kind);
	job_prepare(&job, 0, true);
	job_arm(&job, 1);
	model_run(1000);
	model.drift = 3;
	tprof_x86_cpu_disarm(&xcpu, 1);
	counted = job.counter.count;
	unit_ok(counted > 1000 && counted <= 1000 + 3 * 3,
		job_on(kind, "events after the stop are counted"));
	model.drift = 0;
	job_arm(&job, 1);
	model_run(10);
	unit_ok(tprof_x86_cpu_read(&job.counter) == counted + 10,
		job_on(kind, "events after the stop are counted once"));
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/*
 * Let all accesses to a register fault, then only writes to it. Do so for each register
 * that job_arm() accesses.
 */
static void test_faults(enum model_kind kind)
{
	const struct tprof_x86_caps *caps = &model.caps;
	bool is_named = true, is_undone = true;
	struct model before;
	struct job job;
	u32 msrs[7];

	for (int i = 0; i < 2 * ARRAY_SIZE(msrs); i++) {
		job_reset(kind);
		msrs[0] = caps->select;
		msrs[1] = caps->counter + caps->step;
		msrs[2] = caps->global_ctrl;
		msrs[3] = caps->fixed_ctrl;
		msrs[4] = caps->fixed_ctrl ? MSR_CORE_PERF_FIXED_CTR0 : 0;
		/* The module never reads global_clear and never writes global_status. */
		msrs[5] = i & 1 ? caps->global_clear : 0;
		msrs[6] = i & 1 ? 0 : caps->global_status;
		job_prepare(&job, 1000, true);
		before = model;
		model.fault = msrs[i / 2];
		model.fault_writes = i & 1;
		/*
		 * Skip absent registers, and writes to fixed counter 0: arming counter 1
		 * does not write it.
		 */
		if (!model.fault || (msrs[4] == model.fault && i & 1))
			continue;
		is_named &= job_arm(&job, 1) == -EIO && xcpu.fault;
		is_undone &= !xcpu.armed && model_is_as(&before);
	}
	job_reset(kind);
	job_prepare(&job, 1000, true);
	before = model;
	model.is_rdpmc_missing = true;
	is_named &= job_arm(&job, 1) == -EIO && xcpu.fault;
	is_undone &= !xcpu.armed && model_is_as(&before);
	unit_ok(is_named, job_on(kind, "a register, or RDPMC, that faults is an error"));
	unit_ok(is_undone,
		job_on(kind, "arming that fails restores all registers"));
}

static void test_nesting(enum model_kind kind)
{
	struct job steady, other;
	bool is_right = true;
	u64 run = 0, total;

	job_reset(kind);
	job_prepare(&steady, 200, true);
	job_prepare(&other, 150, false);
	job_arm(&steady, 0);
	job_interrupts = 0;
	for (int i = 0; i < 500; i++) {
		tprof_test_interrupt = job_interrupt;
		is_right &= !job_arm(&other, 1);
		total = tprof_x86_cpu_read(&steady.counter);
		is_right &= total >= run && total <= run + job_interrupts;
		tprof_x86_cpu_disarm(&xcpu, 1);
		tprof_test_interrupt = NULL;
		model_run(i % 60);
		run += i % 60;
	}
	tprof_x86_cpu_disarm(&xcpu, 0);
	run += job_interrupts;
	/* All counters stand still while they are reset. */
	unit_ok(is_right && (xcpu.caps.needs_reset ? steady.counter.count < run :
						     steady.counter.count == run),
		job_on(kind, "arming another counter loses no event, but those during a reset"));
	unit_ok(steady.samples == steady.counter.count / 200,
		job_on(kind, "arming another counter loses no sample"));
	unit_ok(other.samples <= other.counter.count / 150 &&
		other.samples + 1 >= other.counter.count / 150,
		job_on(kind, "a counter that is armed and disarmed takes its own samples"));
}

/* Return the count that user mode computes from a page. */
static u64 count_in_page(const struct perf_event_mmap_page *page)
{
	u32 unused = 64 - page->pmc_width;

	if (!page->index)
		return page->offset;
	return page->offset + ((s64)(tprof_pmc_read(page->index - 1) << unused) >> unused);
}

/* @job, on counter 1, moves to another counter and back, and shares its counter. */
static void test_page_of_moved(enum model_kind kind, struct job *job, struct tprof_page *page)
{
	struct job sharer;

	tprof_x86_cpu_move(&xcpu, &job->counter, &job->select, 1, 0);
	model_run(77);
	unit_ok(page->user->index && count_in_page(page->user) ==
					     5000 + tprof_x86_cpu_read(&job->counter),
		job_on(kind, "the page follows its event to another counter"));
	tprof_x86_cpu_move(&xcpu, &job->counter, &job->select, 0, 1);
	job_prepare(&sharer, 700, false);
	tprof_x86_cpu_seat(&xcpu, &sharer.counter, &sharer.select, 1);
	tprof_page_rest(page, 0);
	tprof_x86_cpu_seat(&xcpu, &job->counter, &job->select, 1);
	unit_ok(page->user->index && count_in_page(page->user) ==
					     5000 + tprof_x86_cpu_read(&job->counter),
		job_on(kind, "a shared counter is in the page of the event that has it"));
	tprof_x86_cpu_gate(&xcpu, BIT_ULL(1), true);
}

/* The counter overflows while it is shown, again and again. */
static void test_page(enum model_kind kind, u64 period)
{
	struct perf_event_mmap_page user = {};
	struct tprof_page page = { .user = &user, .may_rdpmc = true, .total = 5000 };
	bool is_right = true;
	struct job job;
	int i;

	job_reset(kind);
	job_prepare(&job, period, false);
	job.event.page = &page;
	job.counter.is_shown = true;
	page.cpu = 0;
	page.skew = page.total;
	unit_ok(!job_arm(&job, 1) && user.index, job_on(kind, "an armed counter is in its page"));
	for (i = 0; i < 500; i++) {
		tprof_test_interrupt = job_interrupt;
		tprof_x86_cpu_show(&job.counter);
		tprof_test_interrupt = NULL;
		model_run(i % 60);
		is_right &= count_in_page(&user) == 5000 + tprof_x86_cpu_read(&job.counter);
		is_right &= !(user.lock % 2);
	}
	unit_ok(is_right, job_on(kind, "the page has the count after each overflow"));
	page.may_rdpmc = false;
	tprof_x86_cpu_show(&job.counter);
	unit_ok(!user.index && user.offset == page.total,
		job_on(kind, "the page has no counter if user mode may not read it"));
	page.may_rdpmc = true;
	test_page_of_moved(kind, &job, &page);
	page.cpu = 1;
	i = user.lock;
	model_run(1000);
	unit_ok(user.lock == i, job_on(kind, "a CPU does not change the page of another"));
	page.cpu = 0;
	tprof_x86_cpu_disarm(&xcpu, 1);
	unit_ok(!user.index && user.offset == 5000 + job.counter.count,
		job_on(kind, "the page of a disarmed counter has the whole count"));
}

static struct job second_job;

/* The NMI handler calls this for the first counter. Let the second counter overflow. */
static void run_on(struct job *job)
{
	job->on_sample = NULL;
	model.is_nmi_held = true;
	model_run(50);
	model.is_nmi_held = false;
}

static void test_masked(enum model_kind kind)
{
	struct job first;

	job_reset(kind);
	job_prepare(&first, 1000, false);
	job_prepare(&second_job, 1010, false);
	first.on_sample = run_on;
	job_arm(&first, 0);
	job_arm(&second_job, 1);
	model_run(1000);
	model_deliver();
	unit_ok(first.samples == 1 && second_job.samples == 1,
		job_on(kind, "an overflow while another one is served is not lost"));
	model_run(1000);
	unit_ok(second_job.samples == 2,
		job_on(kind, "a counter that overflowed while another was served goes on"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_disarm(&xcpu, 1);
}

/*
 * After the handler has served all armed counters, none can have overflowed again, so
 * the handler must not read the status again.
 */
static void test_status_reads(enum model_kind kind)
{
	struct job first, second;

	job_reset(kind);
	job_prepare(&first, 1000, false);
	job_prepare(&second, 1500, false);
	job_arm(&first, 0);
	model_run(10000);
	unit_ok(first.samples == 10 && model.nr_status_reads == 10,
		job_on(kind, "the status is read once if one counter is armed"));
	job_arm(&second, 1);
	model.nr_status_reads = 0;
	model_run(2000);
	unit_ok(first.samples == 12 && second.samples == 1 && model.nr_status_reads == 6,
		job_on(kind, "the status is read again if another counter is armed"));
	model.nr_status_reads = 0;
	model_run(1000);
	unit_ok(first.samples == 13 && second.samples == 2 && model.nr_status_reads <= 3,
		job_on(kind, "the status is read until it shows nothing"));
	tprof_x86_cpu_disarm(&xcpu, 0);
	tprof_x86_cpu_disarm(&xcpu, 1);
}

static void test_guests(void)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_RAW,
		.config		= 0xc0,
		.exclude_guest	= 1,
	};
	struct job job;

	job_reset(MODEL_AMD_CORE);
	job_prepare(&job, 1000, true);
	tprof_x86_select(&attr, &xcpu.caps, &job.select);
	job_arm(&job, 0);
	unit_ok(model_counts(0), "without SVM, excluding guests excludes nothing");
	tprof_x86_cpu_disarm(&xcpu, 0);
	model.efer = EFER_SVME;
	job_arm(&job, 0);
	unit_ok(model_counts(0) && model.select[0] & BIT_ULL(41),
		"with SVM, excluding guests sets HostOnly");
	tprof_x86_cpu_disarm(&xcpu, 0);
}

/* With narrow writes, a long period is loaded in parts of at most 2^31 events. */
static void test_narrow(void)
{
	struct job job;

	job_reset(MODEL_INTEL_V3);
	job_prepare(&job, 3 * BIT_ULL(31) + 5, true);
	job_arm(&job, 32);
	unit_ok(model.value[32] == BIT_ULL(48) - 5,
		"a narrow write loads the odd part of a period first");
	model_run(5);
	unit_ok(model.value[32] == BIT_ULL(48) - BIT_ULL(31) && !job.samples,
		"the next narrow write loads 2^31 events");
	tprof_x86_cpu_disarm(&xcpu, 32);
}

int main(void)
{
	for (int kind = 0; kind < NR_MODELS; kind++) {
		test_sampling(kind, false);
		test_sampling(kind, true);
		if (kind == MODEL_INTEL_V3 || kind == MODEL_INTEL_V4 ||
		    kind == MODEL_AMD_V2 || kind == MODEL_AMD_GUEST)
			test_handler(kind);
		test_many(kind);
		test_gate(kind);
		test_stall(kind, false);
		test_stall(kind, true);
		test_interrupted_stall(kind);
		test_gated_rate(kind);
		test_late(kind);
		test_disarmed(kind);
		if (kind == MODEL_INTEL_V3 || kind == MODEL_INTEL_V4 ||
		    kind == MODEL_AMD_V2 || kind == MODEL_AMD_GUEST)
			test_stuck(kind);
		if (kind == MODEL_INTEL_V3 || kind == MODEL_INTEL_V4) {
			test_acknowledged(kind);
			test_silenced(kind);
			test_status_reads(kind);
		}
		test_drift(kind);
		test_faults(kind);
		test_nesting(kind);
		test_page(kind, 150);
		test_page(kind, 0);
		test_masked(kind);
	}
	test_guests();
	test_narrow();
	return unit_exit();
}
