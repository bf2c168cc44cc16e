// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - sorting by several keys, and memory of an arena
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "profile/order.h"
#include "unit.h"

#define NR	5000

/* Some texts are equal, but at different addresses. */
static const char texts[][8] = { "b", "a", "long", "b", "", "lon", "a", "zebra" };
static u64 numbers[NR], keys[NR];

static int compare_texts(u64 a, u64 b)
{
	return strcmp((const char *)(uintptr_t)a, (const char *)(uintptr_t)b);
}

static u64 random_number(void)
{
	static const u64 some[] = { 0, 1, 2047, 2048, ~0ULL, 1ULL << 63, 1ULL << 33, 5000000 };

	return random() % 2 ? some[random() % 8] : (u64)random() << random() % 40;
}

static void fill(struct order *order, const u64 *from)
{
	memcpy(order->keys, from, NR * sizeof(*from));
}

/* Return true if index @a sorts before @b: by text, then by number, then by index. */
static bool is_in_order(u32 a, u32 b)
{
	int result = compare_texts(keys[a], keys[b]);

	if (result)
		return result < 0;
	return numbers[a] != numbers[b] ? numbers[a] < numbers[b] : a < b;
}

static void test_order(void)
{
	static bool seen[NR];
	struct order order;
	bool is_ok = true;
	u32 i, nr = 0;

	for (i = 0; i < NR; i++) {
		numbers[i] = random_number();
		keys[i] = (uintptr_t)texts[random() % ARRAY_SIZE(texts)];
	}
	if (order_init(&order, NR))
		abort();
	fill(&order, numbers);
	order_by_number(&order);
	fill(&order, keys);
	unit_ok(!order_by_text(&order, compare_texts), "texts can be sorted");
	for (i = 0; i < NR; i++) {
		nr += !seen[order.numbers[i]];
		seen[order.numbers[i]] = true;
		is_ok &= !i || is_in_order(order.numbers[i - 1], order.numbers[i]);
	}
	unit_ok(is_ok, "equal texts are sorted by number, equal numbers keep their order");
	unit_ok(nr == NR, "the order has every number once");
	order_free(&order);
}

static bool sorts_numbers(void)
{
	struct order order;
	bool is_ok = true;
	u32 i;

	if (order_init(&order, NR))
		abort();
	fill(&order, numbers);
	order_by_number(&order);
	for (i = 1; i < NR; i++)
		is_ok &= numbers[order.numbers[i - 1]] <= numbers[order.numbers[i]];
	order_free(&order);
	return is_ok;
}

/* Sort addresses: the highest bits of a number are copies of its bit @shift. */
static bool sorts_copies(int shift)
{
	for (u32 i = 0; i < NR; i++)
		numbers[i] = (s64)((u64)random() << 33 | (u64)random() << 12) >> (63 - shift);
	return sorts_numbers();
}

/* Sort numbers with bits that are constant, random, or copies of any lower bit. */
static bool sorts_any_copies(void)
{
	int from[64];

	for (int bit = 0; bit < 64; bit++)
		from[bit] = random() % 3 ? (int)(random() % (bit + 1)) : -1;
	for (u32 i = 0; i < NR; i++) {
		numbers[i] = 0;
		for (int bit = 0; bit < 64; bit++)
			numbers[i] |= (from[bit] == bit ? (u64)random() & 1 :
				       from[bit] < 0 ? 0 : numbers[i] >> from[bit] & 1) << bit;
	}
	return sorts_numbers();
}

static void test_copies(void)
{
	bool is_ok = true;

	for (int shift = 0; shift < 64; shift++)
		is_ok &= sorts_copies(shift);
	unit_ok(is_ok, "numbers with equal highest bits are sorted");
	for (int i = 0; i < 50; i++)
		is_ok &= sorts_any_copies();
	unit_ok(is_ok, "numbers with bits that are copies are sorted");
}

static void test_few(void)
{
	struct order order;

	if (order_init(&order, 0))
		abort();
	order_by_number(&order);
	unit_ok(!order_by_text(&order, compare_texts), "an empty order can be sorted");
	order_free(&order);
	if (order_init(&order, 2))
		abort();
	order.keys[0] = ~0ULL;
	order.keys[1] = ~0ULL - 1;
	order_by_number(&order);
	unit_ok(order.numbers[0] == 1 && order.numbers[1] == 0, "two numbers are sorted");
	order_free(&order);
}

static void test_arena(void)
{
	struct arena arena = { 0 };
	bool is_ok = true;

	/* AddressSanitizer fails here if a piece extends beyond its block. */
	for (int i = 0; i < 20000; i++) {
		size_t bytes = 1 + random() % 200;
		u8 *piece = arena_get(&arena, bytes);

		if (!piece)
			abort();
		for (size_t at = 0; at < bytes; at++)
			is_ok &= !piece[at];
		is_ok &= !((uintptr_t)piece % 8);
		memset(piece, 0xff, bytes);
	}
	unit_ok(is_ok, "pieces of an arena are zeroed, aligned, and do not overlap");
	arena_free(&arena);
	unit_ok(!arena.last && arena_get(&arena, 8), "an arena can be used again");
	arena_free(&arena);
}

int main(void)
{
	srandom(1);
	test_order();
	test_copies();
	test_few();
	test_arena();
	return unit_exit();
}
