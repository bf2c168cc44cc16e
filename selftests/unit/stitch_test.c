// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - samples completed by deferred call chains
 *
 * Each test makes a recording with records as the module writes them, and reads it.
 */
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/load.h"
#include "perfdata/record_make.h"
#include "perfdata/stitch.h"
#include "perfdata/writer.h"
#include "unit.h"

enum {
	PID	= 10,
	TID	= 11,
	OTHER	= 12,
	ID	= 5,
};

static struct perfdata_event event = {
	.attr = {
		.size = sizeof(event.attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_REGS_USER,
		.sample_regs_user = 1,
		.sample_id_all = 1,
	},
	.id = ID,
	.name = "nmi",
};

static struct bytes records;
static struct reader reader;
static struct stitch stitch;
static int fd;

static void begin(void)
{
	records = (struct bytes){ 0 };
}

static void add_chain(const u64 *chain, u64 nr)
{
	bytes_add_u64(&records, nr);
	bytes_add(&records, chain, nr * sizeof(*chain));
}

static void add_sample(u32 tid, u64 time, bool is_asked, const u64 *chain, u64 nr)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER | (is_asked ? TPROF_LX_MISC_CHAIN_DEFERRED : 0),
		.size = sizeof(header) + (8 + nr) * sizeof(u64),
	};

	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, ID);
	bytes_add_u64(&records, 0x1000);
	bytes_add_u32(&records, PID);
	bytes_add_u32(&records, tid);
	bytes_add_u64(&records, time);
	bytes_add_u64(&records, 0);
	add_chain(chain, nr);
	bytes_add_u64(&records, PERF_SAMPLE_REGS_ABI_64);
	bytes_add_u64(&records, 0xab);
}

static void add_end(u32 tid, u64 time, u64 elapsed, const u64 *chain, u64 nr)
{
	struct perf_event_header header = { .type = PERF_RECORD_CGROUP };
	struct record_trailer trailer = { .pid = PID, .tid = tid, .time = time, .id = ID };
	struct tprof_lx_chain told = { .path = TPROF_LX_CHAIN_PATH, .elapsed = elapsed, .nr = nr };

	header.size = sizeof(header) + sizeof(told) + nr * sizeof(*chain) + RECORD_TRAILER_BYTES;
	bytes_add(&records, &header, sizeof(header));
	bytes_add(&records, &told, sizeof(told));
	bytes_add(&records, chain, nr * sizeof(*chain));
	record_add_trailer(&records, &trailer);
}

static void add_comm(u64 time)
{
	struct record_trailer trailer = { .pid = PID, .tid = TID, .time = time, .id = ID };

	record_comm(&records, &trailer, "other");
}

static void add_map(u64 time)
{
	struct record_trailer trailer = { .pid = PID, .tid = OTHER, .time = time, .id = ID };
	struct mapping map = { .start = 0x1000, .len = 0x1000, .prot = 5, .name = "/lib/other" };

	record_mmap2(&records, &trailer, &map);
}

static void open_records(void)
{
	struct feature_set features = { 0 };
	struct writer writer;
	size_t written;

	fd = memfd_create("recording", 0);
	features_add_events(&features, &event, 1);
	if (fd < 0 || writer_begin(&writer, fd, false, &event, 1, &features) ||
	    writer_append(&writer, records.data, records.len, &written) ||
	    writer_end(&writer, &features) || lseek(fd, 0, SEEK_SET) || reader_open(&reader, fd))
		abort();
	features_free(&features);
	stitch_init(&stitch, &reader);
}

static void close_records(void)
{
	stitch_free(&stitch);
	reader_close(&reader);
	close(fd);
	bytes_free(&records);
}

/*
 * Return true if the next sample has @time and @chain, and the fields after @chain
 * are intact.
 */
static bool is_next(u64 time, const u64 *chain, u64 nr)
{
	struct sample sample;
	struct record record;

	do {
		if (stitch_next(&stitch, &record) != 1)
			return false;
	} while (record.header.type != PERF_RECORD_SAMPLE);
	return !layout_sample(&record.event->layout, record.data, &sample) &&
	       record.time == time && sample.time == time && sample.chain.nr == nr &&
	       !memcmp(sample.chain.at, chain, nr * sizeof(*chain)) &&
	       sample.user_regs.nr == 1 && load_u64(sample.user_regs.at) == 0xab;
}

static bool is_end(void)
{
	struct record record;
	int ret;

	while ((ret = stitch_next(&stitch, &record)) == 1)
		;
	return !ret && !stitch_next(&stitch, &record);
}

static const u64 user[] = { PERF_CONTEXT_USER, 0x1000 };
static const u64 user_whole[] = { PERF_CONTEXT_USER, 0x1000, 0x2000, 0x3000 };
static const u64 deeper[] = { PERF_CONTEXT_USER, 0x1000, 0x2000 };
static const u64 marked[] = { PERF_CONTEXT_USER, 0x1000, PERF_CONTEXT_USER, 0x2000,
			      PERF_CONTEXT_USER, 0x3000 };
static const u64 elsewhere[] = { PERF_CONTEXT_USER, 0x1001, 0x2000 };

static void test_whole(void)
{
	begin();
	add_sample(TID, 1, true, user, ARRAY_SIZE(user));
	add_sample(OTHER, 2, false, user, ARRAY_SIZE(user));
	add_sample(TID, 3, true, deeper, ARRAY_SIZE(deeper));
	add_sample(OTHER, 4, true, user, ARRAY_SIZE(user));
	add_end(TID, 5, 4, user_whole, ARRAY_SIZE(user_whole));
	add_sample(TID, 6, false, user, ARRAY_SIZE(user));
	open_records();
	unit_ok(is_next(2, user, ARRAY_SIZE(user)),
		"a sample without a deferred chain does not wait");
	unit_ok(is_next(1, user_whole, ARRAY_SIZE(user_whole)),
		"a deferred chain completes a sample");
	unit_ok(is_next(3, user_whole, ARRAY_SIZE(user_whole)),
		"a deferred chain completes all samples of the thread before it");
	unit_ok(is_next(6, user, ARRAY_SIZE(user)),
		"a sample after the deferred chain is not completed");
	unit_ok(is_next(4, user, ARRAY_SIZE(user)),
		"a sample of another thread is not completed");
	unit_ok(is_end() && stitch.nr_continued == 2,
		"the samples that were completed are counted");
	close_records();
}

static void test_others(void)
{
	const u64 ms = 1000000;

	begin();
	add_sample(TID, 1 * ms, true, elsewhere, ARRAY_SIZE(elsewhere));
	add_end(TID, 2 * ms, ms, user_whole, ARRAY_SIZE(user_whole));
	add_sample(TID, 3 * ms, true, user, ARRAY_SIZE(user));
	add_comm(4 * ms);
	add_end(TID, 5 * ms, 2 * ms, user_whole, ARRAY_SIZE(user_whole));
	add_sample(TID, 6 * ms, true, user, ARRAY_SIZE(user));
	add_sample(TID, 8 * ms, true, user, ARRAY_SIZE(user));
	add_end(TID, 9 * ms, ms, user_whole, ARRAY_SIZE(user_whole));
	open_records();
	unit_ok(is_next(1 * ms, elsewhere, ARRAY_SIZE(elsewhere)),
		"a sample with another beginning is not completed");
	unit_ok(is_next(3 * ms, user, ARRAY_SIZE(user)),
		"a sample from before an exec or new name is not completed");
	unit_ok(is_next(6 * ms, user, ARRAY_SIZE(user)),
		"a sample from before the request is not completed");
	unit_ok(is_next(8 * ms, user_whole, ARRAY_SIZE(user_whole)),
		"a sample from after the request is completed");
	unit_ok(is_end() && stitch.nr_continued == 1,
		"samples that were not completed are not counted");
	close_records();
}

/*
 * A sample that waits for its chain must be returned before a record that changes
 * mappings.
 */
static void test_mappings(void)
{
	const u64 ms = 1000000;

	begin();
	add_sample(TID, 1 * ms, true, user, ARRAY_SIZE(user));
	add_map(2 * ms);
	add_end(TID, 3 * ms, 2 * ms, user_whole, ARRAY_SIZE(user_whole));
	open_records();
	unit_ok(is_next(1 * ms, user, ARRAY_SIZE(user)),
		"a mapping ends the waiting of a sample");
	unit_ok(is_end() && !stitch.nr_continued,
		"a mapping of another thread leaves no sample completed");
	close_records();
}

static void test_frames(void)
{
	event.attr.sample_max_stack = 2;
	begin();
	add_sample(TID, 1, true, user, ARRAY_SIZE(user));
	add_end(TID, 2, 1, user_whole, ARRAY_SIZE(user_whole));
	open_records();
	unit_ok(is_next(1, user_whole, 3) && is_end(),
		"a completed sample has no more frames than its event allows");
	close_records();
	begin();
	add_sample(TID, 1, true, user, ARRAY_SIZE(user));
	add_sample(TID, 2, true, marked, 3);
	add_end(TID, 3, 2, marked, ARRAY_SIZE(marked));
	open_records();
	unit_ok(is_next(1, marked, 4), "marks of a completed sample are no frames");
	unit_ok(is_next(2, marked, 4) && is_end(), "a chain may end after a mark");
	close_records();
	event.attr.sample_max_stack = 0;
}

static void test_limits(void)
{
	u64 time;

	begin();
	for (time = 1; time <= 5000; time++)
		add_sample(TID, time, true, user, ARRAY_SIZE(user));
	add_sample(OTHER, 3 * NSEC_PER_SEC, true, user, ARRAY_SIZE(user));
	add_sample(TID, 5 * NSEC_PER_SEC, false, user, ARRAY_SIZE(user));
	open_records();
	for (time = 1; time <= 5000 && is_next(time, user, ARRAY_SIZE(user)); time++)
		;
	unit_ok(time == 5001 && stitch.waiting.nr < 1000,
		"a bounded number of samples wait");
	unit_ok(is_next(3 * NSEC_PER_SEC, user, ARRAY_SIZE(user)) &&
		is_next(5 * NSEC_PER_SEC, user, ARRAY_SIZE(user)),
		"samples wait for a bounded time");
	close_records();
	begin();
	add_sample(TID, 1, true, user, ARRAY_SIZE(user));
	add_end(TID, 2, 1, user_whole, ARRAY_SIZE(user_whole));
	/* Overwrite the number of addresses in the deferred chain. */
	*(u64 *)(records.data + records.len - RECORD_TRAILER_BYTES -
		 sizeof(user_whole) - sizeof(u64)) = 1ULL << 61;
	open_records();
	unit_ok(is_next(1, user, ARRAY_SIZE(user)) && is_end(),
		"a deferred chain with a wrong length is ignored");
	close_records();
	begin();
	for (time = ~0ULL - NSEC_PER_SEC - 1; time <= ~0ULL - NSEC_PER_SEC + 1; time++)
		add_sample(TID, time, true, user, ARRAY_SIZE(user));
	open_records();
	unit_ok(is_end(), "times close to the largest do not prevent the end");
	close_records();
}

int main(void)
{
	test_whole();
	test_others();
	test_mappings();
	test_frames();
	test_limits();
	return unit_exit();
}
