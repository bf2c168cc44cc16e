// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - code that is made while it is recorded
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "jit_dump.h"
#include "records.h"
#include "unit.h"
#include "world.h"

enum {
	PID	= 77,
	PLACE	= 0x10000,
	OTHER	= 0x20000,
	LEN	= 0x40,
};

static struct reader_event event;
static struct world world;
static char path[64];
static struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = CLOCK_MONOTONIC,
};

static void begin(void)
{
	struct symbol_options options = { .no_debuginfod = true };
	static struct feature_set none;

	layout_init(&event.layout, &attr);
	if (world_init(&world, &options, &none))
		abort();
}

static void take_in(const struct bytes *bytes, u64 time)
{
	struct record record = { .data = (const u8 *)bytes->data, .time = time, .event = &event };

	memcpy(&record.header, bytes->data, sizeof(record.header));
	if (world_update(&world, &record))
		abort();
}

static void map(u32 pid, const char *name, u64 time)
{
	struct record_trailer trailer = { .pid = pid, .time = time };
	struct mapping mapping = { .start = PLACE & ~0xfff, .len = 0x20000, .prot = PROT_EXEC,
				   .name = name };
	struct bytes bytes = { 0 };

	record_mmap2(&bytes, &trailer, &mapping);
	take_in(&bytes, time);
	bytes_free(&bytes);
}

static void pass_time(u64 time)
{
	struct record_trailer trailer = { .pid = PID, .time = time };
	struct bytes bytes = { 0 };

	record_comm(&bytes, &trailer, "any");
	take_in(&bytes, time);
	bytes_free(&bytes);
}

static bool is_named(u32 pid, bool is_kernel, u64 addr, const char *name)
{
	struct spot spot;

	if (world_resolve(&world, pid, is_kernel, addr, &spot))
		abort();
	return name ? spot.symbol->name && !strcmp(spot.symbol->name, name) : !spot.symbol->name;
}

static bool is_made(u64 addr, const char *name)
{
	return is_named(PID, false, addr, name);
}

static void put_load(FILE *file, u64 time, u64 start, u64 index, const char *name)
{
	u32 prefix[] = { 0, 16 + 40 + strlen(name) + 1 + LEN };
	u32 ids[] = { 1, 1 };
	u64 code[] = { start, start, LEN, index };
	char body[LEN] = { 0 };

	fwrite(prefix, sizeof(prefix), 1, file);
	fwrite(&time, sizeof(time), 1, file);
	fwrite(ids, sizeof(ids), 1, file);
	fwrite(code, sizeof(code), 1, file);
	fwrite(name, strlen(name) + 1, 1, file);
	fwrite(body, sizeof(body), 1, file);
}

static void put_move(FILE *file, u64 time, u64 from, u64 to, u64 index)
{
	u32 prefix[] = { 1, 16 + 48 };
	u32 ids[] = { 1, 1 };
	u64 code[] = { to, from, to, LEN, index };

	fwrite(prefix, sizeof(prefix), 1, file);
	fwrite(&time, sizeof(time), 1, file);
	fwrite(ids, sizeof(ids), 1, file);
	fwrite(code, sizeof(code), 1, file);
}

/* Out of turn, with a record of no known kind, and broken off in the last. */
static void write_dump(u64 flags)
{
	u32 header[] = { 0x4a695444, 1, 40, 62, 0, 1 };
	u32 unknown[] = { 99, 24, 0, 0, 0, 0 };
	FILE *file = fopen(path, "w");
	u64 time = 1;

	if (!file)
		abort();
	fwrite(header, sizeof(header), 1, file);
	fwrite(&time, sizeof(time), 1, file);
	fwrite(&flags, sizeof(flags), 1, file);
	put_load(file, 300, PLACE, 2, "second");
	put_load(file, 200, PLACE, 1, "first");
	fwrite(unknown, sizeof(unknown), 1, file);
	put_move(file, 400, PLACE, OTHER, 2);
	put_move(file, 450, PLACE, OTHER, 9);
	put_load(file, 500, PLACE, 3, "third");
	fwrite(unknown, 10, 1, file);
	fclose(file);
}

static void test_dump(void)
{
	write_dump(0);
	begin();
	map(PID, "//anon", 50);
	map(PID, path, 100);
	unit_ok(is_made(PLACE, NULL), "nothing is there before it was made");
	pass_time(250);
	unit_ok(is_made(PLACE + LEN - 1, "first"), "a function that was made");
	unit_ok(is_made(PLACE + LEN, NULL), "has an end");
	unit_ok(!is_named(PID + 1, false, PLACE, "first"), "and is its process's own");
	map(PID, "//anon", 260);
	unit_ok(is_made(PLACE, "first"), "that its memory is mapped anew does not change it");
	pass_time(350);
	unit_ok(is_made(PLACE, "second"), "another one in its place");
	pass_time(460);
	unit_ok(is_made(OTHER, "second"), "that is moved");
	pass_time(600);
	unit_ok(is_made(PLACE, "third") && is_made(OTHER, "second"), "and a third one");
	map(PID, "/bin/true", 700);
	unit_ok(!is_made(PLACE, "third"), "a file that is mapped there takes its place");
	world_free(&world);
}

static void test_other_clocks(void)
{
	attr.clockid = CLOCK_REALTIME;
	begin();
	map(PID, path, 100);
	pass_time(600);
	unit_ok(is_made(PLACE, NULL) && world.jits.nr_other_clock == 1,
		"times of another clock are not used, and that is counted");
	world_free(&world);
	attr.clockid = CLOCK_MONOTONIC;
	write_dump(1);
	begin();
	map(PID, path, 100);
	pass_time(600);
	unit_ok(is_made(PLACE, NULL), "nor are those of the TSC");
	world_free(&world);
}

static void test_names(void)
{
	unit_ok(jit_dump_is_name("/tmp/jit-12.dump") && jit_dump_is_name("jit-1.dump"),
		"what a dump is called");
	unit_ok(!jit_dump_is_name("/tmp/jit-.dump") && !jit_dump_is_name("/tmp/jit-1.dump2"),
		"what is not");
	unit_ok(!jit_dump_is_name("/tmp/jit-1.dump/x") && !jit_dump_is_name("xjit-1.dump"),
		"nor that");
}

static void tell_ksymbol(u64 start, const char *name, u16 flags)
{
	struct perf_event_header header = { .type = PERF_RECORD_KSYMBOL };
	struct record_trailer trailer = { 0 };
	u16 type_and_flags[] = { 1, flags };
	struct bytes bytes = { 0 };
	char text[16] = { 0 };

	strncpy(text, name, sizeof(text) - 1);
	header.size = sizeof(header) + 16 + sizeof(text) + sizeof(trailer);
	bytes_add(&bytes, &header, sizeof(header));
	bytes_add_u64(&bytes, start);
	bytes_add_u32(&bytes, LEN);
	bytes_add(&bytes, type_and_flags, sizeof(type_and_flags));
	bytes_add(&bytes, text, sizeof(text));
	bytes_add(&bytes, &trailer, sizeof(trailer));
	take_in(&bytes, 0);
	bytes_free(&bytes);
}

static void test_kernel(void)
{
	const u64 start = 0xffffffffc0100000;

	begin();
	tell_ksymbol(start, "bpf_prog_a", 0);
	unit_ok(is_named(0, true, start + 1, "bpf_prog_a"), "a program of BPF");
	tell_ksymbol(start + LEN, "bpf_prog_b", 0);
	unit_ok(is_named(0, true, start + LEN, "bpf_prog_b"), "another one");
	tell_ksymbol(start, "bpf_prog_a", PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
	unit_ok(is_named(0, true, start + 1, NULL), "one that is gone");
	tell_ksymbol(start, "bpf_prog_b", 0);
	unit_ok(is_named(0, true, start + 1, "bpf_prog_b"), "and another in its place");
	world_free(&world);
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	test_names();
	test_dump();
	test_other_clocks();
	test_kernel();
	unlink(path);
	return unit_exit();
}
