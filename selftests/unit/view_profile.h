/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a profile that is made without a recording, and a browser to walk
 * through it
 */
#ifndef TPROF_VIEW_PROFILE_H
#define TPROF_VIEW_PROFILE_H

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "view/browser.h"
#include "view/table_view.h"

enum { KEY_PID, KEY_COMM, KEY_DSO, KEY_SYM, NR_KEYS };

#define EVIL		"evil\x1b[2J\xe4\xb8\xad"
#define EVIL_SHOWN	"evil\\x1b[2J\xe4\xb8\xad"

static struct symbol test_symbols[] = {
	{ .name = "main" }, { .name = "hot" }, { .name = "Cold" }, { .name = EVIL },
	{ .name = "leaf" },
};

enum { MAIN, HOT, COLD, ODD, LEAF };

static struct profile_keys test_keys;
static const struct column *test_columns[TABLE_MAX_COLUMNS];
static size_t nr_test_columns;

static struct browser browser;
static struct table_view tables[2];
static struct page *pages[2];

static inline void add_test_column(const char *word)
{
	test_columns[nr_test_columns++] = column_find(word);
}

/* Set up the keys and the columns children, self, pid, comm, dso, sym. */
static inline void make_columns(void)
{
	static const char *const words[] = { "pid", "comm", "dso", "sym" };

	setlocale(LC_CTYPE, "C.UTF-8");
	nr_test_columns = 0;
	add_test_column("children");
	add_test_column("self");
	for (size_t i = 0; i < NR_KEYS; i++) {
		test_keys.columns[i] = column_find(words[i]);
		add_test_column(words[i]);
	}
	test_keys.nr = NR_KEYS;
}

static inline u64 symbol_number_of(int symbol)
{
	return (uintptr_t)&test_symbols[symbol];
}

/* Count samples in @path: functions from the outermost to the sampled one, and -1. */
static inline void add_path(struct profile *profile, u64 pid, const char *comm, const int *path,
			    u64 samples)
{
	static const char binary[] = "prog";
	struct call_weight weight = { samples * 10, samples };
	u64 keys[NR_KEYS] = { [KEY_PID] = pid }, nodes[16];
	struct entry_key key;
	size_t nr = 0, i;
	u32 entry;

	keys[KEY_COMM] = (uintptr_t)comm;
	keys[KEY_DSO] = (uintptr_t)binary;
	while (path[nr] >= 0) {
		nodes[nr] = symbol_number_of(path[nr]);
		nr++;
	}
	for (i = 0; i < nr; i++) {
		keys[KEY_SYM] = nodes[i];
		key = profile_key(profile, keys);
		entry = entries_get(&profile->entries, &key);
		if (!entry || profile_add_path(profile, entry - 1, nodes + i, nr - i, &weight))
			abort();
		entries_children(&profile->entries, entry - 1)->period += weight.period;
		if (i + 1 == nr)
			entries_self(&profile->entries, entry - 1)->period += weight.period;
	}
	profile->samples += samples;
	profile->period += weight.period;
}

static inline void begin_profile(struct profile *profile, const char *event)
{
	*profile = (struct profile){ .event = event, .keys = &test_keys };
}

static inline void finish_profile(struct profile *profile)
{
	for (size_t i = 0; i < profile->nr_roots; i++) {
		if (profile->roots[i])
			call_tree_sort(profile->roots[i]);
	}
	if (profile_sort(profile, column_find("children")->value))
		abort();
}

/* Show one or two profiles. */
static inline void open_browser(const struct profile *profile, const struct profile *other)
{
	const struct table_options options = { .columns = test_columns,
						.nr_columns = nr_test_columns };

	if (table_view_init(&tables[0], &options, profile) ||
	    (other && table_view_init(&tables[1], &options, other)))
		abort();
	pages[0] = &tables[0].page;
	pages[1] = &tables[1].page;
	browser_init(&browser, pages, other ? 2 : 1);
}

static inline void close_browser(void)
{
	browser_free(&browser);
	table_view_free(&tables[0]);
	table_view_free(&tables[1]);
}

/* Type keys that are characters. */
static inline void type(const char *keys)
{
	for (; *keys; keys++)
		browser_key(&browser, *keys);
}

/* Return line @y of the screen. The next call overwrites it. */
static inline const struct line *line_of(u32 y)
{
	static struct line line;

	browser_line(&browser, 0, &line);
	browser_line(&browser, y, &line);
	return &line;
}

static inline bool shows(u32 y, const char *text)
{
	return !strcmp(line_of(y)->text, text);
}

static inline bool has(u32 y, const char *text)
{
	return strstr(line_of(y)->text, text);
}

/* Does the last line have @text? */
static inline bool says(const char *text)
{
	return has(browser.height - 1, text);
}

/* Return the line with the cursor. */
static inline const char *cursor_line(void)
{
	for (u32 y = 0; y < browser.height; y++) {
		if (line_of(y)->style == LINE_CURSOR)
			return line_of(y)->text;
	}
	return "";
}

#endif /* TPROF_VIEW_PROFILE_H */
