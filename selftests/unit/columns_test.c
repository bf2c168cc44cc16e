// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - keys of functions, and of addresses outside of functions
 */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "unit.h"

/* Some of these addresses do not fit in PACKED_ADDR_BITS. */
static const u64 addresses[] = {
	0, 1, 0x1234, (1ULL << 47) - 1, 1ULL << 47, 1ULL << 48, 1ULL << 63, ~0ULL,
	0xffffffff81000000ULL, 0xffff800000000000ULL, 0xffff7fffffffffffULL,
};

#define NR_ADDRESSES	ARRAY_SIZE(addresses)
#define NR_OBJECTS	4	/* the last one's number does not fit in PACKED_OBJECT_BITS */
#define NR_KEYS		(2 * NR_OBJECTS * NR_ADDRESSES)

static struct objects objects;
static struct object *binaries[NR_OBJECTS];
static u64 keys[NR_KEYS];

static void make_binaries(void)
{
	static const struct symbol_options options = { .no_debuginfod = true };
	struct object_key key = { 0 };
	char name[32];

	objects_init(&objects, &options);
	for (int i = 0; i < NR_OBJECTS; i++) {
		snprintf(name, sizeof(name), "/nonesuch/binary%d", i);
		key.name = name;
		binaries[i] = objects_get(&objects, &key);
		if (!binaries[i])
			abort();
	}
	binaries[NR_OBJECTS - 1]->number = 1U << PACKED_OBJECT_BITS;
}

static u64 key_of(struct object *object, bool is_kernel, u64 addr)
{
	struct spot spot = { .addr = addr, .object = object, .is_kernel = is_kernel };

	spot.symbol = object_resolve(&objects, object, addr);
	if (!spot.symbol || spot.symbol->name)
		abort();
	return symbol_key(&spot);
}

static bool has_text(u64 key, u64 addr)
{
	char expected[32], buf[COLUMN_TEXT_LEN];

	snprintf(expected, sizeof(expected), "0x%016llx", addr);
	return !strcmp(symbol_key_text(key, buf, sizeof(buf)), expected);
}

/* Fill in keys[]. Each key must have the text of its address, and its mark. */
static void test_texts(void)
{
	const struct column *column = column_find("sym");
	bool texts = true, marks = true, again = true;

	for (size_t i = 0; i < NR_KEYS; i++) {
		bool is_kernel = i % 2;
		u64 addr = addresses[i / 2 % NR_ADDRESSES];
		struct object *object = binaries[i / 2 / NR_ADDRESSES];

		keys[i] = key_of(object, is_kernel, addr);
		texts &= has_text(keys[i], addr);
		marks &= !strcmp(column->mark(keys[i]), is_kernel ? "[k] " : "[.] ");
		again &= keys[i] == key_of(object, is_kernel, addr);
	}
	unit_ok(texts, "the text of an address in no function is the address");
	unit_ok(marks, "kernel addresses are marked");
	unit_ok(again, "the same address always has the same key");
}

static void test_distinct(void)
{
	bool is_ok = true;

	for (size_t i = 0; i < NR_KEYS; i++) {
		for (size_t k = 0; k < i; k++)
			is_ok &= keys[i] != keys[k];
	}
	unit_ok(is_ok, "different addresses, modes and binaries have different keys");
}

/* Add an entry with @key, and with a period that is the same for all. */
static void add(struct profile *profile, u64 key)
{
	struct entry_key entry = { .keys = { key }, .nr = 1, .hash = hash_number(key) };
	u32 added = entries_get(&profile->entries, &entry);

	if (!added)
		abort();
	entries_self(&profile->entries, added - 1)->period = 1;
}

static u64 function_key(const char *name)
{
	struct spot spot = { .object = objects_get_made(&objects, name), .is_kernel = true };

	spot.symbol = object_resolve(&objects, spot.object, 0);
	return symbol_key(&spot);
}

static u64 period(const struct profile_entry *entry)
{
	return entry->self->period;
}

static void test_order(void)
{
	struct profile_keys columns = { { column_find("sym") }, 1 };
	const struct column *column = columns.columns[0];
	struct profile profile = { .keys = &columns };
	struct profile_entry before, after;
	bool is_ok = true;
	int order;

	add(&profile, function_key("second"));
	for (size_t i = 0; i < NR_KEYS; i++)
		add(&profile, keys[i]);
	add(&profile, function_key("first"));
	if (profile_sort(&profile, period))
		abort();
	for (size_t i = 1; i < profile.entries.nr; i++) {
		before = profile_sorted(&profile, i - 1);
		after = profile_sorted(&profile, i);
		order = column->compare(before.keys[0], after.keys[0]);
		is_ok &= order < 0 || (!order && profile.sorted[i - 1] < profile.sorted[i]);
	}
	unit_ok(is_ok, "addresses are sorted by number, and equal ones by first sample");
	unit_ok(profile_sorted(&profile, NR_KEYS).keys[0] == function_key("first") &&
		profile_sorted(&profile, NR_KEYS + 1).keys[0] == function_key("second"),
		"functions are sorted by name, behind the addresses");
	profile_free(&profile);
}

int main(void)
{
	make_binaries();
	test_texts();
	test_distinct();
	test_order();
	objects_free(&objects);
	return unit_exit();
}
