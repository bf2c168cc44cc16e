// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort by several keys
 */
#include <errno.h>
#include <stdlib.h>

#include "base/hash_table.h"
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
 * @rank:	position of its text among the texts of all keys
 */
struct text {
	u64	key;
	u32	rank;
};

static int add_texts(const struct order *order, struct hash_table *texts)
{
	struct text *text;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		text = hash_table_get(texts, order->keys[i], sizeof(*text));
		if (!text)
			return -ENOMEM;
		text->key = order->keys[i];
	}
	return 0;
}

static int by_text(const void *a, const void *b, void *arg)
{
	const struct text *x = *(const struct text *const *)a, *y = *(const struct text *const *)b;
	int (*compare)(u64 a, u64 b) = *(int (**)(u64 a, u64 b))arg;

	return compare(x->key, y->key);
}

/* Set the rank of each text by @compare. Equal texts get the same rank. */
static int rank(const struct hash_table *texts, int (*compare)(u64 a, u64 b))
{
	struct text **list = calloc(texts->nr + 1, sizeof(*list));
	size_t at = 0, i;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < texts->nr; i++)
		list[i] = hash_table_next(texts, &at);
	qsort_r(list, texts->nr, sizeof(*list), by_text, &compare);
	for (i = 1; i < texts->nr; i++)
		list[i]->rank = compare(list[i - 1]->key, list[i]->key) ? i : list[i - 1]->rank;
	free(list);
	return 0;
}

static void replace_keys(struct order *order, const struct hash_table *texts)
{
	const struct text *text;
	u32 i;

	for (i = 0; i < order->nr; i++) {
		text = hash_table_find(texts, hash_number(order->keys[i]), NULL, NULL);
		/* add_texts() has added each key. */
		if (text)
			order->keys[i] = text->rank;
	}
}

/*
 * Sort the numbers by the texts of their keys. The sort is stable. Many keys are equal, so
 * sort each distinct key once.
 *
 * @compare: compares two keys, such as pointers to texts, like strcmp(3)
 */
int order_by_text(struct order *order, int (*compare)(u64 a, u64 b))
{
	struct hash_table texts = { 0 };
	int err = add_texts(order, &texts);

	if (!err)
		err = rank(&texts, compare);
	if (!err) {
		replace_keys(order, &texts);
		order_by_number(order);
	}
	hash_table_free(&texts, free);
	return err;
}

void order_free(struct order *order)
{
	free(order->numbers);
	free(order->scratch);
	free(order->keys);
}
