// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - what `tables show` prints of the rows of a table
 */
#include <stdlib.h>
#include <string.h>

#include "base/types.h"
#include "tables/tables.h"
#include "unit.h"

#define HEADING		" FILE OFFSET  CFA              RBP      RBX\n"
#define LINE(columns)	"    0x120040  " columns "\n"
#define JSON(members)	"{\"offset\":\"0x120040\"," members "}\n"

#define CFA(number, place, rbp, offset)							\
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_BASE(number, place), rbp, offset }

/* A rule of a kind that ignores @base and @rbp: they must not be printed. */
#define IGNORING(how, offset)								\
	{ how, TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RBP, 3), -16, offset }

static const struct {
	const char *name;
	struct tprof_lx_unwind_rule rule;
	const char *text;
	const char *json;
} cases[] = {
	{ "cfa_at_rsp_and_rbp_same_and_rbx_unknown",
	  CFA(TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBX_UNKNOWN, TPROF_LX_UNWIND_RBP_SAME, 8),
	  LINE("rsp+8            same     unknown"),
	  JSON("\"cfa\":\"rsp+8\",\"rbp\":\"same\",\"rbx\":\"unknown\"") },
	{ "cfa_at_rbp_and_both_registers_saved",
	  CFA(TPROF_LX_UNWIND_RBP, 3, -16, 16),
	  LINE("rbp+16           cfa-16   cfa-24"),
	  JSON("\"cfa\":\"rbp+16\",\"rbp\":\"cfa-16\",\"rbx\":\"cfa-24\"") },
	{ "cfa_at_rbx_and_rbp_unknown_and_rbx_same",
	  CFA(TPROF_LX_UNWIND_RBX, TPROF_LX_UNWIND_RBX_SAME, TPROF_LX_UNWIND_RBP_UNDEFINED, -40),
	  LINE("rbx-40           unknown  same"),
	  JSON("\"cfa\":\"rbx-40\",\"rbp\":\"unknown\",\"rbx\":\"same\"") },
	{ "cfa_at_r10_of_a_realigned_stack",
	  CFA(10, 2, TPROF_LX_UNWIND_RBP_SAME, 0),
	  LINE("r10+0            same     cfa-16"),
	  JSON("\"cfa\":\"r10+0\",\"rbp\":\"same\",\"rbx\":\"cfa-16\"") },
	{ "cfa_in_memory",
	  { TPROF_LX_UNWIND_DEREF, TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RBP, 15), -16, -8 },
	  LINE("*(rbp-8)         cfa-16   cfa-120"),
	  JSON("\"cfa\":\"*(rbp-8)\",\"rbp\":\"cfa-16\",\"rbx\":\"cfa-120\"") },
	{ "plt",
	  { TPROF_LX_UNWIND_PLT, TPROF_LX_UNWIND_BASE(0, TPROF_LX_UNWIND_RBX_SAME),
	    TPROF_LX_UNWIND_RBP_SAME, 11 },
	  LINE("plt+11           same     same"),
	  JSON("\"cfa\":\"plt+11\",\"rbp\":\"same\",\"rbx\":\"same\"") },
	{ "signal_frame",
	  IGNORING(TPROF_LX_UNWIND_SIGNAL, 160),
	  LINE("signal rsp+160            "),
	  JSON("\"cfa\":\"signal rsp+160\"") },
	{ "outermost_frame",
	  IGNORING(TPROF_LX_UNWIND_END, 99),
	  LINE("outermost                 "),
	  JSON("\"cfa\":\"outermost\"") },
	{ "frame_pointer",
	  IGNORING(TPROF_LX_UNWIND_FP, 99),
	  LINE("frame_pointer             "),
	  JSON("\"cfa\":\"frame_pointer\"") },
	{ "cut",
	  IGNORING(TPROF_LX_UNWIND_CUT, 99),
	  LINE("cut                       "),
	  JSON("\"cfa\":\"cut\"") },
};

/* Print the rows of a table, and return whether the output is @expected. */
static bool prints(const struct unwind_table *table, bool as_json, const char *expected)
{
	char *output = NULL;
	FILE *terminal = stdout;
	size_t len;
	struct json json = { .out = open_memstream(&output, &len), .first = true };
	struct tables tables = { .json = as_json ? &json : NULL };
	bool same;

	if (!json.out)
		abort();
	stdout = json.out;
	tables_print_rows(&tables, table);
	stdout = terminal;
	fclose(json.out);
	same = !strcmp(output, expected);
	if (!same)
		fprintf(stderr, "expected:\n%sprinted:\n%s", expected, output);
	free(output);
	return same;
}

static void test_rules(void)
{
	struct tprof_lx_unwind_rule rule;
	struct tprof_lx_unwind_row row = { 0x40, 0 };
	u32 pages[] = { 0, 1 };
	const struct unwind_table table = {
		.page0 = 0x12, .nr_pages = 1, .nr_rows = 1, .nr_rules = 1,
		.pages = pages, .rows = &row, .rules = &rule,
	};
	char name[64], text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rule = cases[i].rule;
		snprintf(name, sizeof(name), "text_of_%s", cases[i].name);
		snprintf(text, sizeof(text), "%s%s", HEADING, cases[i].text);
		unit_ok(prints(&table, false, text), name);
		snprintf(name, sizeof(name), "json_of_%s", cases[i].name);
		unit_ok(prints(&table, true, cases[i].json), name);
	}
}

/* The first row of the second page continues a row, that of the third does not. */
static void test_pages(void)
{
	struct tprof_lx_unwind_rule rules[] = {
		{ .how = TPROF_LX_UNWIND_END }, { .how = TPROF_LX_UNWIND_FP },
	};
	struct tprof_lx_unwind_row rows[] = { { 0xfff0, 0 }, { 0, 0 }, { 0x10, 1 }, { 0, 0 } };
	u32 pages[] = { 0, 1, 3, 4 };
	const struct unwind_table table = {
		.page0 = 1, .nr_pages = 3, .nr_rows = 4, .nr_rules = 2,
		.pages = pages, .rows = rows, .rules = rules,
	};

	unit_ok(prints(&table, true, "{\"offset\":\"0x1fff0\",\"cfa\":\"outermost\"}\n"
				     "{\"offset\":\"0x20010\",\"cfa\":\"frame_pointer\"}\n"
				     "{\"offset\":\"0x30000\",\"cfa\":\"outermost\"}\n"),
		"row_that_continues_one_of_the_page_before_is_left_out");
}

int main(void)
{
	test_rules();
	test_pages();
	return unit_exit();
}
