// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort by several keys
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge_pages.h"
#include "profile/order.h"

/* Number of bits of a key that one pass of the radix sort uses. */
#define DIGIT_BITS	11
#define NR_DIGITS	(1U << DIGIT_BITS)

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
	for (i = 0; i < order->nr; i++)
		to[begins[digit(order->keys[from[i]], shift)]++] = from[i];
	order->numbers = to;
	order->scratch = from;
}

/* Sort the numbers by their keys, lowest key first. The sort is stable. */
void order_by_number(struct order *order)
{
	u64 any = 0, all = ~0ULL;
	int shift;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		any |= order->keys[i];
		all &= order->keys[i];
	}
	/* Skip a digit that is the same in all keys. Most digits are. */
	for (shift = 0; order->nr && shift < 64; shift += DIGIT_BITS) {
		if (digit(any ^ all, shift))
			sort_by_digit(order, shift);
	}
}

/**
 * struct text - one of the distinct keys
 * @key:	the key
 * @number:	index of the key among the distinct keys, sorted as integers
 */
struct text {
	u64	key;
	u32	number;
};

static int by_text(const void *a, const void *b, void *arg)
{
	const struct text *x = a, *y = b;
	int (*compare)(u64 a, u64 b) = *(int (**)(u64 a, u64 b))arg;

	return compare(x->key, y->key);
}

/*
 * Return the number of distinct keys of @sorted. Fill in @texts with them, unless @texts is
 * NULL.
 */
static u32 find_texts(const struct order *sorted, struct text *texts)
{
	u32 i, nr = 0;
	u64 key, last = 0;

	for (i = 0; i < sorted->nr; i++) {
		key = sorted->keys[sorted->numbers[i]];
		if (nr && key == last)
			continue;
		if (texts)
			texts[nr] = (struct text){ key, nr };
		last = key;
		nr++;
	}
	return nr;
}

/*
 * Sort @texts by @compare. Set @ranks[number] of each text; equal texts get the same
 * rank.
 */
static void rank(struct text *texts, u32 nr, int (*compare)(u64 a, u64 b), u32 *ranks)
{
	u32 i, last = 0;

	qsort_r(texts, nr, sizeof(*texts), by_text, &compare);
	for (i = 0; i < nr; i++) {
		if (i && compare(texts[i - 1].key, texts[i].key))
			last = i;
		ranks[texts[i].number] = last;
	}
}

static void replace_keys(struct order *sorted, const u32 *ranks)
{
	u32 i, number, at = 0;
	u64 key = 0;

	for (i = 0; i < sorted->nr; i++) {
		number = sorted->numbers[i];
		at += i && sorted->keys[number] != key;
		key = sorted->keys[number];
		sorted->keys[number] = ranks[at];
	}
}

/* Replace each key of @sorted by the rank of its text. The keys must be sorted. */
static int rank_keys(struct order *sorted, int (*compare)(u64 a, u64 b))
{
	u32 nr = find_texts(sorted, NULL);
	struct text *texts = malloc((nr + 1UL) * sizeof(*texts));
	u32 *ranks = malloc((nr + 1UL) * sizeof(*ranks));
	int err = texts && ranks ? 0 : -ENOMEM;

	if (!err) {
		find_texts(sorted, texts);
		rank(texts, nr, compare, ranks);
		replace_keys(sorted, ranks);
	}
	free(texts);
	free(ranks);
	return err;
}

/*
 * Sort the numbers by the texts of their keys. The sort is stable.
 *
 * @compare: compares two keys, such as pointers to texts, like strcmp(3)
 */
int order_by_text(struct order *order, int (*compare)(u64 a, u64 b))
{
	struct order sorted;
	int err = order_init(&sorted, order->nr);

	if (!err) {
		memcpy(sorted.keys, order->keys, order->nr * sizeof(*order->keys));
		order_by_number(&sorted);
		err = rank_keys(&sorted, compare);
	}
	if (!err) {
		memcpy(order->keys, sorted.keys, order->nr * sizeof(*order->keys));
		order_by_number(order);
	}
	order_free(&sorted);
	return err;
}

void order_free(struct order *order)
{
	free(order->numbers);
	free(order->scratch);
	free(order->keys);
}
