// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - escaping of names that are printed to a terminal
 */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "unit.h"

static bool becomes(const char *text, const char *shown)
{
	return !strcmp(printable(text), shown);
}

static void test_anything(void)
{
	char text[64];
	bool clean = true;

	srandom(1);
	for (int i = 0; i < 20000; i++) {
		size_t len = random() % (sizeof(text) - 1);

		for (size_t at = 0; at < len; at++)
			text[at] = 1 + random() % 255;
		text[len] = '\0';
		for (const char *s = printable(text); *s; s++)
			clean &= (unsigned char)*s >= 0x20 && *s != 0x7f;
	}
	unit_ok(clean, "a random name keeps no control character");
}

/* A fast path looks at eight bytes at a time. */
static void test_each_byte(void)
{
	char text[] = "abcdefghijklmnopqrs";
	bool is_right = true;

	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		char before = text[at];

		for (int byte = 1; byte < 256; byte++) {
			text[at] = byte;
			is_right &= (printable(text) == text) == (byte >= 0x20 && byte < 0x7f);
		}
		text[at] = before;
	}
	unit_ok(is_right, "a byte is escaped wherever it is");
}

int main(void)
{
	const char *plain = "sh -c \"caf\xc3\xa9\"";
	char *longest = malloc(10000);

	unit_ok(printable(plain) == plain, "a printable name is not copied");
	unit_ok(becomes("\033[2Jroot\n", "\\x1b[2Jroot\\x0a"),
		"escape sequences and newlines are escaped");
	unit_ok(becomes("\x7f\t", "\\x7f\\x09"), "DEL and tab are escaped");
	unit_ok(becomes("\xc2\x9bm", "\\xc2\\x9bm"),
		"control characters in UTF-8 are escaped");
	unit_ok(becomes("\x9b\xff", "\\x9b\\xff"), "invalid UTF-8 is escaped");
	unit_ok(becomes("a\xe2\x80\xaex\xe2\x81\xa6", "a\\xe2\\x80\\xaex\\xe2\\x81\\xa6"),
		"characters that change the direction of text are escaped");
	unit_ok(becomes("\xe2\x80\xa7\xe2\x81\xaa", "\xe2\x80\xa7\xe2\x81\xaa"),
		"neighbours of direction characters are kept");
	memset(longest, 1, 9999);
	longest[9999] = '\0';
	unit_ok(strlen(printable(longest)) < 1024 && strstr(printable(longest), "\\x01..."),
		"a name that is too long is cut");
	test_each_byte();
	test_anything();
	free(longest);
	return unit_exit();
}
