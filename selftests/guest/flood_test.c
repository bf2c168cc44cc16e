// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - more samples and records than the rings or the CPUs can take
 *
 * The machine has to survive, and the ledger has to account for each sample and
 * record. A probe on each CPU (struct probe: a thread that sleeps repeatedly) has to
 * wake up during the flood. Its largest delay is printed as a note.
 *
 * The environment variable FLOOD_SECONDS sets the duration of each flood.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <asm/perf_regs.h>

#include "harness/common.h"
#include "harness/counters.h"
#include "harness/test.h"
#include "harness/storm.h"
#include "harness/stream.h"

/* PERF_RECORD_LOST_SAMPLES, which older kernel headers lack. */
#define RECORD_LOST_SAMPLES	13

#define LIMIT		7200	/* seconds; must be longer than FLOOD_SECONDS */
#define NR_SESSIONS	64

/* The highest rate of a clock, in Hz: see TPROF_CLOCK_MIN_PERIOD in the module. */
#define CLOCK_RATE	200000

/* Parameters of the module that the tests set to @most and then restore. */
static const struct limit {
	const char	*path;
	const char	*most;
} limits[] = {
	{ "/sys/module/tprof_lx/parameters/max_rate", "1000000" },
	{ "/sys/module/tprof_lx/parameters/max_stack", "512" },
};

/*
 * Registers that exec writes. Samples read them at the same time, and KCSAN
 * checks for races.
 */
#define FLOOD_REGS							\
	(1ULL << PERF_REG_X86_IP | 1ULL << PERF_REG_X86_SP |		\
	 1ULL << PERF_REG_X86_CS | 1ULL << PERF_REG_X86_BX)

/* The limit of the cgroup: FITTING bytes for each CPU's ring, plus GROUP_SPARE. */
#define FITTING		(16ULL << 20)
#define GROUP_SPARE	(12ULL << 20)

/* Where the tests mount cgroup2. */
#define GROUPS_DIR	"/tmp/flood-groups"
#define GROUP_DIR	GROUPS_DIR "/flood"

/**
 * struct tally - sums over the records of a stream
 * @samples:	number of samples
 * @lost:	number of lost samples, from the LOST_SAMPLES records
 * @side:	number of side-band records
 * @deepest:	number of entries in the longest call chain
 */
struct tally {
	__u64	samples;
	__u64	lost;
	__u64	side;
	__u64	deepest;
};

/**
 * struct reader - a thread that reads a session to its end
 * @thread:	the thread
 * @fd:		the session
 * @stops:	the thread pauses for 200 ms after every 64 reads
 * @tally:	sums over the records read
 * @ret:	0 if the end was reached, or -errno
 */
struct reader {
	pthread_t	thread;
	int		fd;
	bool		stops;
	struct tally	tally;
	int		ret;
};

/**
 * FIXTURE(flood) - state of a flood
 * @ms:		duration of the flood in milliseconds
 * @may_fail:	processes of @storm may fail
 * @info:	limits of sessions, from INFO
 * @usual:	values of limits[] before the test, to be restored
 * @probes:	threads that check that each CPU still runs tasks
 * @storm:	processes that load the machine
 */
FIXTURE(flood) {
	unsigned int		ms;
	bool			may_fail;
	struct tprof_lx_info	info;
	long			usual[ARRAY_LEN(limits)];
	struct probes		probes;
	struct storm		storm;
};

static void lift_limits(struct __test_metadata *_metadata,
			FIXTURE_DATA(flood) *self)
{
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		self->usual[i] = file_number(limits[i].path);
		ASSERT_LT(0, self->usual[i]);
		ASSERT_EQ(0, file_write(limits[i].path, limits[i].most));
	}
}

static int put_back_limits(FIXTURE_DATA(flood) *self)
{
	char text[32];
	int err = 0;

	for (size_t i = 0; i < ARRAY_LEN(limits) && !err; i++) {
		snprintf(text, sizeof(text), "%ld", self->usual[i]);
		err = file_write(limits[i].path, text);
	}
	return err;
}

FIXTURE_SETUP(flood)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	lift_limits(_metadata, self);
	ASSERT_EQ(0, session_info(fd, &self->info));
	close(fd);
	self->ms = environment("FLOOD_SECONDS", 2) * 1000;
	ASSERT_EQ(0, storm_begin(&self->storm));
	ASSERT_EQ(0, probes_begin(&self->probes));
	probes_look(&self->probes);
}

static int group_make(__u64 bytes)
{
	char text[32];
	int err = 0;

	snprintf(text, sizeof(text), "%llu", bytes);
	if (mkdir(GROUPS_DIR, 0700) && errno != EEXIST)
		return -errno;
	if (mount("none", GROUPS_DIR, "cgroup2", 0, NULL) && errno != EBUSY)
		return -errno;
	if (mkdir(GROUP_DIR, 0700) && errno != EEXIST)
		err = -errno;
	err = err ?: file_write(GROUPS_DIR "/cgroup.subtree_control", "+memory");
	return err ?: file_write(GROUP_DIR "/memory.max", text);
}

static int group_enter(void)
{
	return file_write(GROUP_DIR "/cgroup.procs", "0");
}

static int group_leave(void)
{
	return file_write(GROUPS_DIR "/cgroup.procs", "0");
}

static void group_end(void)
{
	group_leave();
	rmdir(GROUP_DIR);
	umount2(GROUPS_DIR, MNT_DETACH);
	rmdir(GROUPS_DIR);
}

static void tell_of_probes(const struct probes *probes)
{
	for (int i = 0; i < probes->nr; i++) {
		const struct probe *probe = probes->probe + i;

		printf("# note: of %llu sleeps of 1 ms on CPU %d, the worst was %llu us late\n",
		       probe->sleeps, probe->cpu, probe->worst / 1000);
	}
}

FIXTURE_TEARDOWN(flood)
{
	bool any = self->storm.nr;
	int err = storm_end(&self->storm);

	cpu_set_online(1, true);
	probes_look(&self->probes);
	EXPECT_TRUE(wait_until(probes_came(&self->probes), 10000));
	probes_end(&self->probes);
	/* If memory is exhausted, fork() may fail. */
	if (!self->may_fail) {
		EXPECT_EQ(0, err);
		EXPECT_EQ(0, self->storm.score->failed);
		EXPECT_EQ(any, !!self->storm.score->done);
	}
	EXPECT_EQ(0, put_back_limits(self));
	tell_of_probes(&self->probes);
	probes_free(&self->probes);
	group_end();
}

/* Count a sample and update @deepest. A sample without a chain has an empty body. */
static void tally_sample(struct tally *tally, const struct record *record)
{
	__u64 nr;

	tally->samples++;
	if (!record->body_bytes)
		return;
	record_chain(record, &nr);
	if (nr > tally->deepest)
		tally->deepest = nr;
}

static void tally_add(struct tally *tally, const struct stream *stream)
{
	const struct record *record;

	for_each_record(record, stream) {
		switch (record->header->type) {
		case PERF_RECORD_SAMPLE:
			tally_sample(tally, record);
			break;
		case RECORD_LOST_SAMPLES:
			tally->lost += *(const __u64 *)record->body;
			break;
		case RECORD_FINISHED_ROUND:
			break;
		default:
			tally->side++;
		}
	}
}

static void *read_to_end(void *arg)
{
	struct reader *reader = arg;
	struct stream stream = {};
	unsigned int reads = 0;

	do {
		if (reader->stops && reads++ % 64 == 0)
			usleep(200000);
		reader->ret = stream_read_portion(&stream, reader->fd);
		if (reader->ret > 0)
			tally_add(&reader->tally, &stream);
	} while (reader->ret > 0);
	stream_free(&stream);
	return NULL;
}

static int reader_begin(struct reader *reader)
{
	return -pthread_create(&reader->thread, NULL, read_to_end, reader);
}

static void attr_flood(struct perf_event_attr *attr, __u64 freq)
{
	attr_init(attr, freq);
	attr_track(attr);
	attr->context_switch = 1;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user = FLOOD_REGS;
}

/* Sum up the recorded and the lost side-band records of all CPUs. */
static void sum_sides(struct __test_metadata *_metadata, int fd, __u64 *pushed,
		      __u64 *lost)
{
	struct tprof_lx_info info = {};
	struct tprof_lx_stats stats;

	*pushed = 0;
	*lost = 0;
	ASSERT_EQ(0, session_info(fd, &info));
	for (__u32 cpu = 0; cpu < info.nr_cpus; cpu++) {
		ASSERT_EQ(0, session_stats(fd, cpu, TPROF_LX_SUM, &stats));
		*pushed += stats.side_pushed;
		*lost += stats.side_lost;
	}
}

/* Expect that STATS counts the samples and records of @tally, and no others. */
static void expect_exact(struct __test_metadata *_metadata, int fd,
			 const struct tally *tally, __u32 nr_events)
{
	struct tprof_lx_stats stats;
	__u64 pushed, lost;

	ASSERT_EQ(0, session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_EQ(0, stats.ledger.queued);
	EXPECT_EQ(stats.ledger.delivered, tally->samples);
	EXPECT_EQ(stats.ledger.lost_ring, tally->lost);
	sum_sides(_metadata, fd, &pushed, &lost);
	EXPECT_EQ(pushed, tally->side);
	EXPECT_EQ(stats.side_pushed, tally->side);
	/* @lost lacks the records that were lost on CPUs that had no ring yet. */
	EXPECT_LE(lost, stats.side_lost);
	EXPECT_TRUE(ledgers_add_up(fd, nr_events));
	printf("# note: %llu samples (%llu lost), %llu ticks merged, %llu side-band (%llu lost)\n",
	       stats.ledger.taken, stats.ledger.lost_ring, stats.ticks_merged,
	       stats.side_pushed, stats.side_lost);
}

static struct tally stop_and_read(struct __test_metadata *_metadata, int fd,
				  __u32 nr_events)
{
	struct reader reader = { .fd = fd };

	ASSERT_EQ(0, session_stop(fd, ALL_EVENTS));
	read_to_end(&reader);
	ASSERT_EQ(0, reader.ret);
	expect_exact(_metadata, fd, &reader.tally, nr_events);
	return reader.tally;
}

/*
 * Sleep for @self->ms ms. Then wait until each probe has completed a sleep since
 * probes_look().
 */
static void last(struct __test_metadata *_metadata, FIXTURE_DATA(flood) *self)
{
	const struct timespec time = { self->ms / 1000, self->ms % 1000 * NSEC_PER_MSEC };

	probes_look(&self->probes);
	nanosleep(&time, NULL);
	EXPECT_TRUE(wait_until(probes_came(&self->probes), 60000));
}

/* For each of the first STORM_MAX / 2 CPUs, add a process that runs blow_calls(). */
static void add_calls_of_all_cpus(struct __test_metadata *_metadata,
				  struct storm *storm)
{
	for (int cpu = 0; cpu < cpus_online() && cpu < STORM_MAX / 2; cpu++)
		ASSERT_EQ(0, storm_add_on(storm, blow_calls, cpu));
}

/* Run events 0 and 1 for the duration of the flood while @reader reads. */
static void run_and_read(struct __test_metadata *_metadata,
			 FIXTURE_DATA(flood) *self, struct reader *reader)
{
	ASSERT_EQ(0, session_start(reader->fd, 3));
	ASSERT_EQ(0, reader_begin(reader));
	last(_metadata, self);
	ASSERT_EQ(0, session_stop(reader->fd, 3));
	ASSERT_EQ(0, pthread_join(reader->thread, NULL));
	ASSERT_EQ(0, reader->ret);
}

static __u64 nr_lost(int fd)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats) ?
		       0 : stats.ledger.lost_ring;
}

/* Flood session @fd with one event. Read the session only at the end. */
static void flood_unread(struct __test_metadata *_metadata,
			 FIXTURE_DATA(flood) *self, int fd, const char *backend,
			 const struct perf_event_attr *attr)
{
	struct tprof_lx_stats stats;
	struct tally tally;

	add_calls_of_all_cpus(_metadata, &self->storm);
	ASSERT_EQ(0, session_small(fd, self->info.ring_min, self->info.fifo_min));
	ASSERT_EQ(0, event_add(fd, backend, attr));
	ASSERT_EQ(0, session_start(fd, 1));
	last(_metadata, self);
	EXPECT_TRUE(wait_until(nr_lost(fd), 60000));
	tally = stop_and_read(_metadata, fd, 1);
	ASSERT_EQ(0, session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats));
	EXPECT_LT(0, stats.chains_deep);
	/* The longest chain has max_stack frames and at least one PERF_CONTEXT_*. */
	EXPECT_LT(self->info.max_stack, tally.deepest);
}

static void flood_of_clock(struct __test_metadata *_metadata,
			   FIXTURE_DATA(flood) *self, const char *backend)
{
	struct perf_event_attr attr;
	int fd = session_open(0);

	attr_flood(&attr, CLOCK_RATE + 1);
	ASSERT_EQ(-ERANGE, event_add(fd, backend, &attr));
	attr_flood(&attr, CLOCK_RATE);
	flood_unread(_metadata, self, fd, backend, &attr);
	close(fd);
}

TEST_F_TIMEOUT(flood, unread_nmis_are_counted_as_lost, LIMIT)
{
	flood_of_clock(_metadata, self, "nmi");
}

TEST_F_TIMEOUT(flood, unread_ticks_are_counted_as_lost, LIMIT)
{
	flood_of_clock(_metadata, self, "timer");
}

TEST_F_TIMEOUT(flood, unread_overflows_are_counted_as_lost, LIMIT)
{
	struct perf_event_attr attr;
	struct counters counters;

	ASSERT_EQ(0, counters_open(&counters));
	if (counters.why_not)
		SKIP(return, "%s", counters.why_not);
	attr_flood(&attr, self->info.max_rate);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	flood_unread(_metadata, self, counters.fd, counters.backend.name, &attr);
	close(counters.fd);
}

/* Request all kinds of side-band records, with rings that are too small for them. */
TEST_F_TIMEOUT(flood, tasks_and_mappings_keep_the_ledger_exact, LIMIT)
{
	struct reader reader = { .fd = session_open(0), .stops = true };
	struct perf_event_attr attr;

	ASSERT_LE(0, reader.fd);
	attr_flood(&attr, 4000);
	ASSERT_EQ(0, session_small(reader.fd, self->info.ring_min,
				   self->info.fifo_min));
	ASSERT_EQ(0, event_add(reader.fd, "nmi", &attr));
	ASSERT_EQ(1, event_clock(reader.fd, "timer", 4000));
	ASSERT_EQ(0, storm_add(&self->storm, blow_processes));
	ASSERT_EQ(0, storm_add(&self->storm, blow_threads));
	ASSERT_EQ(0, storm_add(&self->storm, blow_maps));
	run_and_read(_metadata, self, &reader);
	EXPECT_LT(0, reader.tally.side);
	expect_exact(_metadata, reader.fd, &reader.tally, 2);
	close(reader.fd);
}

static __u64 nr_side_lost(int fd)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats) ?
		       0 : stats.side_lost;
}

/* Target this process and its children, and configure rings that are soon full. */
static int configure_own(int fd, const struct tprof_lx_info *info)
{
	__s32 self = getpid();
	const struct tprof_lx_config config = {
		.ring_bytes	= info->ring_min,
		.fifo_bytes	= info->fifo_min,
		.nr_targets	= 1,
		.targets	= (unsigned long)&self,
	};

	return session_config(fd, &config);
}

/* Each FORK and EXIT record of a task is either in the stream or counted as lost. */
TEST_F_TIMEOUT(flood, unread_task_records_are_counted_as_lost, LIMIT)
{
	__u64 end = now_ns() + self->ms * NSEC_PER_MSEC, nr_tasks = 0, pushed, lost;
	struct perf_event_attr attr;
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	attr_init(&attr, 100);
	attr.task = 1;
	ASSERT_EQ(0, event_add(fd, "nmi", &attr));
	ASSERT_EQ(0, configure_own(fd, &self->info));
	ASSERT_EQ(0, session_start(fd, 1));
	do {
		ASSERT_LT(0, child_runs(do_nothing, NULL));
		nr_tasks++;
	} while (now_ns() < end || !nr_side_lost(fd));
	stop_and_read(_metadata, fd, 1);
	sum_sides(_metadata, fd, &pushed, &lost);
	EXPECT_EQ(2 * nr_tasks, pushed + lost);
	close(fd);
}

TEST_F_TIMEOUT(flood, hotplug_keeps_the_ledger_exact, LIMIT)
{
	struct reader reader = { .fd = session_open(0), .stops = true };
	struct perf_event_attr attr;
	struct tprof_lx_stats stats;

	ASSERT_LE(0, reader.fd);
	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		SKIP(return, "CPU 1 cannot be taken offline");
	attr_flood(&attr, CLOCK_RATE);
	ASSERT_EQ(0, event_add(reader.fd, "nmi", &attr));
	attr_flood(&attr, 4000);
	ASSERT_EQ(1, event_add(reader.fd, "timer", &attr));
	ASSERT_EQ(0, storm_add(&self->storm, blow_cpus));
	ASSERT_EQ(0, storm_add(&self->storm, blow_processes));
	ASSERT_EQ(0, storm_add(&self->storm, blow_calls));
	run_and_read(_metadata, self, &reader);
	expect_exact(_metadata, reader.fd, &reader.tally, 2);
	ASSERT_EQ(0, session_stats(reader.fd, 1, TPROF_LX_SUM, &stats));
	EXPECT_LT(0, stats.ledger.taken);
	close(reader.fd);
}

/*
 * One session with a low rate gets a sample for at least a third of its ticks, while
 * many other sessions flood the machine.
 */
TEST_F_TIMEOUT(flood, modest_session_is_sampled_among_many, LIMIT)
{
	struct reader modest = { .fd = session_open(0) };
	struct perf_event_attr attr;
	struct tprof_lx_stats stats;
	int fds[NR_SESSIONS];

	add_calls_of_all_cpus(_metadata, &self->storm);
	ASSERT_EQ(0, storm_add(&self->storm, blow_processes));
	for (int i = 0; i < NR_SESSIONS; i++) {
		fds[i] = session_open(0);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, session_small(fds[i], self->info.ring_min,
					   self->info.fifo_min));
		attr_flood(&attr, CLOCK_RATE);
		ASSERT_EQ(0, event_add(fds[i], i % 2 ? "timer" : "nmi", &attr));
		ASSERT_EQ(0, session_start(fds[i], 1));
	}
	ASSERT_LE(0, modest.fd);
	ASSERT_EQ(0, event_clock(modest.fd, "nmi", 5));
	ASSERT_EQ(0, session_start(modest.fd, 1));
	last(_metadata, self);
	stop_and_read(_metadata, modest.fd, 1);
	ASSERT_EQ(0, session_stats(modest.fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_LT(0, stats.ledger.taken);
	EXPECT_LE(stats.ticks_merged, 2 * stats.ledger.taken);
	close(modest.fd);
	for (int i = 0; i < NR_SESSIONS; i++) {
		stop_and_read(_metadata, fds[i], 1);
		ASSERT_EQ(0, session_stats(fds[i], TPROF_LX_SUM, 0, &stats));
		EXPECT_LT(0, stats.ledger.taken);
		close(fds[i]);
	}
}

/* Start a session before memory becomes short. */
static int begin_steady(struct __test_metadata *_metadata,
			FIXTURE_DATA(flood) *self)
{
	int fd = session_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, session_small(fd, self->info.ring_min, self->info.fifo_min));
	ASSERT_EQ(0, event_clock(fd, "nmi", 100));
	ASSERT_EQ(0, session_start(fd, 1));
	return fd;
}

/* Check that the session of begin_steady() still takes samples, and close it. */
static void end_steady(struct __test_metadata *_metadata, int fd)
{
	__u64 taken = session_taken(fd, TPROF_LX_SUM, 0);

	EXPECT_TRUE(wait_until(session_taken(fd, TPROF_LX_SUM, 0) > taken, 60000));
	stop_and_read(_metadata, fd, 1);
	close(fd);
}

/*
 * Wait until process 0 of @storm, which runs blow_memory(), has made memory short.
 * If the OOM killer has killed process 0, start it again, outside of the cgroup.
 * This may take long on a slow machine, so only the timeout of the test limits the
 * wait.
 */
static void make_memory_short(struct __test_metadata *_metadata, struct storm *storm)
{
	ASSERT_EQ(0, group_leave());
	do {
		nap();
		ASSERT_LE(0, storm_renew(storm, 0, blow_memory));
	} while (!memory_is_short());
	ASSERT_EQ(0, group_enter());
}

/* Run a session and check its ledger. If the session cannot start, return -errno. */
static int try_session(struct __test_metadata *_metadata, __u64 ring_bytes)
{
	struct perf_event_attr attr;
	int fd = session_open(0), err;

	if (fd == -ENOMEM)
		return fd;
	ASSERT_LE(0, fd);
	attr_flood(&attr, 2000);
	err = session_small(fd, ring_bytes, 1 << 20);
	if (!err)
		err = event_add(fd, "nmi", &attr);
	if (!err)
		err = session_start(fd, 1);
	if (!err) {
		usleep(20000);
		stop_and_read(_metadata, fd, 1);
	}
	close(fd);
	return err;
}

/*
 * Try rings of 1 MiB to 64 MiB. Rings of 1 MiB nearly always fit into memory, rings
 * above FITTING exceed the limit of the cgroup, and other rings may or may not fit.
 */
TEST_F_TIMEOUT(flood, session_starts_whole_or_is_enomem, LIMIT)
{
	__u64 nr_sessions = 0, nr_refused = 0, end, ring_bytes;
	int steady, err;

	if (group_make(cpus_online() * FITTING + GROUP_SPARE))
		SKIP(return, "the memory of a cgroup cannot be limited here");
	self->may_fail = true;
	expect_oom();
	steady = begin_steady(_metadata, self);
	ASSERT_EQ(0, hold_memory());
	ASSERT_EQ(0, storm_add(&self->storm, blow_memory));
	make_memory_short(_metadata, &self->storm);
	ASSERT_EQ(0, group_leave());
	ASSERT_EQ(0, storm_add(&self->storm, blow_processes));
	end = now_ns() + self->ms * NSEC_PER_MSEC;
	do {
		make_memory_short(_metadata, &self->storm);
		ring_bytes = 1ULL << (20 + (nr_sessions + nr_refused) % 7);
		err = try_session(_metadata, ring_bytes);
		if (err || ring_bytes > FITTING) {
			EXPECT_EQ(-ENOMEM, err);
			nr_refused++;
		} else {
			nr_sessions++;
		}
	} while (now_ns() < end || !nr_sessions || !nr_refused);
	ASSERT_EQ(0, group_leave());
	EXPECT_TRUE(wait_until(probes_came(&self->probes), 60000));
	end_steady(_metadata, steady);
	printf("# note: %llu sessions started, %llu had no memory\n", nr_sessions,
	       nr_refused);
}

/*
 * Rings are charged to the cgroup of the caller. If they exceed its limit, no
 * process is killed.
 */
TEST_F(flood, rings_beyond_the_cgroup_limit_are_enomem)
{
	const __u64 much = 32 << 20;
	struct tprof_lx_stats before, after;
	struct perf_event_attr attr;
	int fd = session_open(0);

	if (group_make(48 << 20))
		SKIP(return, "the memory of a cgroup cannot be limited here");
	attr_flood(&attr, 100);
	ASSERT_EQ(0, group_enter());
	ASSERT_EQ(0, event_add(fd, "timer", &attr));
	ASSERT_EQ(0, session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &before));
	if (cpus_online() > 1) {
		EXPECT_EQ(-ENOMEM, session_small(fd, much, self->info.fifo_min) ?:
				   session_start(fd, 1));
		ASSERT_EQ(0, session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &after));
		EXPECT_EQ(before.buffers_failed + 1, after.buffers_failed);
	}
	EXPECT_EQ(0, session_small(fd, self->info.ring_min, self->info.fifo_min));
	EXPECT_EQ(0, session_start(fd, 1));
	stop_and_read(_metadata, fd, 1);
	close(fd);
}

/* Memory is allocated for the threads that there are, and not for those that could be listed. */
TEST_F(flood, room_for_threads_needs_no_memory)
{
	struct tprof_lx_thread thread;
	struct tprof_lx_threads arg = {
		.size		= sizeof(arg),
		.nr_threads	= ~0U,
		.threads	= (unsigned long)&thread,
		.thread_size	= sizeof(thread),
	};
	int fd = session_open(0);

	if (group_make(48 << 20))
		SKIP(return, "the memory of a cgroup cannot be limited here");
	ASSERT_EQ(0, group_enter());
	EXPECT_EQ(-ENOENT, session_ioctl(fd, TPROF_LX_IOC_THREADS, &arg));
	close(fd);
}

TEST_HARNESS_MAIN
