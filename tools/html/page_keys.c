// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the keys that a page groups by
 */
#include <errno.h>
#include <string.h>

#include "base/hash_table.h"
#include "html/page_keys.h"

/*
 * The keys that a page has anyway, if the recording has what they need. groups.js finds their
 * values.
 */
static const struct {
	const char *word;
	bool	(*has)(const struct threads *threads);
} own_keys[] = {
	{ "dso", NULL }, { "comm", NULL }, { "thread", NULL }, { "cpu", NULL },
	{ "cgroup", threads_have_cgroups },
	{ "host", threads_have_hosts },
};

static bool has_own(size_t i, const struct threads *threads)
{
	return !own_keys[i].has || own_keys[i].has(threads);
}

static bool is_own(const struct column *column, const struct threads *threads)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own_keys); i++) {
		if (has_own(i, threads) && !strcmp(own_keys[i].word, column->word))
			return true;
	}
	return false;
}

/* Add the number of a text to @key. Equal texts have the same pointer, and number. */
static int add_text(struct page_key *key, struct hash_table *table, const char *text)
{
	u64 hash = hash_number((uintptr_t)text);
	void *found = hash_table_find(table, hash, NULL, NULL);
	u32 number = found ? (uintptr_t)found - 1 : key->nr_texts;

	bytes_add(&key->numbers, &number, sizeof(number));
	if (found)
		return bytes_err(&key->numbers);
	bytes_add(&key->texts, &text, sizeof(text));
	key->nr_texts++;
	if (hash_table_add(table, hash, (void *)(number + 1UL)) || bytes_err(&key->texts))
		return -ENOMEM;
	return bytes_err(&key->numbers);
}

static int add_texts(struct page_key *key, const struct keys *from, size_t at,
		     struct interned *names)
{
	struct hash_table table = { 0 };
	char buf[COLUMN_TEXT_LEN];
	const char *text;
	u32 tuple;
	int err = 0;

	for (tuple = 1; tuple <= from->tuples.entries.nr && !err; tuple++) {
		text = name_get(names, keys_text(from, tuple, at, buf, sizeof(buf)));
		err = text ? add_text(key, &table, text) : -ENOMEM;
	}
	hash_table_free(&table, NULL);
	return err;
}

/*
 * Make the texts of the keys of all samples. Return 0 or -ENOMEM.
 *
 * @threads: the threads of all samples
 * @names: has the texts
 */
int page_keys_make(struct page_keys *keys, const struct keys *from,
		   const struct threads *threads, struct interned *names)
{
	const struct profile_keys *chosen = &from->options->keys;
	struct page_key *key;
	size_t i;
	int err = 0;

	keys->nr_tuples = from->tuples.entries.nr;
	for (i = 0; i < chosen->nr && !err; i++) {
		if (is_own(chosen->columns[i], threads))
			continue;
		key = &keys->list[keys->nr++];
		key->column = chosen->columns[i];
		err = add_texts(key, from, i, names);
	}
	return err;
}

static void write_key(struct json *json, const struct column *column)
{
	json_begin(json, NULL, '{');
	json_string(json, "word", column->word);
	json_string(json, "title", column->title);
}

/* Write the names of all keys, and the texts of those that --sort chooses. */
void page_keys_write(const struct page_keys *keys, struct json *json,
		     const struct threads *threads)
{
	const struct page_key *key;
	const char **texts;
	size_t i;
	u32 at;

	json_begin(json, "keys", '[');
	for (i = 0; i < ARRAY_SIZE(own_keys); i++) {
		if (!has_own(i, threads))
			continue;
		write_key(json, column_find(own_keys[i].word));
		json_end(json, '}');
	}
	for (i = 0; i < keys->nr; i++) {
		key = &keys->list[i];
		texts = (const char **)key->texts.data;
		write_key(json, key->column);
		json_begin(json, "texts", '[');
		for (at = 0; at < key->nr_texts; at++)
			json_string(json, NULL, texts[at]);
		json_end(json, ']');
		json_end(json, '}');
	}
	json_end(json, ']');
}

void page_keys_free(struct page_keys *keys)
{
	size_t i;

	for (i = 0; i < keys->nr; i++) {
		bytes_free(&keys->list[i].texts);
		bytes_free(&keys->list[i].numbers);
	}
}
