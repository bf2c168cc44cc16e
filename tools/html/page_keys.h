/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the keys that a page groups by
 *
 * All keys are columns of report. A page has some of them anyway: those that follow from the
 * thread, the CPU and the stack of a point. The others are those that --sort chooses.
 */
#ifndef TPROF_HTML_PAGE_KEYS_H
#define TPROF_HTML_PAGE_KEYS_H

#include "base/bytes.h"
#include "base/json.h"
#include "export/keys.h"
#include "export/names.h"
#include "html/threads.h"

/**
 * struct page_key - a key that --sort chooses
 * @column:	the column
 * @texts:	array of const char *: its texts, escaped, by number
 * @nr_texts:	number of @texts
 * @numbers:	array of u32: the number of its text in each tuple
 */
struct page_key {
	const struct column *column;
	struct bytes texts;
	u32	nr_texts;
	struct bytes numbers;
};

/**
 * struct page_keys - all keys that --sort chooses; empty if all members are zero
 * @list:	the keys
 * @nr:		number of @list
 * @nr_tuples:	number of tuples
 */
struct page_keys {
	struct page_key list[PROFILE_MAX_KEYS];
	size_t	nr;
	u32	nr_tuples;
};

int page_keys_make(struct page_keys *keys, const struct keys *from,
		   const struct threads *threads, struct interned *names);
void page_keys_write(const struct page_keys *keys, struct json *json,
		     const struct threads *threads);
void page_keys_free(struct page_keys *keys);

static inline const u32 *page_key_numbers(const struct page_key *key)
{
	return (const u32 *)key->numbers.data;
}

#endif /* TPROF_HTML_PAGE_KEYS_H */
