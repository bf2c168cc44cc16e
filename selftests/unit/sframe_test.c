// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - sections of .sframe of each version, whole and damaged
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "unwind/sframe.h"

#define ADDR		0x402000ULL
#define CODE		0x401000ULL
#define MAX_BYTES	1024
#define MAX_ROWS	5
#define FROM_ENTRY	4

/* The bits of a row: the register and the number of words */
#define RSP(nr)		(1 | (nr) << 1)
#define RBP(nr)		((nr) << 1)
#define FLEXIBLE(nr)	((nr) << 1)

/* The first of two flexible words: is it from a register, is it in memory, which register */
#define PLACE(has_register, is_loaded, number)	((has_register) | (is_loaded) << 1 | (number) << 3)
#define SAVED		PLACE(0, 1, 0)

/**
 * struct shape - a function to describe
 * @begin:	its beginning, counted from CODE
 * @len:	its length
 * @version:	the first version that can describe it
 * @size:	0, 1 or 2: offsets and words of 1, 2 or 4 bytes
 * @block:	size of blocks, or 0
 * @is_flexible: the rows have flexible words
 * @is_signal:	it is a signal frame
 * @nr:		number of @rows
 * @rows:	the rows, and the rule that each must give
 */
struct shape {
	u32	begin;
	u32	len;
	u8	version;
	u8	size;
	u8	block;
	bool	is_flexible;
	bool	is_signal;
	u32	nr;
	struct {
		u32	offset;
		u8	bits;
		s32	words[6];
		struct tprof_lx_unwind_rule rule;
	} rows[MAX_ROWS];
};

#define SAME	TPROF_LX_UNWIND_RBP_SAME
#define GONE	TPROF_LX_UNWIND_RBP_UNDEFINED
#define CFA(base, offset, rbp)	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_##base, rbp, offset }

/* Not in the order of addresses */
static const struct shape shapes[] = {
	{ 0x1000, 0x12345, 1, 2, .nr = 2, .rows = {
		{ 0, RSP(1), { 8 }, CFA(RSP, 8, SAME) },
		{ 0x12000, RSP(2), { 0x20000, -16 }, CFA(RSP, 0x20000, -16) } } },
	{ 0x000, 0x40, 1, 0, .nr = 4, .rows = {
		{ 0, RSP(1), { 8 }, CFA(RSP, 8, SAME) },
		{ 1, RSP(2), { 16, -16 }, CFA(RSP, 16, -16) },
		{ 4, RBP(2), { 16, -16 }, CFA(RBP, 16, -16) },
		{ 0x3f, RSP(2), { 8, -16 }, CFA(RSP, 8, -16) } } },
	{ 0x100, 0x400, 1, 1, .nr = 2, .rows = {
		{ 0, RSP(1), { 0x1008 }, CFA(RSP, 0x1008, SAME) },
		{ 0x300, RBP(2), { 16, -0x800 }, CFA(RBP, 16, -0x800) } } },
	{ 0x600, 0x20, 1, 0, .nr = 1, .rows = {
		{ 0, 0, { 0 }, { .how = TPROF_LX_UNWIND_END } } } },
	{ 0x700, 0x30, 1, 0, 16, .nr = 2, .rows = {
		{ 0, RSP(1), { 8 }, CFA(RSP, 8, SAME) },
		{ 11, RSP(1), { 16 }, CFA(RSP, 16, SAME) } } },
	{ 0x780, 0x28, 2, 0, 8, .nr = 2, .rows = {
		{ 0, RSP(1), { 8 }, CFA(RSP, 8, SAME) },
		{ 3, RSP(1), { 24 }, CFA(RSP, 24, SAME) } } },
	{ 0x800, 0x20, 3, 0, .is_flexible = true, .nr = 4, .rows = {
		{ 0, FLEXIBLE(2), { PLACE(1, 0, 10), 0 },
		  { TPROF_LX_UNWIND_CFA, 10, SAME, 0 } },
		{ 4, FLEXIBLE(5), { PLACE(1, 1, 6), -8, 0, SAVED, -24 },
		  { TPROF_LX_UNWIND_DEREF, 6, -24, -8 } },
		{ 8, FLEXIBLE(6), { PLACE(1, 0, 7), 16, SAVED, -8, PLACE(1, 1, 6), 0 },
		  CFA(RSP, 16, GONE) },
		{ 12, FLEXIBLE(4), { PLACE(1, 0, 7), 16, PLACE(1, 0, 0), 0 },
		  { .how = TPROF_LX_UNWIND_CUT } } } },
	{ 0x900, 0x10, 3, 1, .is_flexible = true, .is_signal = true, .nr = 1, .rows = {
		{ 0, FLEXIBLE(6), { PLACE(1, 1, 7), 160, PLACE(1, 1, 7), 168, PLACE(1, 1, 7), 120 },
		  { .how = TPROF_LX_UNWIND_SIGNAL } } } },
};

/**
 * struct bytes_out - a section that is being written
 * @data:	its bytes
 * @len:	number of @data
 */
struct bytes_out {
	u8	data[MAX_BYTES];
	size_t	len;
};

static void put(struct bytes_out *out, u64 number, size_t bytes)
{
	if (out->len + bytes > sizeof(out->data))
		abort();
	memcpy(out->data + out->len, &number, bytes);
	out->len += bytes;
}

static void put_rows(struct bytes_out *out, const struct shape *shape)
{
	size_t bytes = (size_t)1 << shape->size;
	u32 i, k;

	for (i = 0; i < shape->nr; i++) {
		put(out, shape->rows[i].offset, bytes);
		put(out, shape->rows[i].bits | shape->size << 5, 1);
		for (k = 0; k < (shape->rows[i].bits >> 1 & 15); k++)
			put(out, shape->rows[i].words[k], bytes);
	}
}

static u8 bits_of(const struct shape *shape)
{
	return shape->size | (shape->block ? 0x10 : 0) | (shape->is_signal ? 0x80 : 0);
}

static void put_function(struct bytes_out *out, const struct shape *shape, u8 version,
			 bool from_entry, u64 entries_addr, u32 rows)
{
	u64 from = from_entry ? entries_addr + out->len : ADDR;

	put(out, CODE + shape->begin - from, version == 3 ? 8 : 4);
	put(out, shape->len, 4);
	put(out, rows, 4);
	if (version == 3)
		return;
	put(out, shape->nr, 4);
	put(out, bits_of(shape), 1);
	if (version == 2)
		put(out, shape->block, 3);
}

/* In version 3, the rest of the entry is before the rows. */
static void put_function_rows(struct bytes_out *out, const struct shape *shape, u8 version)
{
	if (version == 3) {
		put(out, shape->nr, 2);
		put(out, bits_of(shape), 1);
		put(out, shape->is_flexible, 1);
		put(out, shape->block, 1);
	}
	put_rows(out, shape);
}

/* Write the section of the shapes that @version can describe. */
static struct bytes_out make_section(u8 version, bool from_entry)
{
	struct bytes_out out = { .len = 0 }, entries = { .len = 0 }, rows = { .len = 0 };
	const size_t more = 4;
	u32 i, nr = 0, nr_rows = 0;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		if (shapes[i].version > version)
			continue;
		put_function(&entries, &shapes[i], version, from_entry, ADDR + 28 + more, rows.len);
		put_function_rows(&rows, &shapes[i], version);
		nr_rows += shapes[i].nr;
		nr++;
	}
	put(&out, 0xdee2, 2);
	put(&out, version, 1);
	put(&out, from_entry ? FROM_ENTRY : 0, 1);
	put(&out, 3, 1);
	put(&out, 0, 1);
	put(&out, -8, 1);
	put(&out, more, 1);
	put(&out, nr, 4);
	put(&out, nr_rows, 4);
	put(&out, rows.len, 4);
	put(&out, 0, 4);
	put(&out, entries.len, 4);
	put(&out, 0, more);
	for (i = 0; i < entries.len; i++)
		put(&out, entries.data[i], 1);
	for (i = 0; i < rows.len; i++)
		put(&out, rows.data[i], 1);
	return out;
}

/* Find the rule that a shape must have at an address, or NULL. */
static const struct tprof_lx_unwind_rule *expected_at(u8 version, u64 addr)
{
	const struct tprof_lx_unwind_rule *rule = NULL;
	const struct shape *shape;
	u64 at;
	u32 i;

	for (shape = shapes; shape < shapes + ARRAY_SIZE(shapes); shape++) {
		at = addr - CODE - shape->begin;
		if (shape->version > version || at >= shape->len)
			continue;
		at = shape->block ? at % shape->block : at;
		for (i = 0; i < shape->nr && shape->rows[i].offset <= at; i++)
			rule = &shape->rows[i].rule;
	}
	return rule;
}

/* Compare all ranges with the shapes, from their first to their last byte. */
static bool is_right(u8 version, bool from_entry)
{
	struct bytes_out out = make_section(version, from_entry);
	const u64 end = CODE + 0x20000;
	const struct tprof_lx_unwind_rule *rule;
	u32 losses[UNWIND_NR_LOSSES] = { 0 };
	struct unwind_range range;
	struct sframe sframe;
	u64 at = 0, addr;
	bool ret;

	ret = !sframe_open(&sframe, out.data, out.len, ADDR);
	while (ret && at < end) {
		if (!sframe_find(&sframe, at, end, &range, losses))
			range = (struct unwind_range){ .begin = end, .end = end };
		for (addr = at > CODE ? at : CODE; ret && addr < range.begin; addr++)
			ret = !expected_at(version, addr);
		for (addr = range.begin; ret && addr < range.end; addr++) {
			rule = expected_at(version, addr);
			ret = rule && !memcmp(rule, &range.rule, sizeof(*rule));
		}
		if (!ret)
			printf("# version %u, at %#llx\n", version, addr - 1);
		at = range.end;
	}
	sframe_close(&sframe);
	return ret && losses[UNWIND_RBP] == (version == 3) &&
	       losses[UNWIND_RETURN] == (version == 3);
}

static void test_versions(void)
{
	unit_ok(is_right(1, false), "version_1_has_the_rules_that_were_written");
	unit_ok(is_right(2, false), "version_2_has_the_rules_that_were_written");
	unit_ok(is_right(2, true), "version_2_has_addresses_relative_to_the_entry");
	unit_ok(is_right(3, false), "version_3_has_the_rules_that_were_written");
	unit_ok(is_right(3, true), "version_3_has_addresses_relative_to_the_entry");
}

/* Functions may be far from the section only in version 3, which has addresses of 64 bits. */
static void test_far(void)
{
	struct bytes_out out = make_section(3, true);
	u32 losses[UNWIND_NR_LOSSES] = { 0 };
	const u64 far = 1ULL << 40;
	struct unwind_range range;
	struct sframe sframe;
	u64 begin;

	memcpy(&begin, out.data + 32, sizeof(begin));
	begin += far;
	memcpy(out.data + 32, &begin, sizeof(begin));
	unit_ok(!sframe_open(&sframe, out.data, out.len, ADDR) &&
		sframe_find(&sframe, far, ~0ULL, &range, losses) &&
		range.begin == CODE + shapes[0].begin + far &&
		range.end == range.begin + shapes[0].rows[1].offset,
		"version_3_has_addresses_of_64_bits");
	sframe_close(&sframe);
}

/* Return the error of a section with another byte at @at. */
static int change(size_t at, u8 byte)
{
	struct bytes_out out = make_section(2, true);
	struct sframe sframe;
	int err;

	out.data[at] = byte;
	err = sframe_open(&sframe, out.data, out.len, ADDR);
	sframe_close(&sframe);
	return err;
}

static void test_unknown(void)
{
	unit_ok(change(2, 0) == -ENOTSUP && change(2, 4) == -ENOTSUP, "an_unknown_version_is_refused");
	unit_ok(change(3, 0xc) == -ENOTSUP, "an_unknown_flag_is_refused");
	unit_ok(change(4, 2) == -ENOTSUP, "the_section_of_another_machine_is_refused");
	unit_ok(change(0, 0) == -EBADMSG, "another_section_is_refused");
}

/* Read all ranges of a section that may be damaged. Return true if they are in order. */
static bool walk(const u8 *data, size_t len)
{
	u32 losses[UNWIND_NR_LOSSES] = { 0 }, nr = 0;
	u8 *copy = malloc(len ? len : 1);
	struct unwind_range range;
	struct sframe sframe;
	bool ret = true;
	u64 at = 0;

	/* AddressSanitizer finds accesses beyond the copy. */
	memcpy(copy, data, len);
	if (!sframe_open(&sframe, copy, len, ADDR)) {
		while (ret && nr++ < 100000 && sframe_find(&sframe, at, ~0ULL, &range, losses)) {
			ret = range.begin >= at && range.end > range.begin;
			at = range.end;
		}
		sframe_close(&sframe);
	}
	free(copy);
	return ret;
}

static void test_damaged(void)
{
	static const u8 values[] = { 0, 1, 0x10, 0x7f, 0x80, 0xff };
	struct bytes_out out;
	bool is_ordered = true, is_refused = true;
	struct sframe sframe;
	u8 version, before;
	size_t at, i;

	for (version = 1; version <= 3; version++) {
		out = make_section(version, version > 1);
		for (at = 0; at < out.len; at++) {
			before = out.data[at];
			for (i = 0; i < ARRAY_SIZE(values); i++) {
				out.data[at] = values[i];
				is_ordered &= walk(out.data, out.len);
			}
			out.data[at] = before;
		}
		for (at = 0; at < out.len; at++)
			is_refused &= sframe_open(&sframe, out.data, at, ADDR) == -EBADMSG;
	}
	unit_ok(is_ordered, "ranges_of_a_damaged_section_are_in_order");
	unit_ok(is_refused, "a_section_that_was_cut_is_refused");
}

int main(void)
{
	test_versions();
	test_far();
	test_unknown();
	test_damaged();
	return unit_exit();
}
