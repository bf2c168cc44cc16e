// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the forms of records
 *
 * Each record is in a heap block of its size, so that AddressSanitizer reports a read beyond
 * its end.
 */
#include <stdlib.h>
#include <string.h>

#include "perfdata/record_shape.h"
#include "unit.h"

static const struct perf_event_attr counting = {
	.inherit_stat = 1,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
		       PERF_FORMAT_ID,
};

/* Put @record into a block of its own, and check it. */
static bool fits(const void *record, size_t size, u32 type, const struct perf_event_attr *attr)
{
	struct record_body body = { .size = size };
	u8 *copy = malloc(size);
	bool result;

	memcpy(copy, record, size);
	body.data = copy;
	result = record_shape_fits(&body, type, attr);
	free(copy);
	return result;
}

static const u64 zeros[16];

static void test_fixed(void)
{
	unit_ok(fits(zeros, 8, PERF_RECORD_SWITCH, &counting) &&
		!fits(zeros, 16, PERF_RECORD_SWITCH, &counting) &&
		fits(zeros, 32, PERF_RECORD_EXIT, &counting) &&
		!fits(zeros, 24, PERF_RECORD_EXIT, &counting),
		"a record of fixed length has that length");
}

static void test_array(void)
{
	u64 chain[] = { 0, 1, 2, 3, 4 };

	unit_ok(fits(chain, 40, PERFDATA_CHAIN_DEFERRED, &counting) &&
		!fits(chain, 32, PERFDATA_CHAIN_DEFERRED, &counting) &&
		!fits(chain, 16, PERFDATA_CHAIN_DEFERRED, &counting),
		"an array has as many entries as it says");
	chain[2] = 1ULL << 61 | 2;
	unit_ok(!fits(chain, 40, PERFDATA_CHAIN_DEFERRED, &counting),
		"a huge number of entries is refused");
}

static void test_text(void)
{
	u8 comm[32] = { 0 };

	memset(comm + 16, 'x', 15);
	unit_ok(fits(comm, 32, PERF_RECORD_COMM, &counting) &&
		!fits(comm, 24, PERF_RECORD_COMM, &counting) &&
		!fits(comm, 16, PERF_RECORD_COMM, &counting), "a text ends in its record");
	comm[24] = '\0';
	unit_ok(fits(comm, 32, PERF_RECORD_COMM, &counting), "the padding may have any value");
	comm[23] = '\0';
	unit_ok(!fits(comm, 32, PERF_RECORD_COMM, &counting),
		"more than the padding after a text is refused");
}

static void test_values(void)
{
	struct perf_event_attr attr = counting;

	unit_ok(fits(zeros, 16 + 4 * 8, PERF_RECORD_READ, &attr) &&
		!fits(zeros, 16 + 3 * 8, PERF_RECORD_READ, &attr),
		"a READ record has the values of read_format");
	attr.read_format |= PERF_FORMAT_LOST;
	unit_ok(fits(zeros, 16 + 5 * 8, PERF_RECORD_READ, &attr),
		"lost samples are one of the values");
	attr.read_format |= PERF_FORMAT_GROUP;
	unit_ok(fits(zeros, 16 + 8 * 8, PERF_RECORD_READ, &attr),
		"a READ record of a group has any number of values");
	attr = (struct perf_event_attr){ 0 };
	unit_ok(!fits(zeros, 24, PERF_RECORD_READ, &attr),
		"an event that counts no threads has no READ records");
}

static void test_poke(void)
{
	u16 poke[20] = { [8] = 5, [9] = 6 };

	unit_ok(fits(poke, 32, PERF_RECORD_TEXT_POKE, &counting) &&
		!fits(poke, 40, PERF_RECORD_TEXT_POKE, &counting) &&
		!fits(poke, 24, PERF_RECORD_TEXT_POKE, &counting) &&
		!fits(poke, 16, PERF_RECORD_TEXT_POKE, &counting),
		"a TEXT_POKE record has as many bytes as it says");
}

/* perf 7.3 writes types up to 86. */
static void test_known(void)
{
	unit_ok(!record_shape_known(0) && record_shape_known(PERFDATA_CHAIN_DEFERRED) &&
		!record_shape_known(PERFDATA_CHAIN_DEFERRED + 1) && !record_shape_known(63) &&
		record_shape_known(PERFDATA_USER_TYPES) && record_shape_known(86) &&
		!record_shape_known(87) && !record_shape_known(~0U),
		"the types of perf 7.3 are known");
}

int main(void)
{
	test_fixed();
	test_array();
	test_text();
	test_values();
	test_poke();
	test_known();
	return unit_exit();
}
