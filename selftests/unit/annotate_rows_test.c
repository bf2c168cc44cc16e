// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the function that a row of a table shows the instructions of
 *
 * Functions with the same name are in several binaries, even at the same address there. They are
 * rows of one call tree, and the key "event" names no function.
 */
#include "annotate/annotate_page.h"
#include "annotate/annotated_recording.h"
#include "annotate_run.h"
#include "view/table_view.h"

#define KERNEL		0xffffffff81000000ULL
#define MODULE		0xffffffffc0000000ULL
#define JIT		0x7f0000000000ULL
#define LEN		0x10000

/* Two functions of one name in a binary, and one that calls them. */
static const char source[] =
	".text\n"
	".type root,@function\nroot: call twice\nret\n.size root,.-root\n"
	".type twice,@function\ntwice: nop\nret\n.size twice,.-twice\n";

static const char more[] =
	".text\n"
	".type twice,@function\ntwice: dec %ebx\nret\n.size twice,.-twice\n";

static const char inlined[] =
	"static inline __attribute__((always_inline)) unsigned mix(unsigned value)\n"
	"{\n\treturn (value ^ value >> 7) * 31;\n}\n"
	"unsigned around(unsigned value)\n{\n\treturn mix(mix(value));\n}\n";

static char kallsyms[64], other[64], below[64], maps[2][64];
static u32 pids[2];
static struct profile_keys keys;

/* Return the offset of the function "twice" of @more, with which the code begins. */
static u64 first_twice(void)
{
	return offset_of("twice") & ~0xfffULL;
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

/* Map the program under three names, and JIT-compiled code, into each process. */
static void map_all(void)
{
	struct record_trailer kernel = { .pid = -1, .id = 41 }, task = { .id = 41 };
	const struct mapping text = { .start = KERNEL, .len = LEN, .pgoff = KERNEL,
				      .name = "[kernel.kallsyms]_text" };
	const struct mapping module = { .start = MODULE, .len = LEN, .name = "[mod]" };
	struct mapping mapping = { .len = LEN, .prot = 5 };
	const char *names[] = { program, other, below, "//anon" };
	size_t i, at;

	record_kernel_mmap(&records, &kernel, &text);
	record_kernel_mmap(&records, &kernel, &module);
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		task.pid = pids[i];
		task.tid = pids[i];
		for (at = 0; at < ARRAY_SIZE(names); at++) {
			mapping.name = names[at];
			mapping.start = at < 3 ? (at + 1) * BASE : JIT;
			record_mmap2(&records, &task, &mapping);
		}
	}
}

/* Add a sample that root() has called. */
static void add_call(u32 pid, u64 ip, u64 period)
{
	bool in_kernel = ip >= KERNEL;
	u64 root = BASE + offset_of("root") + 5;
	const struct test_sample sample = {
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.ip = ip, .pid = pid, .tid = pid, .time = now++, .cpu = 3, .period = period,
	};

	make_fields(&records, &sample, in_kernel ? 5 : 4);
	bytes_add_u64(&records, in_kernel ? 4 : 3);
	bytes_add_u64(&records, in_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	bytes_add_u64(&records, ip);
	if (in_kernel)
		bytes_add_u64(&records, PERF_CONTEXT_USER);
	bytes_add_u64(&records, root);
}

/* The larger a period, the earlier is its row in the tree. */
static void make_recording(void)
{
	u64 twice = offset_of("twice");

	make_events();
	test_events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	map_all();
	add_call(pids[0], BASE + twice, 100);
	add_call(pids[0], BASE + first_twice(), 90);
	add_call(pids[0], 2 * BASE + twice, 80);
	add_call(pids[0], 3 * BASE + twice, 70);
	add_call(pids[0], KERNEL + 0x101, 60);
	add_call(pids[0], MODULE + 0x101, 50);
	add_call(pids[0], JIT + 1, 40);
	add_call(pids[1], JIT + 1, 30);
	add_call(pids[0], BASE + offset_of("around") + 2, 20);
	add_call(pids[0], JIT + 0x1000, 10);
	write_samples();
}

static void make_files(void)
{
	char text[256];
	size_t i;

	make_program(source, more);
	write_source("inlined.c", inlined);
	sh("gcc -O1 -g -shared -nostdlib -o prog *.s inlined.c");
	sh("mkdir sub && cp prog other && cp prog sub/prog");
	snprintf(other, sizeof(other), "%s/other", dir);
	snprintf(below, sizeof(below), "%s/sub/prog", dir);
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", dir);
	snprintf(text, sizeof(text), "%llx T _text\n%llx T twice\n%llx T _etext\n"
		 "%llx t twice\t[mod]\n%llx t end\t[mod]\n",
		 KERNEL, KERNEL + 0x100, KERNEL + 0x200, MODULE + 0x100, MODULE + 0x200);
	write_text(kallsyms, text);
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		/* No process has such an id. */
		pids[i] = (i + 1) << 29 | getpid();
		snprintf(maps[i], sizeof(maps[i]), "/tmp/perf-%u.map", pids[i]);
		snprintf(text, sizeof(text), "%llx 10 twice\n", JIT);
		write_text(maps[i], text);
	}
}

/* Return true if the page of a function has @text. */
static bool page_has(struct annotated *annotated, const struct symbol *symbol,
		     const struct object *owner, const char *text)
{
	struct text_view page = { 0 };
	struct message message;
	bool has_text = false;
	size_t at;

	if (!annotate_page_make(&page, annotated, symbol, owner, &message)) {
		for (at = 0; at < page.nr; at++)
			has_text |= !!strstr(page.text + page.lines[at], text);
	}
	text_view_free(&page);
	return has_text;
}

/* Check that the page of row @at has @text, after the recording was read twice. */
static void check_row(struct table_view *view, size_t at, struct gather *gather,
		      struct annotated *annotated, const char *text, const char *what)
{
	struct message message = { 0 };
	const struct symbol *symbol;

	view->page.scroll.cursor = at;
	symbol = row_function(view, &message);
	unit_ok(symbol && page_has(annotated, symbol,
				   objects_owner(&gather->world.objects, symbol), text),
		what);
}

static void test_rows(struct table_view *view, struct gather *gather, struct annotated *annotated)
{
	const struct {
		const char *binary;
		const char *what;
	} rows[] = {
		{ other, "a function of the same name and address in another binary" },
		{ below, "one in a binary of the same short name" },
		{ "[kernel.kallsyms]", "one in the kernel" },
		{ "[mod]", "one in a module of the kernel" },
		{ maps[0], "one that was compiled at run time" },
		{ maps[1], "one that was compiled at run time in another process" },
	};
	size_t i;

	check_row(view, 2, gather, annotated, "nop", "a row in a call tree has its function");
	check_row(view, 3, gather, annotated, "dec    %ebx",
		  "another function of the same name has a row of its own");
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(view, 4 + i, gather, annotated, rows[i].binary, rows[i].what);
}

static void test_others(struct table_view *view, struct gather *gather,
			struct annotated *annotated)
{
	struct message message = { 0 };

	check_row(view, 11, gather, annotated, "# Function: around",
		  "the row of an inlined function has the function around it");
	view->page.scroll.cursor = 12;
	unit_ok(!row_function(view, &message) && strstr(message.text, "is in no function"),
		"the row of an address outside all functions has none");
	message.text[0] = '\0';
	view->page.scroll.cursor = 0;
	unit_ok(!row_function(view, &message) && strstr(message.text, "-s dso,sym"),
		"the row of an entry without the key sym has none");
}

int main(void)
{
	const struct table_options columns = { .columns = keys.columns, .nr_columns = 1 };
	const struct symbol_options symbols = { .no_debuginfod = true, .inlines = true,
						.kallsyms = kallsyms };
	const struct gather_options options = { .keys = { { column_find("event") }, 1 },
						.children = CHILDREN_YES, .trees = true,
						.callers_first = true };
	const struct gather_filter filter = { 0 };
	struct annotated_recording again;
	struct gathered gathered;
	struct profile *profile;
	struct table_view view;

	make_files();
	make_recording();
	keys = options.keys;
	if (gathered_open(&gathered, &options, &symbols, recording) ||
	    annotated_recording_open(&again, recording, &filter, &symbols))
		abort();
	profile = gathered.gather.profiles[0];
	call_tree_sort(profile_tree(profile, 0));
	if (profile_sort(profile, column_find("children")->value) ||
	    table_view_init(&view, &columns, profile) || items_open(&view.items, 0, true))
		abort();
	test_rows(&view, &gathered.gather, &again.annotated);
	test_others(&view, &gathered.gather, &again.annotated);
	table_view_free(&view);
	annotated_recording_free(&again);
	gathered_close(&gathered);
	unlink(maps[0]);
	unlink(maps[1]);
	sh("rm -r ../${PWD##*/}");
	return unit_exit();
}
