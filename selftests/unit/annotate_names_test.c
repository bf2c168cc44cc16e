// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which of the functions with similar names or addresses annotate shows
 */
#include "annotate/annotate_page.h"
#include "annotate/annotated_recording.h"
#include "annotate_run.h"

#define LAMBDA		"maker(int)::{lambda()#1}"

/*
 * A function with a lambda, a function inside another one, one that Zydis does not know, and one
 * without a size at the end of all code.
 */
static const char source[] =
	".text\n"
	".type same,@function\nsame: nop\nret\n.size same,.-same\n"
	".type maker,@function\nmaker: nop\nret\n.size maker,.-maker\n"
	".type \"" LAMBDA "\",@function\n\"" LAMBDA "\": ret\n"
	".size \"" LAMBDA "\",.-\"" LAMBDA "\"\n"
	".type outer,@function\nouter: nop\n"
	".type inner,@function\ninner: inc %ecx\nret\n.size inner,.-inner\n"
	"ret\n.size outer,.-outer\n"
	".type recent,@function\nrecent:\n"
	".byte 0xc4,0xe2,0x69,0xe0,0x01\nret\n"
	".size recent,.-recent\n"
	".text 1\n"
	".type last,@function\nlast: dec %ebx\nret\n";

/* A function of the same name as another one. */
static const char more[] =
	".text\n"
	".type same,@function\nsame: dec %ebx\nret\n.size same,.-same\n";

/* Names as C++ and JIT compilers make them. */
static const char *const names[] = {
	"One::operator()", "One::operators",
	"Two::operator()(int) const", "Two::operator new",
	"Three::operator()(int)::{lambda()#1}",
	"absent(int (*)(int))::{lambda()#1}",
	"typed(int (*)(decltype(x)::type)) const",
};

/* Return the source of @more and of functions with all @names. */
static const char *make_more(void)
{
	static char text[4096];
	size_t used = snprintf(text, sizeof(text), "%s", more), i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		used += snprintf(text + used, sizeof(text) - used,
				 ".type \"%s\",@function\n\"%s\": ret\n.size \"%s\",.-\"%s\"\n",
				 names[i], names[i], names[i], names[i]);
	return text;
}

/* Return the offset of the function "same" of @more, with which the code begins. */
static u64 first_same(void)
{
	return offset_of("same") & ~0xfffULL;
}

static void make_recording(void)
{
	static const char *const others[] = { "maker", LAMBDA, "outer", "inner", "recent", "last" };
	size_t i;

	make_events();
	test_events[0].attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	test_events[1].attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	map(program, BASE);
	add_sample(0, BASE + first_same(), 9);
	add_sample(0, BASE + offset_of("same"), 8);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		add_sample(0, BASE + offset_of(others[i]), 1);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		add_sample(0, BASE + offset_of(names[i]), 1);
	write_samples();
}

static struct message message;

/* Return true if the page of the function "recent" has @line. Set @message to what is said. */
static bool has_page(struct annotated *annotated, const char *line)
{
	struct hot_function **function = annotated->functions.list;
	struct text_view text = { 0 };
	bool has_line = false;
	size_t at;

	while (strcmp((*function)->symbol->name, "recent"))
		function++;
	message.text[0] = '\0';
	if (!annotate_page_make(&text, annotated, (*function)->symbol, NULL, &message)) {
		for (at = 0; at < text.nr; at++)
			has_line |= !!strstr(text.text + text.lines[at], line);
	}
	text_view_free(&text);
	return has_line;
}

static void test_missing_objdump(struct annotated *annotated)
{
	char *path = strdup(getenv("PATH"));

	if (!path)
		abort();
	setenv("PATH", "/nonesuch", 1);
	unit_ok(has_page(annotated, ".byte  0xc4") &&
		strstr(message.text, "objdump is not there: ") &&
		strstr(message.text, "1 byte is shown as .byte; apt install binutils"),
		"without objdump, a page has bytes instead, and says what to install");
	unit_ok(strlen(message.text) < 80, "this fits into a line of 80 columns");
	setenv("PATH", path, 1);
	unit_ok(has_page(annotated, "cmpoxadd") && !message.text[0],
		"after objdump was installed, the page has all instructions");
	free(path);
}

static void test_pages(void)
{
	const struct symbol_options symbols = { .no_debuginfod = true };
	const struct gather_filter filter = { 0 };
	struct annotated_recording opened;

	if (annotated_recording_open(&opened, recording, &filter, &symbols))
		abort();
	test_missing_objdump(&opened.annotated);
	unit_ok(has_page(&opened.annotated, "cmpoxadd") &&
		has_page(&opened.annotated, "cmpoxadd"),
		"a function that objdump disassembles can be shown twice");
	annotated_recording_free(&opened);
}

static void test_choice(void)
{
	char addr[32];

	unit_ok(ANNOTATE("same", "--stdio") == STATUS_FAILED && says("several functions 'same'"),
		"a name of two functions in a binary is refused");
	snprintf(addr, sizeof(addr), "0x%llx", offset_of("same"));
	unit_ok(!ANNOTATE(addr, "--stdio") && has("nop"), "an address chooses one of them");
	unit_ok(!ANNOTATE("maker", "--stdio") && has("# Function: maker\n"),
		"the name of a function does not choose the lambda in it");
	snprintf(addr, sizeof(addr), "0x%llx", offset_of("inner"));
	unit_ok(!ANNOTATE(addr, "--stdio") && has("# Function: inner\n"),
		"an address chooses the function that begins there, not the one around it");
}

static void test_parameters(void)
{
	unit_ok(!ANNOTATE("typed", "--stdio") && has("# Function: typed(int (*)"),
		"parameters can be left out");
	unit_ok(ANNOTATE("absent", "--stdio") == STATUS_FAILED && says("no samples in function"),
		"a lambda is not the function that it is in, even if that has no samples");
}

static void test_operators(void)
{
	unit_ok(!ANNOTATE("One::operator()", "--stdio") && has("# Function: One::operator()\n"),
		"the parentheses of operator() are part of its name");
	unit_ok(!ANNOTATE("One::operator", "--stdio") && has("# Function: One::operator()\n"),
		"the word operator chooses the only operator of a class");
	unit_ok(ANNOTATE("Two::operator", "--stdio") == STATUS_FAILED &&
		says("such as 'Two::operator") && says("give the whole name"),
		"the word operator does not choose one of several operators");
	unit_ok(!ANNOTATE("Two::operator()", "--stdio") && has("# Function: Two::operator()(int)"),
		"the parameters of operator() can be left out");
	unit_ok(ANNOTATE("Three::operator", "--stdio") == STATUS_FAILED &&
		ANNOTATE("Three::operator()", "--stdio") == STATUS_FAILED &&
		says("no samples in function"), "a lambda in operator() is not chosen");
}

static void test_last(void)
{
	unit_ok(!ANNOTATE("last", "--stdio") && has(" 100.00*") && has("ret\n") && !has("add "),
		"a function without a size ends where the code ends");
	unit_ok(!ANNOTATE("last", "--json") && has("\"length\": 3,"),
		"its length in JSON is that of its instructions");
}

int main(void)
{
	make_program(source, make_more());
	make_recording();
	test_pages();
	test_choice();
	test_parameters();
	test_operators();
	test_last();
	sh("rm -r ../${PWD##*/}");
	free(got);
	return unit_exit();
}
