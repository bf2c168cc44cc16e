// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - samples counted by place, by call stack and one by one
 *
 * With option --inline, samples are counted one by one. Otherwise they are counted by
 * call stack if call trees or paths are requested, else by place. The test counts the
 * samples of random recordings in all three ways, and expects the same entries and trees.
 */
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata_test.h"
#include "profile/gather.h"
#include "profile/path_order.h"
#include "unit.h"

#define NR_RECORDS	3000
#define FIRST_PID	100
#define NR_PIDS		4
#define BASE		0x100000ULL
#define MAP_LEN		0x10000ULL
#define NR_MAPS		4
#define KERNEL		0xffffffff81000000ULL
#define JIT_CODE	0x900000ULL
#define JIT_LEN		64

static struct bytes records;
static u64 now;
static char dump_path[64];
static u64 nr_continued;

static u64 dice(u64 sides)
{
	return random() % sides;
}

static u64 random_address(bool is_kernel)
{
	if (is_kernel)
		return KERNEL + 64 * dice(8);
	return dice(8) ? BASE + MAP_LEN * dice(NR_MAPS + 1) + 64 * dice(6) : JIT_CODE + dice(2);
}

/* Return a number of frames: mostly fewer than 12, seldom RECORDED_MAX or more. */
static u64 random_depth(void)
{
	return dice(200) ? dice(12) : RECORDED_MAX + dice(3) * 100;
}

/*
 * Add the frames of a call chain after the first mark. Some frames have the address @ip of the
 * sample itself, and some chains have many marks.
 */
static void add_frames(u64 depth, bool is_kernel, u64 ip)
{
	static const u64 marks[] = { PERF_CONTEXT_USER, PERF_CONTEXT_KERNEL,
				     PERF_CONTEXT_GUEST, PERF_CONTEXT_MAX };
	/* Groups of hits without a hit: see begin_group(). */
	bool alternates = !dice(20);

	for (u64 i = 0; i < depth; i++) {
		if (alternates) {
			bytes_add_u64(&records, i % 2 ? ip : marks[i / 2 % 2]);
		} else if (is_kernel && i && !dice(3)) {
			is_kernel = false;
			bytes_add_u64(&records, PERF_CONTEXT_USER);
		} else if (!dice(30)) {
			bytes_add_u64(&records, marks[dice(ARRAY_SIZE(marks))]);
		} else {
			bytes_add_u64(&records, dice(10) ? random_address(is_kernel) : ip);
		}
	}
}

/*
 * Add a random sample.
 *
 * @has_chain: the sample is of the second event and has a call chain; otherwise it
 * is of the first event and has none
 * @depth: number of frames
 * @claimed: length of the call chain according to the record; @depth + 1 is correct
 */
static void add_sample(bool has_chain, u64 depth, u64 claimed)
{
	bool is_deferred = has_chain && claimed == depth + 1 && !dice(40);
	static const u16 modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_USER,
				     PERF_RECORD_MISC_KERNEL, PERF_RECORD_MISC_GUEST_USER };
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .misc = modes[dice(ARRAY_SIZE(modes))] };
	bool is_kernel = header.misc == PERF_RECORD_MISC_KERNEL;
	u32 pid = FIRST_PID + dice(NR_PIDS);
	u64 ip;

	if (is_deferred) {
		/* Begin the chain with BASE, as add_deferred() does. */
		depth = 1;
		claimed = 2;
		is_kernel = false;
		header.misc = PERF_RECORD_MISC_USER | TPROF_LX_MISC_CHAIN_DEFERRED;
	}
	header.size = sizeof(header) + (6 + (has_chain ? 2 + depth : 0)) * sizeof(u64);
	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, test_events[has_chain].id);
	ip = random_address(is_kernel);
	bytes_add_u64(&records, ip);
	bytes_add_u32(&records, pid);
	bytes_add_u32(&records, pid + 10 * dice(2));
	/* Some samples are older than the previous sample. */
	bytes_add_u64(&records, now - dice(20));
	bytes_add_u64(&records, dice(3));
	bytes_add_u64(&records, 1 + dice(1000));
	if (!has_chain)
		return;
	bytes_add_u64(&records, claimed);
	bytes_add_u64(&records, is_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	if (is_deferred)
		bytes_add_u64(&records, BASE);
	else
		add_frames(depth, is_kernel, ip);
}

/* Complete the deferred chains of a random thread, which may have none. */
static void add_deferred(void)
{
	struct perf_event_header header = { .type = PERF_RECORD_CGROUP };
	u32 pid = FIRST_PID + dice(NR_PIDS);
	struct record_trailer trailer = { .pid = pid, .tid = pid + 10 * dice(2), .time = now,
					  .id = test_events[1].id };
	struct tprof_lx_chain chain = { .path = TPROF_LX_CHAIN_PATH, .elapsed = 200,
					.nr = 3 + dice(10) };

	header.size = sizeof(header) + sizeof(chain) + chain.nr * sizeof(u64) +
		      RECORD_TRAILER_BYTES;
	bytes_add(&records, &header, sizeof(header));
	bytes_add(&records, &chain, sizeof(chain));
	bytes_add_u64(&records, PERF_CONTEXT_USER);
	bytes_add_u64(&records, BASE);
	for (u64 i = 2; i < chain.nr; i++)
		bytes_add_u64(&records, random_address(false));
	record_add_trailer(&records, &trailer);
}

static void add_mapping(const struct record_trailer *task)
{
	char name[32];
	struct mapping map = { .start = BASE + MAP_LEN * dice(NR_MAPS), .len = MAP_LEN,
			       .prot = 5, .pgoff = 0x1000 * dice(3), .name = name };

	snprintf(name, sizeof(name), "/nonesuch/binary%llu", dice(4));
	record_mmap2(&records, task, &map);
}

static void add_side_band(void)
{
	struct record_trailer task = { .pid = FIRST_PID + dice(NR_PIDS), .time = now, .id = 41 };
	struct record_trailer child = task;
	char name[16];
	size_t before = records.len;

	task.tid = task.pid + 10 * dice(2);
	switch (dice(4)) {
	case 0:
		child.pid = FIRST_PID + dice(NR_PIDS);
		child.tid = child.pid;
		record_fork(&records, &child, task.pid, task.pid);
		break;
	case 1:
		snprintf(name, sizeof(name), "task%llu", dice(3));
		record_comm(&records, &task, name);
		before += offsetof(struct perf_event_header, misc);
		records.data[before + 1] |= dice(2) ? PERF_RECORD_MISC_COMM_EXEC >> 8 : 0;
		break;
	default:
		add_mapping(&task);
	}
}

/* Add mapping records of the kernel, and of the jitdump file in process FIRST_PID. */
static void add_past(void)
{
	struct record_trailer kernel = { .pid = -1, .id = 41 };
	struct record_trailer task = { .pid = FIRST_PID, .tid = FIRST_PID, .id = 41 };
	struct mapping text = { .start = KERNEL, .len = 0x100, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };
	struct mapping dump = { .start = 0x800000, .len = 0x1000, .prot = 5, .name = dump_path };

	record_kernel_mmap(&records, &kernel, &text);
	record_mmap2(&records, &task, &dump);
}

/* Write a jitdump file in which the function at JIT_CODE is replaced every 100 ns. */
static void write_dump(void)
{
	u32 header[] = { 0x4a695444, 1, 40, 62, 0, FIRST_PID };
	FILE *file = fopen(dump_path, "we");
	u64 zeroes[] = { 0, 0 };
	char name[8], code[JIT_LEN] = { 0 };

	if (!file)
		abort();
	fwrite(header, sizeof(header), 1, file);
	fwrite(zeroes, sizeof(zeroes), 1, file);
	for (u32 i = 0; i < 200; i++) {
		u64 time = FIRST_TIME + 100 * i;
		u64 load[] = { JIT_CODE, JIT_CODE, JIT_LEN, i };
		u32 ids[] = { FIRST_PID, FIRST_PID };
		u32 prefix[] = { 0, 16 + 40 + sizeof(name) + sizeof(code) };

		snprintf(name, sizeof(name), "jit%04u", i);
		fwrite(prefix, sizeof(prefix), 1, file);
		fwrite(&time, sizeof(time), 1, file);
		fwrite(ids, sizeof(ids), 1, file);
		fwrite(load, sizeof(load), 1, file);
		fwrite(name, sizeof(name), 1, file);
		fwrite(code, sizeof(code), 1, file);
	}
	fclose(file);
}

/*
 * Fill @records with random records. If @bad >= 0, the record with index @bad is a
 * damaged sample: its call chain is longer than the record.
 */
static void make_random(int bad)
{
	records.len = 0;
	now = FIRST_TIME;
	add_past();
	for (int i = 0; i < NR_RECORDS; i++) {
		u64 depth = random_depth();

		now += dice(10);
		if (i == bad)
			add_sample(true, 3, 1000);
		else if (dice(12))
			add_sample(dice(2), depth, depth + 1);
		else if (dice(2))
			add_deferred();
		else
			add_side_band();
		if (!dice(300))
			record_finished_round(&records);
	}
}

static void sort(struct profile *profile, bool is_paths)
{
	if (is_paths ? paths_sort(profile) :
		       profile_sort(profile, column_find("children")->value))
		abort();
	for (size_t i = 0; i < profile->nr_roots; i++) {
		if (profile->roots[i])
			call_tree_sort(profile->roots[i]);
	}
}

/*
 * Gather @records and return the result of gather_all(). If @one_by_one, use option
 * --inline, with which gather_all() counts samples one by one.
 */
static int run(struct gather *gather, const struct gather_options *options, bool one_by_one)
{
	struct symbol_options symbols = { .no_debuginfod = true, .inlines = one_by_one };
	static struct feature_set none;
	struct writer writer;
	struct reader reader;
	size_t written;
	int fd = memfd_create("recording", MFD_CLOEXEC), err;

	make_events();
	writer_begin(&writer, fd, false, test_events, NR_EVENTS, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &none);
	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd) || gather_init(gather, options, &symbols, &reader))
		abort();
	err = gather_all(gather, &reader);
	reader_close(&reader);
	close(fd);
	for (u32 i = 0; i < gather->nr_profiles; i++) {
		if (gather->profiles[i])
			sort(gather->profiles[i], options->paths);
	}
	return err;
}

/* Append the nodes of a tree to @out. The keys of the nodes are symbol keys. */
static void describe_tree(struct bytes *out, const struct call_node *root)
{
	const struct call_node *node = root ? root->first : NULL;
	char buf[COLUMN_TEXT_LEN];
	const char *name;

	for (; node; node = node->next) {
		name = symbol_key_text(node->key, buf, sizeof(buf));
		bytes_add(out, name, strlen(name) + 1);
		bytes_add_u64(out, node->period);
		bytes_add_u64(out, node->samples);
		bytes_add_u64(out, node->own_samples);
		describe_tree(out, node);
	}
	bytes_add_u64(out, 0);
}

static void describe_path(struct bytes *out, const char *path, u64 period, u64 samples)
{
	bytes_add(out, path, strlen(path) + 1);
	bytes_add_u64(out, period);
	bytes_add_u64(out, samples);
}

/* Append the paths that begin with @path, the path of @node. */
static void describe_paths(struct bytes *out, const struct call_node *node, const char *path)
{
	const struct call_node *child;
	char name[1024];

	if (node->own_samples)
		describe_path(out, path, call_node_own_period(node), node->own_samples);
	for (child = node->first; child; child = child->next) {
		snprintf(name, sizeof(name), "%s;%s", path, (char *)(uintptr_t)child->key);
		describe_paths(out, child, name);
	}
}

/* Append the paths that are entries. */
static void describe_path_entries(struct bytes *out, const struct profile *profile)
{
	char name[1024];

	for (size_t at = 0; profile->sorted && at < profile->entries.nr; at++) {
		struct profile_entry entry = profile_sorted(profile, at);

		snprintf(name, sizeof(name), ";%s;%s", (char *)(uintptr_t)entry.keys[0],
			 (char *)(uintptr_t)entry.keys[1]);
		describe_path(out, name, entry.self->period, entry.self->samples);
	}
}

/*
 * Append all profiles to @out, with keys as texts: pointers differ between runs. Some ways
 * of counting make entries of whole paths, others make a tree: the paths are the same.
 */
static void describe(struct bytes *out, const struct gather *gather)
{
	char buf[COLUMN_TEXT_LEN], line[1024];

	bytes_add(out, gather->unresolved, sizeof(gather->unresolved));
	bytes_add_u64(out, gather->samples);
	/*
	 * Compare the number of cut chains only if both runs read chains. A run that
	 * counts by place reads them only if callers are counted.
	 */
	if (gather->children)
		bytes_add_u64(out, gather->chain.ends[FRAME_MORE]);
	for (u32 i = 0; i < gather->nr_profiles; i++) {
		const struct profile *profile = gather->profiles[i];

		for (size_t at = 0; profile && !gather->options->paths && at < profile->entries.nr;
		     at++) {
			struct profile_entry entry = profile_sorted(profile, at);

			bytes_add(out, entry.self, sizeof(*entry.self));
			bytes_add(out, entry.children, sizeof(*entry.children));
			describe_tree(out, profile_tree(profile, profile->sorted[at]));
			for (size_t key = 0; key < profile->keys->nr; key++) {
				const struct column *column = profile->keys->columns[key];

				snprintf(line, sizeof(line), "%s|",
					 column->text ? column->text(entry.keys[key], buf,
								     sizeof(buf)) : "");
				bytes_add(out, line, strlen(line));
				if (!column->text)
					bytes_add_u64(out, entry.keys[key]);
			}
		}
		if (profile && gather->options->paths) {
			describe_paths(out, &profile->paths, "");
			describe_path_entries(out, profile);
		}
		bytes_add_u64(out, profile ? profile->period : 0);
		bytes_add_u64(out, profile ? profile->samples : 0);
	}
}

/*
 * Count samples by place or by stack, then one by one. Return true if both
 * runs return @expected and have the same profiles.
 */
static bool is_same(const struct gather_options *options, int expected)
{
	struct bytes fast = { 0 }, alone = { 0 };
	bool by_stack = options->trees || options->paths, same;
	struct gather gather;

	same = run(&gather, options, false) == expected;
	same &= !by_stack || gather.stacks.list;
	same &= options->trees || gather.hits.samples;
	nr_continued += gather.nr_continued;
	describe(&fast, &gather);
	gather_free(&gather);
	same &= run(&gather, options, true) == expected;
	same &= !gather.hits.samples && !gather.stacks.list;
	describe(&alone, &gather);
	gather_free(&gather);
	same &= fast.len == alone.len && !memcmp(fast.data, alone.data, alone.len);
	bytes_free(&fast);
	bytes_free(&alone);
	return same;
}

static struct gather_options by(const char *first, const char *second, const char *third)
{
	const char *const words[] = { first, second, third };
	struct gather_options options = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (words[i])
			options.keys.columns[options.keys.nr++] = column_find(words[i]);
	}
	return options;
}

static void test_keys(const char *name, const char *first, const char *second, const char *third)
{
	struct gather_options options = by(first, second, third);
	bool same = true;

	for (int i = 0; i < 4; i++) {
		options.children = i % 2 ? CHILDREN_AUTO : CHILDREN_NO;
		make_random(-1);
		same &= is_same(&options, 0);
	}
	unit_ok(same, name);
}

static void test_filters(void)
{
	struct gather_options options = by("comm", "dso", "sym");

	options.children = CHILDREN_AUTO;
	make_random(-1);
	options.filter = (struct gather_filter){ .comms = "task1" };
	unit_ok(is_same(&options, 0), "by place: samples of hidden threads count in the total");
	options.keys = by("sym", NULL, NULL).keys;
	unit_ok(is_same(&options, 0), "by place: a thread name that is no key can be filtered");
	options.filter = (struct gather_filter){ .dsos = "binary1,binary2" };
	unit_ok(is_same(&options, 0), "by place: hidden binaries count as callers only");
	options.filter = (struct gather_filter){ .syms = "jit0003,jit0100" };
	unit_ok(is_same(&options, 0), "by place: hidden functions count as callers only");
	options.filter = (struct gather_filter){ .from = FIRST_TIME + 500, .to = now - 500 };
	unit_ok(is_same(&options, 0), "by place: samples can be filtered by time");
	options.filter = (struct gather_filter){ 0 };
	parse_pid_list("101", &options.filter.pids);
	unit_ok(is_same(&options, 0), "by place: samples can be filtered by process");
}

static void test_trees(void)
{
	struct gather_options options = by("comm", "dso", "sym");
	bool same = true;

	options.trees = true;
	for (int i = 0; i < 4; i++) {
		options.callers_first = i % 2;
		options.children = i / 2 ? CHILDREN_AUTO : CHILDREN_NO;
		make_random(-1);
		same &= is_same(&options, 0);
	}
	unit_ok(same, "by stack: call trees");
	options.keys = by("sym", "pid", "cpu").keys;
	unit_ok(is_same(&options, 0), "by stack: call trees by process and CPU");
	options.filter = (struct gather_filter){ .comms = "task1", .syms = "jit0003,jit0100" };
	unit_ok(is_same(&options, 0), "by stack: call trees of some threads and functions");
}

static void test_paths(void)
{
	struct gather_options options = by("dso", NULL, NULL);

	options.paths = true;
	make_random(-1);
	unit_ok(is_same(&options, 0), "by stack: whole paths; without chains, by place");
	options.filter = (struct gather_filter){ .comms = "task1,task2", .dsos = "binary1" };
	unit_ok(is_same(&options, 0), "by stack: whole paths of some threads and binaries");
}

/*
 * Gather recordings with a damaged sample. With each way of counting, gather_all() must
 * return -EBADMSG, and the profiles must be the same.
 */
static void test_errors(bool trees, const char *name)
{
	struct gather_options options = by("comm", "dso", "sym");
	bool same = true;

	options.children = CHILDREN_AUTO;
	options.trees = trees;
	for (int i = 0; i < 20; i++) {
		make_random(1000 + i);
		same &= is_same(&options, -EBADMSG);
	}
	unit_ok(same, name);
}

int main(void)
{
	snprintf(dump_path, sizeof(dump_path), "/tmp/jit-%d.dump", getpid());
	srandom(1);
	write_dump();
	test_keys("by place: binary and function", "dso", "sym", NULL);
	test_keys("by place: thread name, binary, function", "comm", "dso", "sym");
	test_keys("by place: process, thread, CPU", "pid", "tid", "cpu");
	test_keys("by place: event and path", "event", "path", NULL);
	test_keys("by place: function and CPU", "sym", "cpu", NULL);
	places_trial = 50;
	test_keys("with rests of the table: binary and function", "dso", "sym", NULL);
	test_keys("with rests of the table: thread name, binary, function", "comm", "dso", "sym");
	test_keys("with rests of the table: process, thread, CPU", "pid", "tid", "cpu");
	places_trial = 1U << 16;
	test_filters();
	test_trees();
	test_paths();
	test_errors(false, "by place: all samples before a damaged one are counted");
	test_errors(true, "by stack: all samples before a damaged one are counted");
	unit_ok(nr_continued > 100, "by place, by stack: some chains are deferred");
	unlink(dump_path);
	bytes_free(&records);
	return unit_exit();
}
