// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - fields of samples and trailers
 *
 * A sample with every field is cut at every length, and must be refused each time. Each
 * cut sample is in a heap block of its length, so that AddressSanitizer reports a read
 * beyond its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/load.h"
#include "perfdata/layout.h"
#include "perfdata/perfdata.h"
#include "perfdata/reader.h"
#include "unit.h"

static const struct perf_event_attr everything = {
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
		       PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
		       PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
		       PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR |
		       PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
		       PERF_SAMPLE_DATA_PAGE_SIZE |
		       PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
		       PERF_FORMAT_TOTAL_TIME_ENABLED,
	.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | 1U << 19,
	.sample_regs_user = 0x7,
	.sample_regs_intr = 0x3,
	.sample_id_all = 1,
};

static void add_header(struct bytes *out, u32 type)
{
	struct perf_event_header header = { .type = type };

	bytes_add(out, &header, sizeof(header));
}

static void set_size(struct bytes *out)
{
	u16 size = out->len;

	memcpy(out->data + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
}

static void add_words(struct bytes *out, u64 first, int nr)
{
	for (int i = 0; i < nr; i++)
		bytes_add_u64(out, first + i);
}

/* Add the numbers and sizes of vector and predicate registers, and their values. */
static void add_vectors(struct bytes *out)
{
	const u16 sizes[] = { 3, 4, 2, 1 };

	bytes_add(out, sizes, sizeof(sizes));
	add_words(out, 900, 3 * 4 + 2 * 1);
}

static void make_sample(struct bytes *out, bool has_vectors)
{
	u64 abi = PERF_SAMPLE_REGS_ABI_64 | (has_vectors ? PERFDATA_REGS_ABI_SIMD : 0);

	add_header(out, PERF_RECORD_SAMPLE);
	add_words(out, 100, 2);			/* IDENTIFIER, IP */
	bytes_add_u32(out, 11);			/* TID */
	bytes_add_u32(out, 12);
	add_words(out, 200, 4);			/* TIME to STREAM_ID */
	bytes_add_u32(out, 3);			/* CPU */
	bytes_add_u32(out, 0);
	bytes_add_u64(out, 300);		/* PERIOD */
	bytes_add_u64(out, 2);			/* READ: nr = 2, time_enabled, 2 * (value, id) */
	add_words(out, 0, 5);
	bytes_add_u64(out, 3);			/* CALLCHAIN */
	add_words(out, 400, 3);
	bytes_add_u32(out, 12);			/* RAW */
	bytes_add(out, "tracepoint!", 12);
	bytes_add_u64(out, 2);			/* BRANCH_STACK */
	bytes_add_u64(out, ~0ULL);
	add_words(out, 500, 6 + 2);		/* 2 branches and their counters */
	bytes_add_u64(out, abi);
	add_words(out, 600, 3);
	if (has_vectors)
		add_vectors(out);
	bytes_add_u64(out, 16);			/* STACK_USER */
	add_words(out, 0, 2);
	bytes_add_u64(out, 8);
	add_words(out, 700, 3);			/* WEIGHT to TRANSACTION */
	bytes_add_u64(out, abi);
	add_words(out, 0, 2);
	if (has_vectors)
		add_vectors(out);
	add_words(out, 800, 4);			/* PHYS_ADDR to CODE_PAGE */
	bytes_add_u64(out, 8);			/* AUX */
	bytes_add_u64(out, 0);
	set_size(out);
}

static void test_sample(const struct bytes *record)
{
	struct layout layout;
	struct sample sample;

	layout_init(&layout, &everything);
	unit_ok(!layout_sample(&layout, record->data, &sample),
		"a sample with all fields is parsed");
	unit_ok(sample.ip == 101 && sample.pid == 11 && sample.tid == 12 &&
		sample.time == 200 && sample.addr == 201 && sample.id == 202 &&
		sample.stream_id == 203 && sample.cpu == 3 &&
		sample.period == 300, "fields at fixed offsets are read");
	unit_ok(sample.chain.nr == 3 && load_u64(sample.chain.at) == 400 &&
		load_u64(sample.chain.at + 16) == 402,
		"the call chain is read");
	unit_ok(sample.raw_size == 12 && !strcmp((char *)sample.raw,
						 "tracepoint!"),
		"raw data is read");
	unit_ok(sample.branches.nr == 2 && load_u64(sample.branches.at) == 500,
		"the branch stack is read");
	unit_ok(sample.user_regs.nr == 3 &&
		load_u64(sample.user_regs.at + 8) == 601,
		"user registers are read");
	unit_ok(sample.stack_size == 8 && sample.weight == 700 &&
		sample.data_src == 701 && sample.transaction == 702,
		"stack, weight, data source and transaction are read");
	unit_ok(sample.phys_addr == 800 && sample.cgroup == 801 &&
		sample.data_page_size == 802 && sample.code_page_size == 803,
		"physical address, cgroup and page sizes are read");
	unit_ok(layout.id == 8 && layout.time == 32,
		"the offsets of id and time are computed");
}

static void test_cuts(const struct bytes *record, const char *name)
{
	struct layout layout;
	struct sample sample;
	int accepted = 0;

	layout_init(&layout, &everything);
	for (u16 size = sizeof(struct perf_event_header); size < record->len;
	     size++) {
		u8 *cut = malloc(size);

		memcpy(cut, record->data, size);
		memcpy(cut + offsetof(struct perf_event_header, size), &size,
		       sizeof(size));
		accepted += !layout_sample(&layout, cut, &sample);
		layout_trailer(&layout, cut, &sample);
		free(cut);
	}
	unit_ok(!accepted, name);
}

/* Replace each word in turn by counts that overflow when multiplied by a size. */
static void test_huge_counts(const struct bytes *record, const char *name)
{
	static const u64 huge[] = { ~0ULL, 1ULL << 61, 1ULL << 32, 0xffffff };
	struct layout layout;
	struct sample sample;
	u8 *copy = malloc(record->len);
	int refused = 0;

	layout_init(&layout, &everything);
	for (size_t at = 8; at + 8 <= record->len; at += 4) {
		for (size_t i = 0; i < ARRAY_SIZE(huge); i++) {
			memcpy(copy, record->data, record->len);
			memcpy(copy + at, &huge[i], sizeof(huge[i]));
			refused += !!layout_sample(&layout, copy, &sample);
		}
	}
	free(copy);
	unit_ok(refused > 0, name);
}

static void test_trailer(void)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.sample_id_all = 1,
	};
	struct bytes record = { 0 };
	struct layout layout;
	struct sample sample;

	add_header(&record, PERF_RECORD_LOST_SAMPLES);
	bytes_add_u64(&record, 5);
	bytes_add_u32(&record, 21);
	bytes_add_u32(&record, 22);
	bytes_add_u64(&record, 1234);
	bytes_add_u32(&record, 7);
	bytes_add_u32(&record, 0);
	bytes_add_u64(&record, 99);
	set_size(&record);

	layout_init(&layout, &attr);
	unit_ok(layout.trailer == 32 && layout.trailer_time == 8 &&
		layout.trailer_id == 24,
		"the offsets in the trailer are computed");
	unit_ok(!layout_trailer(&layout, record.data, &sample) &&
		sample.pid == 21 && sample.tid == 22 && sample.time == 1234 &&
		sample.cpu == 7 && sample.id == 99, "a trailer is parsed");
	unit_ok(!(sample.fields & (PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD)),
		"a trailer has no address and no period");
	attr.sample_id_all = 0;
	layout_init(&layout, &attr);
	unit_ok(!layout.trailer && !layout_trailer(&layout, record.data,
						   &sample) && !sample.fields,
		"without sample_id_all there is no trailer");
	bytes_free(&record);
}

static bool is_same_place(const struct sample *a, const struct sample *b)
{
	return a->fields == b->fields && a->ip == b->ip && a->pid == b->pid && a->tid == b->tid &&
	       a->time == b->time && a->cpu == b->cpu && a->period == b->period &&
	       a->chain.nr == b->chain.nr && (!a->chain.nr || a->chain.at == b->chain.at);
}

/* For random samples, layout_place() must find the same fields as layout_sample(). */
static void test_place(void)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	struct sample sample, place;
	struct perf_event_attr attr;
	struct layout layout;
	int read = 0, same = 0;
	u64 words[32];

	srandom(1);
	for (int i = 0; i < 50000; i++) {
		attr = (struct perf_event_attr){ .sample_type = random() & 0x1ffff };
		header.size = sizeof(header) + random() % (sizeof(words) - sizeof(header));
		for (size_t at = 0; at < ARRAY_SIZE(words); at++)
			words[at] = random() % 2 ? random() % 8 : random() * 0x100000001ULL;
		memcpy(words, &header, sizeof(header));
		layout_init(&layout, &attr);
		memset(&place, 0xff, sizeof(place));
		if (layout_sample(&layout, (u8 *)words, &sample)) {
			layout_place(&layout, 0, (u8 *)words, &place);
			continue;
		}
		read++;
		same += !layout_place(&layout, 0, (u8 *)words, &place) &&
			is_same_place(&sample, &place);
	}
	unit_ok(read > 1000 && same == read,
		"layout_place() and layout_sample() agree");
}

/* Return the value of a field that is not in LAYOUT_PLACE. */
static u64 value_of(const struct sample *sample, u64 field)
{
	switch (field) {
	case PERF_SAMPLE_ADDR:
		return sample->addr;
	case PERF_SAMPLE_STREAM_ID:
		return sample->stream_id;
	case PERF_SAMPLE_RAW:
		return (uintptr_t)sample->raw ^ sample->raw_size;
	case PERF_SAMPLE_BRANCH_STACK:
		return (uintptr_t)sample->branches.at ^ sample->branches.nr;
	case PERF_SAMPLE_WEIGHT:
		return sample->weight;
	case PERF_SAMPLE_DATA_SRC:
		return sample->data_src;
	case PERF_SAMPLE_TRANSACTION:
		return sample->transaction;
	case PERF_SAMPLE_PHYS_ADDR:
		return sample->phys_addr;
	case PERF_SAMPLE_CGROUP:
		return sample->cgroup;
	case PERF_SAMPLE_DATA_PAGE_SIZE:
		return sample->data_page_size;
	case PERF_SAMPLE_CODE_PAGE_SIZE:
		return sample->code_page_size;
	default:
		return sample->id;
	}
}

static void test_needed(void)
{
	const u64 others = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR | PERF_SAMPLE_STREAM_ID |
			   PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT |
			   PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR |
			   PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
			   PERF_SAMPLE_CODE_PAGE_SIZE;
	struct perf_event_attr attr = { .sample_type = others | PERF_SAMPLE_IP };
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	struct sample sample, place;
	struct layout layout;
	int asked = 0, same = 0;
	/* Header, IDENTIFIER, IP, ADDR, STREAM_ID, 4 bytes RAW, 2 branches, rest */
	u64 words[20] = { 0, 1, 2, 3, 4, 4, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

	header.size = sizeof(words);
	memcpy(words, &header, sizeof(header));
	layout_init(&layout, &attr);
	if (layout_sample(&layout, (u8 *)words, &sample))
		abort();
	for (u64 field = 1; field; field <<= 1) {
		if (!(field & others))
			continue;
		asked++;
		memset(&place, 0xa5, sizeof(place));
		same += !layout_place(&layout, field, (u8 *)words, &place) &&
			is_same_place(&sample, &place) &&
			value_of(&sample, field) == value_of(&place, field);
	}
	unit_ok(asked == 12 && same == asked, "each field that is needed is taken");
}

/* The fields after vector registers must be read as without them. */
static void test_vectors(void)
{
	struct bytes record = { 0 };
	struct layout layout;
	struct sample sample;

	make_sample(&record, true);
	layout_init(&layout, &everything);
	unit_ok(!layout_sample(&layout, record.data, &sample) && sample.user_regs.nr == 3 &&
		load_u64(sample.user_regs.at + 16) == 602 && sample.stack_size == 8 &&
		sample.weight == 700 && sample.transaction == 702,
		"vector registers of user mode are skipped");
	unit_ok(sample.phys_addr == 800 && sample.cgroup == 801 && sample.code_page_size == 803,
		"vector registers of the interrupt are skipped");
	test_cuts(&record, "a sample with vector registers is refused wherever it is cut");
	test_huge_counts(&record, "huge counts of vector registers are refused");
	bytes_free(&record);
}

/* An attr of Linux 7.3 is larger than that of the installed header. */
static void test_new_attr(void)
{
	u64 attr[144 / sizeof(u64)];
	struct reader reader;

	memset(attr, 0xff, sizeof(attr));
	memcpy(attr, &everything, sizeof(everything) < sizeof(attr) ? sizeof(everything) :
								      sizeof(attr));
	reader_begin(&reader, -1);
	unit_ok(!reader_add_event(&reader, attr, sizeof(attr)) && reader.nr_events == 1 &&
		reader.events[0].layout.attr.sample_type == everything.sample_type &&
		reader.events[0].layout.attr.sample_regs_intr == everything.sample_regs_intr,
		"an attr of 144 bytes is read");
	reader_close(&reader);
}

int main(void)
{
	struct bytes record = { 0 };

	make_sample(&record, false);
	test_sample(&record);
	test_cuts(&record, "a sample is refused wherever it is cut");
	test_huge_counts(&record, "huge counts are refused");
	test_vectors();
	test_new_attr();
	test_trailer();
	test_place();
	test_needed();
	bytes_free(&record);
	return unit_exit();
}
