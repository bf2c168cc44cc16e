// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - annotate, by way of a recording of a program with known code
 *
 * The program is assembled by the test, and never runs: the test makes its samples.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/hot_functions.h"
#include "annotate/listing.h"
#include "cli/command.h"
#include "cli/say.h"
#include "perfdata_test.h"
#include "unit.h"

#define BASE		0x400000
#define EVIL		"evil\x1b[2Jname"

static char dir[] = "/tmp/annotate_test.XXXXXX";
static char program[64], recording[64], said[4096];
static char *got;
static struct bytes records;
static u64 now = FIRST_TIME;

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
	".byte 0xc4,0xe2,0x6b,0x5c,0xc1\nret\n"
	".size recent,.-recent\n"
	".globl twice\n.type twice,@function\ntwice: nop\nret\n.size twice,.-twice\n"
	".type \"evil\033[2Jname\",@function\n\"evil\033[2Jname\": nop\nret\n"
	".size \"evil\033[2Jname\",.-\"evil\033[2Jname\"\n";

static void sh(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	if (system(command))
		abort();
}

static void make_program(void)
{
	char path[64];
	FILE *file;

	if (!mkdtemp(dir))
		abort();
	snprintf(program, sizeof(program), "%s/prog", dir);
	snprintf(recording, sizeof(recording), "%s/data", dir);
	snprintf(path, sizeof(path), "%s/prog.s", dir);
	file = fopen(path, "we");
	if (!file)
		abort();
	fputs(source, file);
	fclose(file);
	sh("gcc -g -shared -nostdlib -o prog *.s && cp prog other");
}

/* Return the file offset of a function of the program. */
static u64 offset_of(const char *name)
{
	const struct symbol_options options = { .no_debuginfod = true };
	struct symbol_file file = { 0 };
	struct symtab symtab = { 0 };
	u64 start = 0;
	size_t i;

	if (symbol_file_load(&file, program, NULL, &options, SYMBOL_ADDRESS_OFFSET, &symtab))
		abort();
	for (i = 0; i < symtab.nr; i++) {
		if (!strcmp(symtab.symbols[i].name, name))
			start = symtab.symbols[i].start;
	}
	symbol_file_close(&file);
	symtab_free(&symtab);
	return start;
}

static void add_sample(int event, u64 ip, u64 period)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + 6 * sizeof(u64),
	};

	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, test_events[event].id);
	bytes_add_u64(&records, ip);
	bytes_add_u32(&records, getpid());
	bytes_add_u32(&records, getpid());
	bytes_add_u64(&records, now++);
	bytes_add_u64(&records, 3);
	bytes_add_u64(&records, period);
}

static void map(const char *path, u64 start)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping mapping = { .start = start, .len = 0x10000, .prot = 5, .name = path };

	record_mmap2(&records, &task, &mapping);
}

static void write_samples(void)
{
	static struct feature_set none;
	struct feature_set features = { 0 };
	struct writer writer;
	size_t written;
	int fd = open(recording, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	features_add_events(&features, test_events, 2);
	writer_begin(&writer, fd, false, test_events, 2, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &features);
	features_free(&features);
	bytes_free(&records);
	close(fd);
}

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

static char *read_all(FILE *file)
{
	size_t len = 0, room = 1 << 20;
	char *text = calloc(1, room + 1);

	rewind(file);
	if (text)
		len = fread(text, 1, room, file);
	if (text)
		text[len] = '\0';
	fclose(file);
	return text;
}

/* Run annotate with options, which end with NULL. Its output is in @got, messages in @said. */
static int annotate(const char *const *options)
{
	char *argv[16] = { "annotate", "-i", recording };
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), argc = 3, status;
	FILE *output = tmpfile(), *messages = tmpfile();
	char *text;

	while (*options)
		argv[argc++] = (char *)*options++;
	fflush(stdout);
	fflush(stderr);
	dup2(fileno(output), STDOUT_FILENO);
	dup2(fileno(messages), STDERR_FILENO);
	status = annotate_command.run(&annotate_command, argc, argv);
	fflush(stdout);
	fflush(stderr);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	free(got);
	got = read_all(output);
	text = read_all(messages);
	snprintf(said, sizeof(said), "%s", text);
	free(text);
	return status;
}

#define ANNOTATE(...)	annotate((const char *const[]){ __VA_ARGS__, NULL })

static bool has(const char *text)
{
	return strstr(got, text);
}

static bool says(const char *text)
{
	return strstr(said, text);
}

static void test_text(void)
{
	unit_ok(!ANNOTATE("looped", "--stdio", "--no-source"), "a function is shown");
	unit_ok(has("# 80.00% of 'nmi': 3 samples\n") && has("# 87.50% of 'timer:u': 1 samples\n"),
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
	unit_ok(!ANNOTATE("recent", "--stdio") && has("tdpfp16ps") && !says(".byte"),
		"a function that Zydis does not know is disassembled by objdump");
	unit_ok(ANNOTATE("recent", "--stdio", "--objdump", "/nonesuch/objdump") == STATUS_FAILED &&
		has(".byte  0xc4") && says("/nonesuch/objdump is not there"),
		"a missing objdump is reported, and bytes are shown");
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
	unit_ok(says("1 samples are in no function"), "samples in no function are counted");
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
	make_program();
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
