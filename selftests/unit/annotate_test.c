// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - annotate, by way of a recording of a program with known code
 *
 * The program is assembled by the test, and never runs: the test makes its samples.
 */
#include "annotate_run.h"

#define EVIL		"evil\x1b[2Jname"

/* Code with two loops in each other, a recent instruction, and a hostile name. */
static const char source[] =
	".text\n"
	".globl looped\n.type looped,@function\nlooped:\n"
	"xor %eax,%eax\n"			/* + 0 */
	"1: add $1,%eax\n"			/* + 2 */
	"2: sub $1,%edi\njne 2b\n"		/* + 5, + 8 */
	"cmp $10,%eax\njne 1b\n"		/* + 10, + 13 */
	"call recent\nret\n"			/* + 15, + 20 */
	".size looped,.-looped\n"
	".globl recent\n.hidden recent\n.type recent,@function\nrecent:\n"
	".byte 0xc4,0xe2,0x69,0xe0,0x01\nret\n"
	".size recent,.-recent\n"
	".globl twice\n.type twice,@function\ntwice: nop\nret\n.size twice,.-twice\n"
	".type \"evil\033[2Jname\",@function\n\"evil\033[2Jname\": nop\nret\n"
	".size \"evil\033[2Jname\",.-\"evil\033[2Jname\"\n";

/* Samples of two events. One of the second event is inside an instruction. */
static void make_recording(void)
{
	u64 looped = BASE + offset_of("looped");
	char other[64];

	snprintf(other, sizeof(other), "%s/other", dir);
	make_events();
	test_events[0].attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	test_events[1].attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	map(program, BASE);
	map(other, 2 * BASE);
	add_sample(0, looped + 5, 30);
	add_sample(0, looped + 5, 30);
	add_sample(0, looped + 13, 20);
	add_sample(0, BASE + offset_of("recent"), 10);
	add_sample(0, BASE + offset_of("twice"), 5);
	add_sample(0, 2 * BASE + offset_of("twice"), 4);
	add_sample(0, BASE + offset_of(EVIL), 1);
	add_sample(1, looped + 9, 7);
	add_sample(1, 0x10, 1);
	write_samples();
}

static void test_text(void)
{
	unit_ok(!ANNOTATE("looped", "--stdio", "--no-source"), "a function is shown");
	unit_ok(has("# 80.00% of 'nmi': 3 samples\n") && has("# 87.50% of 'timer:u': 1 sample\n"),
		"the share of the function is that of all samples of the event");
	unit_ok(has("  75.00          2 | +-> ") && has("  25.00          1 +---- "),
		"the shares of instructions are those of the function's samples");
	unit_ok(has("         100.00* 2 | +-- "), "several events are side by side");
	unit_ok(has("; loop 1 to ") && has("; loop 2 to "), "loops are shown");
	unit_ok(has(" <recent>\n") && has(" <looped+0x5>\n"), "targets of calls and jumps are named");
	unit_ok(has("NMI interrupted"), "the output says where samples are");
	unit_ok(!ANNOTATE("looped", "--stdio") && has("prog.s:") && has("xor %eax,%eax\n"),
		"source lines are shown");
}

static void test_json(void)
{
	unit_ok(!ANNOTATE("looped", "--json", "--event", "nmi") &&
		has("\"function\": \"looped\"") &&
		has("\"address\": \"interrupted\""),
		"JSON has the function, and where samples are");
	unit_ok(has("\"flow\": \"call\"") && has("\"target_function\": \"recent\""),
		"JSON has calls and their targets");
}

static void test_objdump(void)
{
	unit_ok(!ANNOTATE("recent", "--stdio") && has("cmpoxadd") && !says(".byte"),
		"a function that Zydis does not know is disassembled by objdump");
	unit_ok(ANNOTATE("recent", "--stdio", "--objdump", "/nonesuch/objdump") == STATUS_FAILED &&
		!has(".byte") && says("/nonesuch/objdump: No such file") &&
		says("give another program"),
		"a missing objdump is an error");
	unit_ok(ANNOTATE("recent", "--stdio", "--objdump", "true") == STATUS_FAILED &&
		has(".byte  0xc4") && says("the output of true is no disassembly"),
		"a program that is no objdump is an error, and bytes are shown");
	unit_ok(ANNOTATE("looped", "--stdio", "--objdump", "true") == STATUS_FAILED &&
		!has(".byte") && says("no disassembly of the code: the code is disassembled"),
		"without bytes that Zydis does not know, no byte is said to be shown");
	unit_ok(!ANNOTATE("looped", "--stdio", "--objdump", "objdump") && has("<looped+0x5>\n"),
		"--objdump disassembles all functions");
}

static void test_choice(void)
{
	char addr[32];

	unit_ok(ANNOTATE("lopoed", "--stdio") == STATUS_FAILED && says("did you mean 'looped'?") &&
		!*got,
		"a function without samples is refused, and a close name is suggested");
	unit_ok(ANNOTATE("twice", "--stdio") == STATUS_FAILED && says("in prog, 0x") &&
		says("in other; give --dso or an address"),
		"a name of several functions is refused, and all are named");
	unit_ok(!ANNOTATE("twice", "--dso", "other", "--stdio") && has("/other\n"),
		"--dso chooses one of them");
	snprintf(addr, sizeof(addr), "0x%llx", offset_of("looped") + 3);
	unit_ok(!ANNOTATE(addr, "--stdio") && has("# Function: looped\n"),
		"an address chooses the function around it");
	unit_ok(!ANNOTATE("--stdio", "--percent-limit", "10") && has("# Function: looped\n") &&
		has("# Function: recent\n") && !has("# Function: twice\n") &&
		strstr(got, "looped\n") < strstr(got, "recent\n"),
		"without a name, functions above the limit are shown, the hottest first");
	unit_ok(says("2 functions below 10 %") || says("3 functions below 10 %"),
		"the number of functions below the limit is printed");
	unit_ok(says("1 sample is in no function"), "samples in no function are counted");
	unit_ok(ANNOTATE("--event", "nonesuch") == STATUS_FAILED && says("has no event"),
		"an unknown event is refused");
}

static void test_hostile_name(void)
{
	unit_ok(!ANNOTATE("--stdio", "--percent-limit", "0") && has("evil\\x1b[2Jname") &&
		!strchr(got, '\x1b'),
		"hostile names are escaped in text");
	unit_ok(!ANNOTATE("--json", "--percent-limit", "0") && has("evil\\u001b[2Jname") &&
		!strchr(got, '\x1b'),
		"hostile names are escaped in JSON");
}

static void test_missing(void)
{
	sh("mv prog gone");
	unit_ok(!ANNOTATE("--stdio") && !has("looped") && has("# Function: twice\n") &&
		says("8 samples are in no function"),
		"samples in a missing binary are counted, and those in others are shown");
	sh("mv gone prog");
}

int main(void)
{
	make_program(source, NULL);
	make_recording();
	test_text();
	test_json();
	test_objdump();
	test_choice();
	test_hostile_name();
	test_missing();
	sh("rm -r ../${PWD##*/}");
	free(got);
	return unit_exit();
}
