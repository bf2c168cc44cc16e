// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - JSON output
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "unit.h"

static bool is_quoted_as(const char *text, const char *expected)
{
	char *out = NULL;
	size_t len;
	struct json json = { .out = open_memstream(&out, &len), .first = true };
	bool same;

	json_begin(&json, NULL, '[');
	json_string(&json, NULL, text);
	json_end(&json, ']');
	fclose(json.out);
	same = !strncmp(out + 1, expected, strlen(expected)) &&
	       !strcmp(out + 1 + strlen(expected), "]\n");
	free(out);
	return same;
}

static void test_quotes(void)
{
	unit_ok(is_quoted_as("plain", "\"plain\""), "plain text is quoted");
	unit_ok(is_quoted_as("a\"b\\c", "\"a\\\"b\\\\c\""),
		"quotes and backslashes are escaped");
	unit_ok(is_quoted_as("\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\""),
		"control characters are escaped");
	unit_ok(is_quoted_as("\xc3\xa9\xf0\x9f\x90\x91",
			     "\"\xc3\xa9\xf0\x9f\x90\x91\""), "UTF-8 is kept");
	unit_ok(is_quoted_as("\xff\xc3", "\"\\u00ff\\u00c3\""),
		"bytes that are not UTF-8 are escaped");
	unit_ok(is_quoted_as("\xc0\x80\xed\xa0\x80",
			     "\"\\u00c0\\u0080\\u00ed\\u00a0\\u0080\""),
		"overlong forms and surrogates are escaped");
}

static const char expected[] =
	"{\"a\":18446744073709551615,\"b\":[],\"c\":{\"d\":-1,\"e\":\"0xff\"},\"f\":true}\n[1,2]\n";

static void test_nesting(void)
{
	char *out = NULL;
	size_t len;
	struct json json = { .out = open_memstream(&out, &len), .first = true };

	json_begin(&json, NULL, '{');
	json_u64(&json, "a", ~0ULL);
	json_begin(&json, "b", '[');
	json_end(&json, ']');
	json_begin(&json, "c", '{');
	json_s64(&json, "d", -1);
	json_hex(&json, "e", 0xff);
	json_end(&json, '}');
	json_bool(&json, "f", true);
	json_end(&json, '}');
	json_begin(&json, NULL, '[');
	json_u64(&json, NULL, 1);
	json_u64(&json, NULL, 2);
	json_end(&json, ']');
	fclose(json.out);
	unit_ok(!strcmp(out, expected),
		"nested values, commas and two documents are written");
	free(out);
}

static void test_fractions(void)
{
	char *out = NULL;
	size_t len;
	struct json json = { .out = open_memstream(&out, &len), .first = true };

	json_begin(&json, NULL, '[');
	json_fixed(&json, NULL, -1.25, 2);
	json_fixed(&json, NULL, 1e3, 0);
	json_fixed(&json, NULL, 0.0 / 0.0, 2);
	json_end(&json, ']');
	fclose(json.out);
	unit_ok(!strcmp(out, "[-1.25,1000,null]\n"),
		"fractions are written, and NaN as null");
	free(out);
}

int main(void)
{
	test_quotes();
	test_nesting();
	test_fractions();
	return unit_exit();
}
