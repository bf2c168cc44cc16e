// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort by several keys
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "base/prefetch.h"
#include "profile/order.h"

/* Number of bits of a key that one pass of the radix sort uses. */
#define DIGIT_BITS	11
#define NR_DIGITS	(1U << DIGIT_BITS)

/* sort_by_digit() prefetches the key that is AHEAD numbers ahead. */
#define AHEAD		16

static void *make_array(u32 nr, size_t bytes)
{
	size_t len = (nr + 1UL) * bytes;

	return huge_pages(malloc(len), len);
}

/* Set @order->numbers to 0, 1, ... @nr - 1. Call order_free() even if this fails. */
int order_init(struct order *order, u32 nr)
{
	u32 i;

	*order = (struct order){ .nr = nr };
	order->numbers = make_array(nr, sizeof(*order->numbers));
	order->scratch = make_array(nr, sizeof(*order->scratch));
	order->keys = make_array(nr, sizeof(*order->keys));
	if (!order->numbers || !order->scratch || !order->keys)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		order->numbers[i] = i;
	return 0;
}

static u32 digit(u64 key, int shift)
{
	return key >> shift & (NR_DIGITS - 1);
}

/* Sort the numbers by one digit of their keys. The sort is stable. */
static void sort_by_digit(struct order *order, int shift)
{
	u32 begins[NR_DIGITS] = { 0 }, *from = order->numbers, *to = order->scratch;
	u32 i, count, begin = 0;

	for (i = 0; i < order->nr; i++)
		begins[digit(order->keys[i], shift)]++;
	for (i = 0; i < NR_DIGITS; i++) {
		count = begins[i];
		begins[i] = begin;
		begin += count;
	}
	for (i = 0; i < order->nr; i++) {
		if (i + AHEAD < order->nr)
			prefetch(&order->keys[from[i + AHEAD]]);
		to[begins[digit(order->keys[from[i]], shift)]++] = from[i];
	}
	order->numbers = to;
	order->scratch = from;
}

/*
 * Return the bits that decide the order of the keys. A bit that is the same in all keys decides
 * nothing. A bit that equals the next lower bit in every key decides nothing either: if two keys
 * differ in it, the lower bit differs in the same way. The highest bits of addresses are such
 * bits.
 */
static u64 decisive_bits(const struct order *order)
{
	u64 any = 0, all = ~0ULL, not_copied = 0, key;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		key = order->keys[i];
		any |= key;
		all &= key;
		not_copied |= key ^ key << 1;
	}
	return order->nr ? (any ^ all) & not_copied : 0;
}

/* Sort the numbers by their keys, lowest key first. The sort is stable. */
void order_by_number(struct order *order)
{
	u64 bits = decisive_bits(order);
	int shift;

	while (bits) {
		shift = __builtin_ctzll(bits);
		sort_by_digit(order, shift);
		bits &= ~((NR_DIGITS - 1ULL) << shift);
	}
}

/**
 * struct text - one of the distinct keys
 * @key:	the key
 * @first:	index in order.numbers of its first number, when sorted by key
 * @nr:		how many numbers have the key
 */
struct text {
	u64	key;
	u32	first;
	u32	nr;
};

/**
 * struct texts - all distinct keys
 * @list:	the keys
 * @nr:		number of them
 */
struct texts {
	struct text *list;
	u32	nr;
};

static bool is_first(const struct order *order, u32 i)
{
	const u32 *numbers = order->numbers;

	return !i || order->keys[numbers[i]] != order->keys[numbers[i - 1]];
}

/* List the distinct keys of @order, which is sorted by key. */
static int find_texts(const struct order *order, struct texts *texts)
{
	struct text *text;
	u32 i;

	for (i = 0; i < order->nr; i++)
		texts->nr += is_first(order, i);
	texts->list = make_array(texts->nr, sizeof(*texts->list));
	if (!texts->list)
		return -ENOMEM;
	text = texts->list - 1;
	for (i = 0; i < order->nr; i++) {
		if (is_first(order, i))
			*++text = (struct text){ order->keys[order->numbers[i]], i, 0 };
		text->nr++;
	}
	return 0;
}

static int by_text(const void *a, const void *b, void *arg)
{
	const struct text *x = a, *y = b;
	int (*compare)(u64 a, u64 b) = *(int (**)(u64 a, u64 b))arg;

	return compare(x->key, y->key);
}

/* Replace each key by the rank of its text. Equal texts have the same rank. */
static void rank(struct order *order, struct texts *texts, int (*compare)(u64 a, u64 b))
{
	const struct text *text = texts->list;
	u32 i, j, ranked = 0;

	qsort_r(texts->list, texts->nr, sizeof(*texts->list), by_text, &compare);
	for (i = 0; i < texts->nr; i++, text++) {
		ranked = i && !compare(text[-1].key, text->key) ? ranked : i;
		for (j = 0; j < text->nr; j++)
			order->keys[order->numbers[text->first + j]] = ranked;
	}
}

/*
 * Sort the numbers by the texts of their keys. The sort is stable. Many keys are equal, so
 * compare each distinct key once.
 *
 * @compare: compares two keys, such as pointers to texts, like strcmp(3)
 */
int order_by_text(struct order *order, int (*compare)(u64 a, u64 b))
{
	u32 *before = make_array(order->nr, sizeof(*before));
	struct texts texts = { 0 };
	int err = -ENOMEM;

	if (before) {
		memcpy(before, order->numbers, order->nr * sizeof(*before));
		order_by_number(order);
		err = find_texts(order, &texts);
	}
	if (!err) {
		rank(order, &texts, compare);
		memcpy(order->numbers, before, order->nr * sizeof(*before));
		order_by_number(order);
	}
	free(texts.list);
	free(before);
	return err;
}

void order_free(struct order *order)
{
	free(order->numbers);
	free(order->scratch);
	free(order->keys);
}
