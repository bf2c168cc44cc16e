// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - lines of a screen, pages of text, and tables with many rows
 */
#include "unit.h"
#include "view_profile.h"

static void wide_characters_are_cut_whole(void)
{
	struct line line;

	line_start(&line, 4, 0);
	line_put(&line, "abc\344\270\255d");
	unit_ok(!strcmp(line.text, "abc") && line.columns == 3, "a wide character does not fit");
	line_start(&line, 4, 1);
	line_put(&line, "\344\270\255\344\270\255d");
	unit_ok(!strcmp(line.text, " \344\270\255d") && line.columns == 4,
		"half a wide character is a blank");
	line_start(&line, 4, 0);
	line_put(&line, "abc\344\270\255");
	line_put(&line, "\314\201d");
	unit_ok(!strcmp(line.text, "abc"), "nothing is put after a character that does not fit");
	line_start(&line, 80, 0);
	line_put(&line, "a\033b\377");
	unit_ok(!strcmp(line.text, "a?b?"), "no control character gets into a line");
}

static void text_has_a_hottest_line(const struct profile *profile)
{
	static const char lines[] =
		"# head\n   1.50  mov\n  20.00*   3.00* add\n 100.00  loop\n no\n";
	static const struct text_mark marks[] = { { 1, 0 }, { 1, 20 }, { 1, 0 }, { 1, 0 } };
	struct bytes copy = { 0 };
	struct text_view text;

	open_browser(profile, NULL);
	unit_ok(!text_view_init(&text, strdup(lines), strlen(lines)),
		"a text is a page");
	bytes_add(&copy, marks, sizeof(marks));
	text_view_mark(&text, &copy, NULL, 0);
	snprintf(text.title, sizeof(text.title), "title");
	unit_ok(browser_open(&browser, &text.page) && shows(0, "title") &&
		shows(1, "line 1 of 5") && shows(2, "# head"), "lines are shown below a head");
	type("H");
	unit_ok(!strcmp(cursor_line(), "  20.00*   3.00* add"), "the hottest line is found");
	unit_ok(line_of(4)->nr_parts == 2 && line_of(4)->parts[0].heat == 20 &&
		line_of(4)->parts[1].heat == 3, "each share has its colour");
	type("fmov\n");
	unit_ok(shows(1, "line 2 of 5"), "lines are found");
	type("/");
	unit_ok(says("this key does nothing here"), "a text has no filter");
	type("s");
	unit_ok(says("no source lines here"), "a text without choices has no fold");
	browser_key(&browser, VIEW_KEY_LEFT);
	unit_ok(!browser.nr_pages, "back to the table");
	close_browser();
	text_view_free(&text);
}

/* Instructions below their source lines, and the same lines with sums. */
static void text_can_be_folded(const struct profile *profile)
{
	static const char lines[] = "# head\n ; a.c:1\n  30.00 ; a.c:1\n  30.00 one\n"
				    " ; a.c:2\n  70.00 ; a.c:2\n  10.00 two\n  60.00* three\n";
	static const struct text_mark marks[] = {
		{ 1, 0 }, { 4, 30 }, { 3, 0 }, { 1, 0 }, { 4, 70 }, { 3, 0 }, { 3, 100 },
	};
	static const char *const folds[] = { NULL, "instructions only", "source lines only" };
	struct bytes copy = { 0 };
	struct text_view text;

	open_browser(profile, NULL);
	bytes_add(&copy, marks, sizeof(marks));
	if (text_view_init(&text, strdup(lines), strlen(lines)))
		abort();
	text_view_mark(&text, &copy, folds, ARRAY_SIZE(folds));
	browser_open(&browser, &text.page);
	type("Hk");
	unit_ok(shows(1, "line 5 of 6") && shows(3, " ; a.c:1") && shows(4, "  30.00 one") &&
		shows(6, "  10.00 two"), "instructions are below their source lines");
	type("s");
	unit_ok(shows(1, "line 3 of 4: instructions only") && shows(3, "  30.00 one") &&
		!strcmp(cursor_line(), "  10.00 two"), "the first fold hides source lines");
	type("sH");
	unit_ok(shows(1, "line 3 of 3: source lines only") &&
		!strcmp(cursor_line(), "  70.00 ; a.c:2"),
		"the second fold shows source lines with sums, and has another hottest line");
	type("s");
	unit_ok(shows(1, "line 4 of 6") && !strcmp(cursor_line(), " ; a.c:2") && shows(8, ""),
		"then all is shown, and the cursor is in the line that had it");
	type("G");
	unit_ok(shows(1, "line 6 of 6"), "the last line is shown again");
	close_browser();
	text_view_free(&text);
}

static u64 nr_texts;

static const char *counted_text(u64 key, char *buf, size_t len)
{
	nr_texts++;
	snprintf(buf, len, "name %llu", key);
	return buf;
}

static int compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static void only_visible_rows_are_formatted(void)
{
	static const struct column column = { .word = "many", .title = "Many", .kind = COLUMN_TEXT,
					      .text = counted_text, .compare = compare_numbers };
	static struct profile_keys keys = { .columns = { &column }, .nr = 1 };
	struct profile many = { .event = "nmi", .keys = &keys, .period = 1000000 };
	const struct table_options options = { .columns = test_columns, .nr_columns = 2 };
	struct entry_key key;

	for (u64 i = 0; i < 1000000; i++) {
		key = profile_key(&many, &i);
		entries_children(&many.entries, entries_get(&many.entries, &key) - 1)->period = 1;
	}
	if (profile_sort(&many, column_find("children")->value))
		abort();
	nr_test_columns = 0;
	add_test_column("children");
	test_columns[nr_test_columns++] = &column;
	if (table_view_init(&tables[0], &options, &many))
		abort();
	pages[0] = &tables[0].page;
	browser_init(&browser, pages, 1);
	for (u32 y = 0; y < browser.height; y++) {
		struct line line;

		browser_line(&browser, y, &line);
	}
	unit_ok(nr_texts == 2 * 20, "texts of the rows in the window are made twice");
	type("G");
	unit_ok(!strcmp(cursor_line(), "     0.00%  name 999999"), "the last of a million rows");
	unit_ok(nr_texts < 2000, "to go there, no other texts are made");
	type("/name 99999.\n");
	unit_ok(has(1, "10 of 1000000 lines"), "a million rows are filtered");
	close_browser();
	profile_free(&many);
}

static const char *long_text(u64 key, char *buf, size_t len)
{
	snprintf(buf, len,
		 "ns::Table<std::pair<int, long>, %llu>::find_or_insert(long const&)", key);
	return buf;
}

static void long_names_fit_the_window(void)
{
	static const struct column column = { .word = "long", .title = "Long", .kind = COLUMN_TEXT,
					      .text = long_text, .compare = compare_numbers };
	static struct profile_keys keys = { .columns = { &column }, .nr = 1 };
	struct table_options options = { .columns = test_columns, .nr_columns = 2 };
	struct profile profile = { .event = "nmi", .keys = &keys, .period = 1 };
	struct entry_key key;
	u64 number = 7;

	key = profile_key(&profile, &number);
	entries_children(&profile.entries, entries_get(&profile.entries, &key) - 1)->period = 1;
	if (profile_sort(&profile, column_find("children")->value))
		abort();
	nr_test_columns = 0;
	add_test_column("children");
	test_columns[nr_test_columns++] = &column;
	if (table_view_init(&tables[0], &options, &profile))
		abort();
	pages[0] = &tables[0].page;
	browser_init(&browser, pages, 1);
	browser_resize(&browser, 50, 24);
	unit_ok(shows(3, "   100.00%  ns::Table<..>::find_or_insert(..)") ||
		shows(3, "   100.00%  ns::Table<..>::find_or_insert(long const&)"),
		"arguments of a long name are folded");
	browser_resize(&browser, 30, 24);
	unit_ok(shows(3, "  100.00%  ns::Table..sert(..)"), "a longer name loses its middle");
	type(">");
	unit_ok(has(3, "ns::Table<std::pair<"), "at the right, names are whole");
	table_of(&tables[0].page)->options.whole_names = true;
	type("<");
	unit_ok(has(3, " 100.00%  ns::Table<std::pai"), "names are whole on request");
	close_browser();
	profile_free(&profile);
}

int main(void)
{
	struct profile profile;

	make_columns();
	begin_profile(&profile, "nmi");
	add_path(&profile, 7, "one", (const int[]){ MAIN, HOT, -1 }, 40);
	finish_profile(&profile);
	wide_characters_are_cut_whole();
	text_has_a_hottest_line(&profile);
	text_can_be_folded(&profile);
	only_visible_rows_are_formatted();
	long_names_fit_the_window();
	profile_free(&profile);
	return unit_exit();
}
