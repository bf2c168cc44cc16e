// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - tables and names that are too wide for the terminal
 */
#include <locale.h>
#include <string.h>

#include "unit.h"
#include "view/fit.h"
#include "view/line.h"
#include "view/short_name.h"

static void check_name(const char *name, u32 width, const char *expected)
{
	char buf[SHORT_NAME_LEN];
	const char *got = short_name(name, width, buf);
	char title[160];

	snprintf(title, sizeof(title), "in %u columns, '%.100s' is shortened", width, name);
	unit_ok(!strcmp(got, expected) && text_columns(got) <= width, title);
	if (strcmp(got, expected))
		printf("# '%s', not '%s'\n", got, expected);
}

static void test_names(void)
{
	check_name("memcpy", 6, "memcpy");
	check_name("memcpy", 5, "me..y");
	check_name("__pfx_native_queued_spin_lock_slowpath", 20, "__pfx_nat.._slowpath");
	check_name("std::vector<std::pair<int, long>, std::allocator<int> >::push_back(int&&)", 40,
		   "std::vector<..>::push_back(int&&)");
	check_name("std::vector<std::pair<int, long>, std::allocator<int> >::push_back(int&&)", 30,
		   "std::vector<..>::push_back(..)");
	check_name("std::vector<std::pair<int, long>, std::allocator<int> >::push_back(int&&)", 20,
		   "std::vect.._back(..)");
	check_name("(anonymous namespace)::run(std::string const&)", 32,
		   "(anonymous namespace)::run(..)");
	check_name("<alloc::vec::Vec<alloc::string::String> as core::iter::Iterator>::next", 55,
		   "<alloc::vec::Vec<..> as core::iter::Iterator>::next");
	check_name("core::ops::function::FnOnce::call_once::<core::option::Option<u64>>", 50,
		   "core::ops::function::FnOnce::call_once::<..>");
	check_name("\xe5\x87\xbd\xe6\x95\xb0\xe5\x87\xbd\xe6\x95\xb0", 7,
		   "\xe5\x87\xbd..\xe6\x95\xb0");
}

static void test_operators(void)
{
	check_name("std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", 50,
		   "std::operator<< <..>(std::ostream&, char const*)");
	check_name("std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", 30,
		   "std::operator<< <..>(..)");
	check_name("Queue<unsigned long>::operator->(unsigned long) const", 45,
		   "Queue<..>::operator->(unsigned long) const");
	check_name("Less<unsigned long>::operator()(int, long, char) const", 30,
		   "Less<..>::operator()(..) const");
	check_name("bool operator< <int, long>(a<int, 5> const&, b const&)", 25,
		   "bool operator< <..>(..)");
}

static void fit(struct fit *fits, size_t nr, u32 room)
{
	fit_columns(fits, nr, nr - 1, room);
}

static bool has_widths(const struct fit *fits, u32 a, u32 b, u32 c)
{
	if (fits[0].width == a && fits[1].width == b && fits[2].width == c)
		return true;
	printf("# %u %u %u\n", fits[0].width, fits[1].width, fits[2].width);
	return false;
}

static void test_columns(void)
{
	/* A percentage, a binary and a symbol. */
	struct fit fits[] = { { false, 8, 6, 0 }, { true, 13, 9, 0 }, { true, 6, 20, 0 } };

	fit(fits, 3, 80);
	unit_ok(has_widths(fits, 8, 13, 20), "with_room_titles_are_whole");
	fit(fits, 3, 36);
	unit_ok(has_widths(fits, 7, 9, 20), "titles_of_numbers_get_what_contents_leave");
	fit(fits, 3, 38);
	unit_ok(has_widths(fits, 8, 10, 20), "titles_of_texts_get_the_rest");
	fits[1].wants = 40;
	fit(fits, 3, 50);
	unit_ok(has_widths(fits, 8, 22, 20), "a_long_binary_leaves_the_symbol_what_it_needs");
	fits[2].wants = 100;
	fit(fits, 3, 78);
	unit_ok(has_widths(fits, 8, 13, 57), "a_long_symbol_leaves_the_binary_its_title");
	fit(fits, 3, 40);
	unit_ok(has_widths(fits, 6, 6, 28), "a_symbol_with_too_little_gets_it_from_the_binary");
	fit(fits, 3, 10);
	unit_ok(has_widths(fits, 6, 6, 8), "no_width_is_0");
	fit_columns(fits, 3, 3, 40);
	unit_ok(has_widths(fits, 8, 16, 16), "without_a_symbol_the_longest_texts_are_shortened");
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_names();
	test_operators();
	test_columns();
	return unit_exit();
}
