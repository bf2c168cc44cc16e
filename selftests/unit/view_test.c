// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - tables that a user walks through by keys
 */
#include "unit.h"
#include "view_profile.h"

#define END	-1
#define PATH(...) ((const int[]){ __VA_ARGS__, END })

/* Lines of the screen above the rows. */
#define ROWS	3

static struct profile profile, other;
static char copied[256];
static u32 annotated, commands;

static void make_profiles(void)
{
	make_columns();
	begin_profile(&profile, "nmi");
	add_path(&profile, 7, "one", PATH(MAIN, HOT, LEAF), 40);
	add_path(&profile, 7, "one", PATH(MAIN, HOT), 20);
	add_path(&profile, 7, "one", PATH(MAIN, COLD, LEAF), 10);
	add_path(&profile, 8, "two", PATH(MAIN, ODD), 30);
	finish_profile(&profile);
	begin_profile(&other, "cycles");
	add_path(&other, 9, "three", PATH(COLD), 5);
	finish_profile(&other);
}

static void free_profiles(void)
{
	profile_free(&profile);
	profile_free(&other);
}

static void rows_are_those_of_stdio(void)
{
	open_browser(&profile, NULL);
	unit_ok(shows(0, "Samples: 100 of event 'nmi', event count (approx.): 1000"),
		"the first line names the event");
	unit_ok(shows(1, "6 of 6 lines, 100.00% of the samples"), "the second line counts lines");
	unit_ok(shows(2, "  Children      Self  PID  Command  Shared Object  Symbol"),
		"the third line names the columns");
	unit_ok(shows(ROWS, "+   70.00%     0.00%    7  one      prog           [.] main") &&
		shows(ROWS + 1, "+   60.00%    20.00%    7  one      prog           [.] hot") &&
		shows(ROWS + 2, "    50.00%    50.00%    7  one      prog           [.] leaf"),
		"rows are in the order of the first column");
	unit_ok(has(ROWS + 4, "main") &&
		shows(ROWS + 3,
		      "    30.00%    30.00%    8  two      prog           [.] " EVIL_SHOWN),
		"control characters are escaped");
	unit_ok(line_of(ROWS)->style == LINE_CURSOR && line_of(ROWS + 1)->style == LINE_PLAIN,
		"the cursor is in the first row");
	unit_ok(line_of(ROWS)->parts[0].heat == 70 && line_of(ROWS)->parts[0].len == 6,
		"the first percentage has a colour");
	unit_ok(shows(ROWS + 6, ""), "lines below the last row are empty");
	close_browser();
}

static void trees_open_and_fold(void)
{
	open_browser(&profile, NULL);
	type("\n");
	unit_ok(has(ROWS, "-   70.00%") && shows(ROWS + 1, "    -   70.00%  main") &&
		shows(ROWS + 2, "      +   60.00%  hot") &&
		shows(ROWS + 3, "      +   10.00%  Cold") &&
		has(ROWS + 4, "+   60.00%    20.00%"),
		"a tree opens down to its first branch");
	type("jj+");
	unit_ok(shows(ROWS + 2, "      -   60.00%  hot") &&
		shows(ROWS + 3, "            40.00%  leaf"), "a branch opens");
	type("j+");
	unit_ok(says("nothing is below this line"), "a leaf does not open");
	type("-");
	unit_ok(strstr(cursor_line(), "hot"), "in a leaf, fold goes to the line above it");
	type("-");
	unit_ok(shows(ROWS + 3, "      +   10.00%  Cold"), "an open branch folds");
	type("----");
	unit_ok(has(ROWS, "+   70.00%") && has(ROWS + 1, "hot"), "the whole tree folds");
	type("*");
	unit_ok(shows(ROWS + 3, "            40.00%  leaf") &&
		shows(ROWS + 5, "            10.00%  leaf"), "all of a tree opens");
	type("-jj+");
	unit_ok(says("no call tree here; record with -g to have one"),
		"a line without a tree does not open");
	close_browser();
}

static void filters_and_zooms_are_undone(void)
{
	open_browser(&profile, NULL);
	type("jj/");
	unit_ok(says("filter: _"), "the filter is typed in the last line");
	type("xc\x7f\x7f^(Hot|Cold)$\n");
	unit_ok(has(1, "1 of 6 lines, 0.00% of the samples: /^(Hot|Cold)$") &&
		has(ROWS, "Cold") && shows(ROWS + 1, ""),
		"a pattern with an upper-case letter distinguishes case");
	type("\x1b");
	unit_ok(strstr(cursor_line(), "leaf"), "the cursor is back in its row");
	type("/^(hot|cold)$\n");
	unit_ok(has(1, "2 of 6 lines") && has(ROWS, "hot"), "other patterns ignore case");
	type("t/(\n");
	unit_ok(has(1, ": /^(hot|cold)$ > comm one > /(") && says("no line has '('"),
		"an invalid expression is a text, and conditions add up");
	type("d");
	unit_ok(says("no line here; press Esc"), "there is nothing to zoom into");
	type("\x1b\x1b\x1b\x1b");
	unit_ok(has(1, "6 of 6 lines") && says("press q to quit"),
		"all are undone, and the table stays");
	type("/x\x1b");
	unit_ok(has(1, "6 of 6 lines") && !browser.prompt, "a filter is cancelled");
	type("jp");
	unit_ok(has(1, "2 of 6 lines, 30.00% of the samples: pid 8"),
		"zoom into a process");
	type("\033d");
	unit_ok(has(1, "6 of 6 lines, 100.00% of the samples: dso prog"), "zoom into a binary");
	type("\x1bP");
	unit_ok(says("lines have no key parent; run report with -s parent,sym"),
		"without its key, there is no zoom");
	close_browser();
}

static void live_table_says_what_to_type_for_top(void)
{
	open_browser(&profile, NULL);
	tables[0].options.is_live = true;
	type("jj+");
	unit_ok(says("no call tree here; start top with -g to have one"),
		"call chains are an option of top");
	type("P");
	unit_ok(says("no function is above this line; go to one in a call tree"),
		"a live table has no key parent");
	test_keys.columns[KEY_PID] = column_find("cpu");
	type("p");
	test_keys.columns[KEY_PID] = column_find("pid");
	unit_ok(says("lines have no key pid; run top with -s pid,sym"),
		"keys are an option of top");
	close_browser();
}

static void parent_is_shown_alone(void)
{
	open_browser(&profile, NULL);
	type("*jjjP");
	unit_ok(has(1, "1 of 6 lines, 60.00% of the samples: below hot") &&
		shows(ROWS, "  -   60.00%  hot") && shows(ROWS + 1, "        40.00%  leaf") &&
		shows(ROWS + 2, ""), "zoom into the function that calls the one in the line");
	type("/leaf\n");
	unit_ok(says("press Esc first"), "a call tree is not filtered");
	type("\x1b");
	unit_ok(!strcmp(cursor_line(), "            40.00%  leaf"),
		"the cursor is back in the tree");
	close_browser();
}

static void lines_are_sorted(void)
{
	open_browser(&profile, NULL);
	type("js");
	unit_ok(has(1, "sorted by self") && has(ROWS, "leaf") && has(ROWS + 1, EVIL_SHOWN),
		"sorted by the next column");
	unit_ok(strstr(cursor_line(), "leaf"), "the cursor is in the first row");
	type("ssss");
	unit_ok(has(1, "sorted by sym") && has(ROWS, "Cold") && has(ROWS + 1, EVIL_SHOWN) &&
		has(ROWS + 2, "hot"), "names are sorted as texts");
	type("SSS");
	unit_ok(has(1, "sorted by pid") && has(ROWS + 4, "  8  two"), "numbers are sorted");
	type("SSS");
	unit_ok(has(1, "sorted by sym"), "the first column follows the last");
	close_browser();
}

static void other_columns_are_shown(void)
{
	const struct column *columns[] = { column_find("interval"), column_find("self"),
					   column_find("sym") };
	struct table_options options = { .columns = columns, .nr_columns = ARRAY_SIZE(columns) };

	open_browser(&profile, NULL);
	type("js");
	unit_ok(!table_view_choose(&tables[0], &options) && has(1, "sorted by self") &&
		has(ROWS - 1, "Interval") && !has(ROWS - 1, "Children") && has(ROWS, "leaf"),
		"other columns, in the order of a column that stays");
	options = (struct table_options){ .columns = &columns[2], .nr_columns = 1 };
	unit_ok(!table_view_choose(&tables[0], &options) && !has(1, "sorted by"),
		"without that column, rows have the order of the profile");
	close_browser();
}

static void lines_are_found(void)
{
	open_browser(&profile, NULL);
	type("n");
	unit_ok(says("find: _"), "the first search asks for the pattern");
	type("main\n");
	unit_ok(strstr(cursor_line(), "two"), "the next line is found");
	type("n");
	unit_ok(strstr(cursor_line(), "one"), "the search begins again at the first line");
	type("N");
	unit_ok(strstr(cursor_line(), "two"), "the previous line is found");
	type("fnone\n");
	unit_ok(says("no line here has 'none'") && strstr(cursor_line(), "two"),
		"if nothing is found, the cursor stays");
	close_browser();
}

static void window_follows_the_cursor(void)
{
	open_browser(&profile, NULL);
	browser_resize(&browser, 80, 6);
	unit_ok(has(ROWS + 1, "hot") && says("h: help"), "a small screen has two rows");
	browser_key(&browser, VIEW_KEY_PAGE_DOWN);
	browser_key(&browser, VIEW_KEY_DOWN);
	unit_ok(has(ROWS, "hot") && has(ROWS + 1, "leaf") && strstr(cursor_line(), "leaf"),
		"the window follows");
	browser_key(&browser, VIEW_KEY_END);
	unit_ok(has(ROWS + 1, "Cold") && strstr(cursor_line(), "Cold"), "the last row");
	browser_key(&browser, VIEW_KEY_PAGE_UP);
	browser_key(&browser, VIEW_KEY_HOME);
	browser_key(&browser, VIEW_KEY_UP);
	unit_ok(strstr(cursor_line(), "main"), "the first row");
	browser_resize(&browser, 40, 6);
	unit_ok(line_of(ROWS)->columns <= 40 && line_of(0)->columns <= 40 &&
		line_of(5)->columns <= 40, "no line is wider than the screen");
	type(">");
	unit_ok(!strncmp(line_of(ROWS)->text, "0%     0.00%", 12) &&
		!strncmp(line_of(2)->text, "en      Self", 12), "rows are scrolled to the side");
	browser_resize(&browser, 200, 60);
	type("<G");
	unit_ok(has(ROWS, "main") && has(ROWS + 5, "Cold"), "a large screen has all rows");
	browser_resize(&browser, 80, 5);
	unit_ok(shows(0, "enlarge this window"), "a tiny screen asks for more room");
	close_browser();
}

static void replaced_data_keep_the_cursor(void)
{
	struct profile later;

	begin_profile(&later, "nmi");
	add_path(&later, 8, "two", PATH(MAIN, ODD), 90);
	add_path(&later, 7, "one", PATH(MAIN, COLD, LEAF), 10);
	add_path(&later, 7, "one", PATH(MAIN, HOT, LEAF), 5);
	finish_profile(&later);
	open_browser(&profile, NULL);
	type("+jj+j");
	unit_ok(!strcmp(cursor_line(), "            40.00%  leaf"), "the cursor is in a tree");
	unit_ok(!table_view_replace(&tables[0], &later), "data are replaced");
	unit_ok(has(ROWS, "two") && !strcmp(cursor_line(), "             4.76%  leaf"),
		"the cursor stays in its row, which stays open");
	type("P");
	unit_ok(!table_view_replace(&tables[0], &profile) && has(1, "below hot") &&
		shows(ROWS, "  -   60.00%  hot"), "a zoom stays");
	type("\x1bgt/^hot$\n");
	unit_ok(!table_view_replace(&tables[0], &later) &&
		has(1, "1 of 6 lines, 0.00% of the samples: comm one > /^hot$") &&
		strstr(cursor_line(), "hot"), "filters stay");
	close_browser();
	profile_free(&later);
}

/* The same samples as in @profile, with other pointers as keys, and without trees. */
static void make_flat(struct profile *flat)
{
	static const char one[] = "one", two[] = "two";

	begin_profile(flat, "nmi");
	add_path(flat, 8, two, PATH(MAIN, ODD), 30);
	add_path(flat, 7, one, PATH(MAIN, HOT, LEAF), 40);
	add_path(flat, 7, one, PATH(MAIN, HOT), 20);
	add_path(flat, 7, one, PATH(MAIN, COLD, LEAF), 10);
	for (size_t i = 0; i < flat->nr_roots; i++) {
		free(flat->roots[i]);
		flat->roots[i] = NULL;
	}
	finish_profile(flat);
}

static void load_trees(struct browser *which, void *arg)
{
	if (!tables[0].options.trees_later)
		return;
	if (table_view_reload(&tables[0], arg))
		message_set(&which->message, 0, "another profile");
}

static void trees_are_gathered_later(void)
{
	static const struct browser_calls calls = { .trees = load_trees };
	struct profile flat;

	make_flat(&flat);
	open_browser(&flat, NULL);
	tables[0].options.trees_later = true;
	browser.calls = &calls;
	browser.arg = &other;
	type("jt/^hot$\n+");
	unit_ok(says("another profile") && has(ROWS, "+   60.00%"),
		"trees of another profile are refused");
	browser.arg = &profile;
	type("+");
	unit_ok(has(1, "1 of 6 lines, 20.00% of the samples: comm one > /^hot$") &&
		has(ROWS, "-   60.00%") && has(ROWS + 1, "60.00%  hot"),
		"zooms and filters stay when trees are gathered");
	type("-\x1b\x1b");
	unit_ok(has(1, "6 of 6 lines, 100.00% of the samples") && strstr(cursor_line(), "hot"),
		"the way back leads to the same row");
	close_browser();
	profile_free(&flat);
}

static void annotate(struct browser *which, void *arg)
{
	annotated += which == &browser && arg == copied;
}

static void copy(void *arg, const char *name)
{
	snprintf(arg, sizeof(copied), "%s", name);
}

static void own(struct browser *which, void *arg, u32 command)
{
	commands += which == &browser && arg == copied && command == VIEW_OWN;
}

static const struct key_row own_keys[] = {
	{ { 'z' }, VIEW_OWN, VIEW_TABLE, "do what the program can do" },
	{ { 0 }, VIEW_NONE, 0, NULL },
};

static void program_is_asked(void)
{
	static const struct browser_calls calls = { annotate, NULL, NULL, copy, own_keys, own };

	open_browser(&profile, &other);
	type("zac");
	unit_ok(says("no name for the clipboard") && !annotated && !commands, "nothing without a program");
	browser.calls = &calls;
	browser.arg = copied;
	type("zac");
	unit_ok(annotated == 1 && commands == 1 && !strcmp(copied, "main") && says("copied: main"),
		"the program annotates, copies and has keys of its own");
	type("jjjc");
	unit_ok(!strcmp(copied, EVIL_SHOWN), "a copied name is escaped");
	type("\t");
	unit_ok(has(0, "event 'cycles'") && has(ROWS, "Cold"), "the next event");
	browser_key(&browser, VIEW_KEY_BACK_TAB);
	unit_ok(has(0, "event 'nmi'") && strstr(cursor_line(), EVIL_SHOWN), "the event before it");
	type("~");
	unit_ok(says("this key does nothing here"), "unknown keys are refused");
	type("\fq");
	unit_ok(browser.redraws && browser.quits, "draw again, and quit");
	close_browser();
}

/* Is a line of the help about these keys? */
static bool is_in_help(const struct key_row *row)
{
	char buf[16];

	for (u32 at = 0; at < browser.help.page.scroll.nr; at++) {
		const char *line = browser.help.text + browser.help.lines[at];
		bool is_whole = strstr(line, row->help);

		for (int i = 0; i < KEYS_PER_ROW && row->keys[i]; i++)
			is_whole &= !!strstr(line, view_key_name(row->keys[i], buf, sizeof(buf)));
		if (is_whole)
			return true;
	}
	return false;
}

static void help_has_all_keys(void)
{
	static const struct browser_calls calls = { annotate, NULL, NULL, copy, own_keys, own };
	const struct key_row *row;
	bool are_there = true, are_unique = true;
	size_t nr = 1;

	open_browser(&profile, NULL);
	browser.calls = &calls;
	type("h");
	for (row = view_keys; row->keys[0]; row++) {
		if (!(row->pages & VIEW_TABLE))
			continue;
		nr++;
		are_there &= is_in_help(row);
		for (int i = 0; i < KEYS_PER_ROW && row->keys[i]; i++)
			are_unique &= view_key_find(view_keys, row->keys[i], VIEW_TABLE) == row;
	}
	unit_ok(are_there && is_in_help(own_keys) && browser.help.page.scroll.nr == nr,
		"the help has all keys of a table, and no others");
	unit_ok(are_unique, "a key has one command");
	type("h");
	unit_ok(browser.nr_pages == 1, "the help has no help");
	type("\x1b");
	unit_ok(has(ROWS, "main") && !browser.nr_pages, "back to the table");
	close_browser();
}

int main(void)
{
	make_profiles();
	rows_are_those_of_stdio();
	trees_open_and_fold();
	filters_and_zooms_are_undone();
	live_table_says_what_to_type_for_top();
	parent_is_shown_alone();
	lines_are_sorted();
	other_columns_are_shown();
	lines_are_found();
	window_follows_the_cursor();
	replaced_data_keep_the_cursor();
	trees_are_gathered_later();
	program_is_asked();
	help_has_all_keys();
	free_profiles();
	return unit_exit();
}
