// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - which counter an event gets
 *
 * Each counter must work, and ROWS must list it with the event that uses it. An
 * event cannot start while other events use all the counters that can count it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "harness/counters.h"
#include "harness/target.h"
#include "harness/test.h"
#include "harness/work.h"

#define LOOPS	100000ULL
#define INSNS	(LOOPS * INSNS_PER_LOOP)

/* On Skylake, only counter 1 can count this event. */
#define INST_RETIRED_PREC_DIST	0x01c0

FIXTURE(pmu_rows) {
	struct counters		counters;
	int			fd;
	int			nr_rows;
	struct perf_event_attr	attr;
	struct tprof_lx_row	rows[TPROF_LX_MAX_ROWS];
};

FIXTURE_SETUP(pmu_rows)
{
	ASSERT_EQ(0, counters_open(&self->counters));
	if (self->counters.why_not)
		SKIP(return, "%s", self->counters.why_not);
	self->fd = self->counters.fd;
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	self->nr_rows = rows_read(self->fd, 0, self->rows);
	ASSERT_LT(0, self->nr_rows);
	ASSERT_GE(TPROF_LX_MAX_ROWS, self->nr_rows);
}

FIXTURE_TEARDOWN(pmu_rows)
{
	cpu_set_online(1, true);
	if (self->fd > 0)
		row_admin(self->fd, TPROF_LX_SUM, TPROF_LX_ROW_GENERAL, 0,
			  TPROF_LX_ROW_FREE);
	close(self->fd);
}

static int rows_in_state(const struct tprof_lx_row *rows, int nr, __u32 state)
{
	int found = 0;

	for (int i = 0; i < nr; i++)
		found += rows[i].state == state;
	return found;
}

static int rows_of_kind(const struct tprof_lx_row *rows, int nr, __u32 kind)
{
	int found = 0;

	for (int i = 0; i < nr; i++)
		found += rows[i].kind == kind;
	return found;
}

/* Expect that ROWS lists as many counters of each kind as the lab emulates. */
static void expect_lab(struct __test_metadata *_metadata,
		       FIXTURE_DATA(pmu_rows) *self)
{
	const char *gp = getenv("TPROF_LAB_GP");
	const char *fixed = getenv("TPROF_LAB_FIXED");

	if (!gp || !fixed)
		return;
	EXPECT_EQ(atoi(gp), rows_of_kind(self->rows, self->nr_rows,
					 TPROF_LX_ROW_GENERAL));
	EXPECT_EQ(atoi(fixed), rows_of_kind(self->rows, self->nr_rows,
					    TPROF_LX_ROW_FIXED));
}

TEST_F(pmu_rows, all_counters_are_listed_and_free)
{
	EXPECT_EQ(self->counters.backend.nr_counters, self->nr_rows);
	EXPECT_EQ(self->nr_rows, rows_in_state(self->rows, self->nr_rows,
					       TPROF_LX_ROW_FREE));
	for (int i = 0; i < self->nr_rows; i++) {
		EXPECT_EQ(self->counters.backend.counter_bits,
			  self->rows[i].bits);
		for (int j = 0; j < i; j++)
			EXPECT_FALSE(self->rows[i].kind == self->rows[j].kind &&
				     self->rows[i].number ==
				     self->rows[j].number);
	}
	expect_lab(_metadata, self);
}

TEST_F(pmu_rows, rows_beyond_the_buffer_are_not_written)
{
	struct tprof_lx_row rows[2] = { [1] = { .kind = 12345 } };
	struct tprof_lx_rows arg = {
		.size		= sizeof(arg),
		.nr_rows	= 1,
		.row_size	= sizeof(rows[0]),
		.rows		= (unsigned long)rows,
	};

	ASSERT_EQ(0, session_ioctl(self->fd, TPROF_LX_IOC_ROWS, &arg));
	EXPECT_EQ(self->nr_rows, arg.nr_rows);
	EXPECT_EQ(12345, rows[1].kind);
}

TEST_F(pmu_rows, taken_row_names_its_owner)
{
	struct tprof_lx_event event;
	const struct tprof_lx_row *row = self->rows;

	ASSERT_EQ(0, prctl(PR_SET_NAME, "the-owner"));
	self->attr.exclude_kernel = 0;
	attr_sample(&self->attr, 12345678);
	ASSERT_EQ(0, event_add_full(self->fd, self->counters.backend.name,
				    &self->attr, &event));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	EXPECT_EQ(1, rows_in_state(self->rows, self->nr_rows,
				   TPROF_LX_ROW_TAKEN));
	while (row->state != TPROF_LX_ROW_TAKEN)
		row++;
	EXPECT_EQ(getpid(), row->pid);
	EXPECT_STREQ("the-owner", row->comm);
	EXPECT_EQ(0, row->event);
	EXPECT_EQ(event.id, row->id);
	EXPECT_EQ(PERF_TYPE_HARDWARE, row->type);
	EXPECT_EQ(PERF_COUNT_HW_INSTRUCTIONS, row->config);
	EXPECT_EQ(12345678, row->period);

	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	EXPECT_EQ(0, rows_in_state(self->rows, self->nr_rows,
				   TPROF_LX_ROW_TAKEN));
}

/* Start events until no counter is free. Return the number of started events. */
static int fill(FIXTURE_DATA(pmu_rows) *self)
{
	int nr = 0;

	for (int i = 0; i <= self->nr_rows; i++)
		if (counters_add(&self->counters, &self->attr) != i)
			return -1;
	while (nr <= self->nr_rows && !session_start(self->fd, 1U << nr))
		nr++;
	return nr;
}

/* All general counters and one fixed counter can count retired instructions. */
TEST_F(pmu_rows, each_counter_counts)
{
	int expected = rows_of_kind(self->rows, self->nr_rows,
				    TPROF_LX_ROW_GENERAL);
	int nr;

	expected += self->nr_rows > expected;
	nr = fill(self);
	EXPECT_EQ(expected, nr);
	for (int i = 0; i < nr; i++)
		EXPECT_EQ(INSNS, count_per_work(self->fd, i, LOOPS));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	EXPECT_EQ(nr, rows_in_state(self->rows, self->nr_rows,
				    TPROF_LX_ROW_TAKEN));
	/* No further event can start, and the running events still count. */
	EXPECT_EQ(-EBUSY, session_start(self->fd, 1U << nr));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* Sample with all counters at once. */
TEST_F(pmu_rows, each_counter_overflows)
{
	struct tprof_lx_stats stats;
	int nr;

	attr_sample(&self->attr, 10007);
	nr = fill(self);
	ASSERT_LT(0, nr);
	work(10 * LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	for (int i = 0; i < nr; i++) {
		ASSERT_EQ(0, session_stats(self->fd, 0, i, &stats));
		EXPECT_LE(count_sum(self->fd, i) / 10007,
			  stats.ledger.taken + 1);
		EXPECT_GE(count_sum(self->fd, i) / 10007 + 1,
			  stats.ledger.taken);
	}
}

/* An event that can use a fixed counter gets one. */
TEST_F(pmu_rows, fixed_counters_are_preferred)
{
	static const __u64 configs[] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	int fixed = rows_of_kind(self->rows, self->nr_rows, TPROF_LX_ROW_FIXED);
	int taken = 0;

	if (!fixed)
		SKIP(return, "no fixed counters");
	for (int i = 0; i < (int)ARRAY_LEN(configs) && i < fixed; i++) {
		self->attr.config = configs[i];
		ASSERT_EQ(i, counters_add(&self->counters, &self->attr));
	}
	for (int i = 0; i < (int)ARRAY_LEN(configs) && i < fixed; i++) {
		ASSERT_EQ(0, session_start(self->fd, 1 << i));
		EXPECT_LE(LOOPS, count_per_work(self->fd, i, LOOPS));
	}
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	for (int i = 0; i < self->nr_rows; i++)
		taken += self->rows[i].state == TPROF_LX_ROW_TAKEN &&
			 self->rows[i].kind == TPROF_LX_ROW_FIXED;
	EXPECT_EQ(fixed < 3 ? fixed : 3, taken);
}

static int add_with(FIXTURE_DATA(pmu_rows) *self, __u32 flags)
{
	struct tprof_lx_event event;
	int err = event_add_with(self->fd, self->counters.backend.name, &self->attr, flags, &event);

	return err ? err : (int)event.index;
}

/* Add events until all general counters but one are needed. Return their number. */
static int add_flexible(FIXTURE_DATA(pmu_rows) *self, __u32 flags)
{
	int nr = rows_of_kind(self->rows, self->nr_rows, TPROF_LX_ROW_GENERAL);

	self->attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	for (int i = 1; i < nr; i++)
		if (add_with(self, flags) != i - 1)
			return -1;
	return nr - 1;
}

/* Return true if the counters are those of Skylake, and events can move. */
static bool has_picky_event(FIXTURE_DATA(pmu_rows) *self)
{
	const char *mode = lab_mode();

	return mode && !strncmp(mode, "intel", 5) &&
	       rows_of_kind(self->rows, self->nr_rows, TPROF_LX_ROW_GENERAL) > 1;
}

/*
 * An event that needs one certain counter gets this counter, even if it was added last. On CPU 0,
 * the events before it begin in one call, another lets one of them move, and then it begins.
 */
TEST_F(pmu_rows, event_gets_its_only_counter)
{
	struct counters other;
	int nr;

	if (!has_picky_event(self))
		SKIP(return, "no event is known to need one certain counter here");
	nr = add_flexible(self, 0);
	ASSERT_LT(0, nr);
	self->attr.type = PERF_TYPE_RAW;
	self->attr.config = INST_RETIRED_PREC_DIST;
	ASSERT_EQ(nr, counters_add(&self->counters, &self->attr));
	EXPECT_WORK(self->fd, 3, 0, session_start(self->fd, ALL_EVENTS));
	for (int i = 0; i <= nr; i++)
		EXPECT_LE(LOOPS, count_per_work(self->fd, i, LOOPS));
	ASSERT_EQ(0, counters_open(&other));
	ASSERT_EQ(0, counters_add(&other, &self->attr));
	EXPECT_EQ(-EBUSY, session_start(other.fd, 1));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	for (int i = 0; i < self->nr_rows; i++) {
		bool is_one = self->rows[i].kind == TPROF_LX_ROW_GENERAL &&
			      self->rows[i].number == 1;

		EXPECT_EQ(is_one, self->rows[i].in_way);
	}
	close(other.fd);
}

static int run_work(struct target *target, __u64 loops)
{
	(void)target;
	work(loops);
	return 0;
}

/*
 * The last event samples on the only counter of another session's event, and moves while
 * it counts. All events must count the same branches of CPU 0, and if they are events of
 * processes, only those of the target.
 */
static void make_room(struct __test_metadata *_metadata, FIXTURE_DATA(pmu_rows) *self, __u32 flags)
{
	struct perf_event_attr picky = self->attr;
	struct tprof_lx_stats stats;
	struct target target;
	struct counters other;
	int last;

	picky.type = PERF_TYPE_RAW;
	picky.config = INST_RETIRED_PREC_DIST;
	ASSERT_EQ(0, counters_open(&other));
	ASSERT_EQ(0, counters_add(&other, &picky));
	last = add_flexible(self, flags);
	ASSERT_LT(0, last);
	attr_sample(&self->attr, 1000);
	ASSERT_EQ(last, add_with(self, flags));
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, target_start(&target, 0, 0));
	if (flags)
		ASSERT_EQ(0, session_attach(self->fd, target.pid, TPROF_LX_TARGET_ALONE));
	ASSERT_EQ(0, cpu_pin(1));

	ASSERT_EQ(0, session_start(self->fd, ALL_EVENTS & ~1U));
	ASSERT_EQ(0, target_ask(&target, run_work, 100 * LOOPS));
	EXPECT_EQ(0, session_start(other.fd, 1));
	ASSERT_EQ(0, target_wait(&target));
	ASSERT_EQ(0, cpu_pin(0));
	work(100 * LOOPS);
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_LT(0, count_sum(other.fd, 0));
	EXPECT_LT((flags ? 100 : 200) * LOOPS, count_sum(self->fd, last));
	EXPECT_GT((flags ? 101 : 201) * LOOPS, count_sum(self->fd, last));
	for (int i = 1; i < last; i++)
		EXPECT_EQ(count_sum(self->fd, last), count_sum(self->fd, i));
	ASSERT_EQ(0, session_stats(self->fd, 0, last, &stats));
	EXPECT_EQ(count_sum(self->fd, last) / 1000, stats.ledger.taken);
	target_end(&target);
	close(other.fd);
}

TEST_F(pmu_rows, running_event_makes_room)
{
	if (!has_picky_event(self) || cpus_online() < 2)
		SKIP(return, "no event is known to need one certain counter here");
	make_room(_metadata, self, 0);
}

TEST_F(pmu_rows, event_of_a_process_makes_room)
{
	if (!has_picky_event(self) || cpus_online() < 2)
		SKIP(return, "no event is known to need one certain counter here");
	make_room(_metadata, self, TPROF_LX_EVENT_PROCESS);
}

/* Two sessions can use counters of the same CPU, but not the same counter. */
TEST_F(pmu_rows, sessions_cannot_share_a_counter)
{
	struct counters other;
	int nr;

	ASSERT_EQ(0, counters_open(&other));
	ASSERT_EQ(0, counters_add(&other, &self->attr));
	nr = fill(self);
	ASSERT_LT(0, nr);
	EXPECT_EQ(-EBUSY, session_start(other.fd, 1));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, session_start(other.fd, 1));
	EXPECT_EQ(INSNS, count_per_work(other.fd, 0, LOOPS));
	EXPECT_EQ(-EBUSY, session_start(self->fd, 1));
	close(other.fd);
	EXPECT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(INSNS, count_per_work(self->fd, 0, LOOPS));
}

/* Read what the command line says of @command. */
static void hear(const char *command, char *said, size_t len)
{
	FILE *out = popen(command, "r");

	said[out ? fread(said, 1, len - 1, out) : 0] = '\0';
	if (out)
		pclose(out);
}

TEST_F(pmu_rows, user_learns_who_holds_the_counters)
{
	char said[4096], holder[64];

	ASSERT_EQ(0, prctl(PR_SET_NAME, "the-owner"));
	snprintf(holder, sizeof(holder), "the-owner (process %d)", getpid());
	ASSERT_LT(0, fill(self));
	hear("tprof-lx stat -e branches:u -- true 2>&1", said, sizeof(said));
	printf("# %s", said);
	EXPECT_TRUE(strstr(said, holder));
}

/* If an event cannot start on CPU 1, it must not run on CPU 0 either. */
TEST_F(pmu_rows, start_is_all_or_nothing)
{
	struct tprof_lx_config all = {};
	struct counters other;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, counters_open(&other));
	ASSERT_EQ(0, session_cpus(self->fd, 1));
	ASSERT_LT(0, fill(self));
	ASSERT_EQ(0, session_config(other.fd, &all));
	ASSERT_EQ(0, counters_add(&other, &self->attr));
	EXPECT_EQ(-EBUSY, session_start(other.fd, 1));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	EXPECT_EQ(0, rows_in_state(self->rows, self->nr_rows,
				   TPROF_LX_ROW_TAKEN));
	close(other.fd);
}

TEST_F(pmu_rows, disabled_counter_is_not_used)
{
	const __u32 kind = TPROF_LX_ROW_GENERAL;
	int nr, before;

	before = fill(self);
	EXPECT_EQ(-EBUSY, row_admin(self->fd, TPROF_LX_SUM, kind, 0,
				    TPROF_LX_ROW_DISABLED));
	ASSERT_EQ(0, session_stop(self->fd, ALL_EVENTS));
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, kind, 0,
			       TPROF_LX_ROW_DISABLED));
	ASSERT_EQ(self->nr_rows, rows_read(self->fd, 0, self->rows));
	EXPECT_EQ(1, rows_in_state(self->rows, self->nr_rows,
				   TPROF_LX_ROW_DISABLED));
	for (nr = 0; nr < before && !session_start(self->fd, 1U << nr); nr++)
		;
	EXPECT_EQ(before - 1, nr);
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, kind, 0,
			       TPROF_LX_ROW_FREE));
	EXPECT_EQ(0, session_start(self->fd, 1U << (before - 1)));
}

/* Set all general counters of all CPUs to @state. */
static int set_general(FIXTURE_DATA(pmu_rows) *self, __u32 state)
{
	int err = 0;

	for (int i = 0; i < self->nr_rows && !err; i++)
		if (self->rows[i].kind == TPROF_LX_ROW_GENERAL)
			err = row_admin(self->fd, TPROF_LX_SUM, TPROF_LX_ROW_GENERAL,
					self->rows[i].number, state);
	return err;
}

/* No fixed counter counts branches. */
TEST_F(pmu_rows, disabled_counters_are_not_used_for_processes)
{
	self->attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	ASSERT_EQ(0, add_with(self, TPROF_LX_EVENT_PROCESS));
	ASSERT_EQ(0, session_attach(self->fd, getpid(), TPROF_LX_TARGET_ALONE));
	ASSERT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(-EBUSY, set_general(self, TPROF_LX_ROW_DISABLED));
	EXPECT_EQ(LOOPS, count_per_work(self->fd, 0, LOOPS));
	ASSERT_EQ(0, session_stop(self->fd, 1));
	EXPECT_EQ(0, set_general(self, TPROF_LX_ROW_DISABLED));
	EXPECT_EQ(-EBUSY, session_start(self->fd, 1));
	EXPECT_EQ(0, set_general(self, TPROF_LX_ROW_FREE));
	EXPECT_EQ(0, session_start(self->fd, 1));
	EXPECT_EQ(LOOPS, count_per_work(self->fd, 0, LOOPS));
}

static int disabled_rows(int fd, int cpu)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];

	return rows_in_state(rows, rows_read(fd, cpu, rows), TPROF_LX_ROW_DISABLED);
}

TEST_F(pmu_rows, disable_on_all_cpus_includes_offline_cpus)
{
	const __u32 kind = TPROF_LX_ROW_GENERAL;

	if (cpu_set_online(1, false))
		SKIP(return, "CPU 1 cannot be taken offline");
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, kind, 0,
			       TPROF_LX_ROW_DISABLED));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_EQ(1, disabled_rows(self->fd, 1));
	ASSERT_EQ(0, cpu_set_online(1, false));
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, kind, 0,
			       TPROF_LX_ROW_FREE));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_EQ(0, disabled_rows(self->fd, 1));
}

/*
 * Load the module while CPU 1 is offline, and then disable a counter on all CPUs. This
 * must include CPU 1, although the module has never seen CPU 1 online.
 */
TEST_F(pmu_rows, disable_on_all_cpus_includes_unseen_cpus)
{
	if (cpu_set_online(1, false))
		SKIP(return, "CPU 1 cannot be taken offline");
	expect_load();
	close(self->fd);
	ASSERT_EQ(0, modules_load_anew());
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, row_admin(self->fd, 1, TPROF_LX_ROW_GENERAL, 0,
			       TPROF_LX_ROW_FREE));
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, TPROF_LX_ROW_GENERAL, 0,
			       TPROF_LX_ROW_DISABLED));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_EQ(1, disabled_rows(self->fd, 1));
	EXPECT_EQ(0, row_admin(self->fd, TPROF_LX_SUM, TPROF_LX_ROW_GENERAL, 0,
			       TPROF_LX_ROW_FREE));
}

TEST_F(pmu_rows, admin_of_missing_counter_is_refused)
{
	EXPECT_EQ(-ENOENT, row_admin(self->fd, 0, TPROF_LX_ROW_GENERAL, 63,
				     TPROF_LX_ROW_DISABLED));
	EXPECT_EQ(-ENOENT, row_admin(self->fd, 0, TPROF_LX_ROW_FIXED, 31,
				     TPROF_LX_ROW_DISABLED));
	EXPECT_EQ(-EINVAL, row_admin(self->fd, 1 << 20, TPROF_LX_ROW_GENERAL,
				     0, TPROF_LX_ROW_DISABLED));
	EXPECT_EQ(-EINVAL, row_admin(self->fd, 0, TPROF_LX_ROW_GENERAL, 0,
				     TPROF_LX_ROW_TAKEN));
}

TEST_HARNESS_MAIN
