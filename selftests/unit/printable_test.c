// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - names for a terminal
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
	unit_ok(clean, "of no name anything is left that a terminal obeys");
}

int main(void)
{
	const char *plain = "sh -c \"caf\xc3\xa9\"";
	char *longest = malloc(10000);

	unit_ok(printable(plain) == plain, "what can be shown stays as it is");
	unit_ok(becomes("\033[2Jroot\n", "\\x1b[2Jroot\\x0a"), "escapes and ends of lines do not");
	unit_ok(becomes("\x7f\t", "\\x7f\\x09"), "nor do other controls");
	unit_ok(becomes("\xc2\x9bm", "\\xc2\\x9bm"), "nor those of UTF-8");
	unit_ok(becomes("\x9b\xff", "\\x9b\\xff"), "nor what is no character");
	unit_ok(becomes("a\xe2\x80\xaex\xe2\x81\xa6", "a\\xe2\\x80\\xaex\\xe2\\x81\\xa6"),
		"nor what turns a line around");
	unit_ok(becomes("\xe2\x80\xa7\xe2\x81\xaa", "\xe2\x80\xa7\xe2\x81\xaa"),
		"their neighbours stay");
	memset(longest, 1, 9999);
	longest[9999] = '\0';
	unit_ok(strlen(printable(longest)) < 1024 && strstr(printable(longest), "\\x01..."),
		"nor what is too long");
	test_anything();
	free(longest);
	return unit_exit();
}
