// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - code that is generated during a recording
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/record_make.h"
#include "symbols/jit_dump.h"
#include "unit.h"
#include "world/world.h"

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

/* Fields of a jitdump record that has LEN bytes of code. */
struct told {
	u64	time;
	u64	start;
	u32	pid;
	u64	len;
	u64	index;
};

static void put_told(FILE *file, const struct told *told, const char *name)
{
	u32 prefix[] = { 0, 16 + 40 + strlen(name) + 1 + LEN };
	u32 ids[] = { told->pid, told->pid };
	u64 code[] = { told->start, told->start, told->len, told->index };
	char body[LEN] = { 0 };

	fwrite(prefix, sizeof(prefix), 1, file);
	fwrite(&told->time, sizeof(told->time), 1, file);
	fwrite(ids, sizeof(ids), 1, file);
	fwrite(code, sizeof(code), 1, file);
	fwrite(name, strlen(name) + 1, 1, file);
	fwrite(body, sizeof(body), 1, file);
}

static void put_load(FILE *file, u64 time, u64 start, u64 index, const char *name)
{
	struct told told = { time, start, 1, LEN, index };

	put_told(file, &told, name);
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

/*
 * Write a jitdump that ends in the middle of a record. Its unusual records are
 * - two records in the wrong order of time;
 * - a record of an unknown kind;
 * - an empty function, one longer than its record, and one of a child process;
 * - a move of an unknown function.
 */
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
	put_told(file, &(struct told){ 310, PLACE, 1, 0, 50 }, "empty");
	put_told(file, &(struct told){ 320, PLACE, 1, 10 * LEN, 50 }, "long");
	put_told(file, &(struct told){ 330, PLACE, 2, LEN, 50 }, "child's");
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
	unit_ok(is_made(PLACE, NULL),
		"a function is not found before it was generated");
	pass_time(250);
	unit_ok(is_made(PLACE + LEN - 1, "first"),
		"a generated function is found");
	unit_ok(is_made(PLACE + LEN, NULL),
		"a generated function ends at its length");
	unit_ok(!is_named(PID + 1, false, PLACE, "first"),
		"a generated function belongs to its process");
	map(PID, "//anon", 260);
	unit_ok(is_made(PLACE, "first"),
		"a generated function stays when its memory is mapped again");
	pass_time(350);
	unit_ok(is_made(PLACE, "second"),
		"a later function replaces another at its address");
	pass_time(460);
	unit_ok(is_made(OTHER, "second"),
		"a function that moved is found at its new address");
	pass_time(600);
	unit_ok(is_made(PLACE, "third") && is_made(OTHER, "second"),
		"a third function is found at the old address");
	map(PID + 1, path, 610);
	unit_ok(is_named(PID + 1, false, PLACE, NULL),
		"another process that maps the dump has no functions of it");
	map(PID, "/bin/true", 700);
	unit_ok(!is_made(PLACE, "third"),
		"a file mapped over a generated function replaces it");
	world_free(&world);
}

static void fork_and_exec(u32 child)
{
	struct record_trailer trailer = { .pid = child, .tid = child, .time = 350 };
	struct bytes bytes = { 0 };

	record_fork(&bytes, &trailer, PID, PID);
	take_in(&bytes, 350);
	unit_ok(is_named(child, false, PLACE, "second"),
		"a child inherits generated functions");
	bytes_free(&bytes);
	record_comm(&bytes, &trailer, "other");
	((struct perf_event_header *)bytes.data)->misc = PERF_RECORD_MISC_COMM_EXEC;
	take_in(&bytes, 351);
	bytes_free(&bytes);
	unit_ok(is_named(child, false, PLACE, NULL),
		"a child loses inherited functions when it executes a program");
}

static void test_children(void)
{
	begin();
	map(PID, "//anon", 50);
	map(PID, path, 100);
	pass_time(340);
	fork_and_exec(PID + 1);
	unit_ok(is_made(PLACE, "second"),
		"the parent keeps its functions when a child executes a program");
	pass_time(600);
	unit_ok(is_made(PLACE, "third"),
		"the parent still gets later functions");
	world_free(&world);
}

static void test_other_clocks(void)
{
	attr.clockid = CLOCK_REALTIME;
	begin();
	map(PID, path, 100);
	pass_time(600);
	unit_ok(is_made(PLACE, NULL) && world.jits.nr_unused == 1,
		"a dump in a recording with another clock is not used, and counted");
	world_free(&world);
	attr.clockid = CLOCK_MONOTONIC;
	write_dump(1);
	begin();
	map(PID, path, 100);
	pass_time(600);
	unit_ok(is_made(PLACE, NULL),
		"a dump with times of the TSC is not used");
	world_free(&world);
}

static void test_names(void)
{
	unit_ok(jit_dump_is_name("/tmp/jit-12.dump") && jit_dump_is_name("jit-1.dump"),
		"names of dumps are recognised");
	unit_ok(!jit_dump_is_name("/tmp/jit-.dump") && !jit_dump_is_name("/tmp/jit-1.dump2"),
		"malformed names are not taken for dumps");
	unit_ok(!jit_dump_is_name("/tmp/jit-1.dump/x") && !jit_dump_is_name("xjit-1.dump"),
		"longer names are not taken for dumps");
}

static void tell_ksymbol(u64 start, u32 len, const char *name, u16 type, u16 flags)
{
	struct perf_event_header header = { .type = PERF_RECORD_KSYMBOL };
	struct record_trailer trailer = { 0 };
	u16 type_and_flags[] = { type, flags };
	struct bytes bytes = { 0 };
	char text[16] = { 0 };

	strncpy(text, name, sizeof(text) - 1);
	header.size = sizeof(header) + 16 + sizeof(text) + RECORD_TRAILER_BYTES;
	bytes_add(&bytes, &header, sizeof(header));
	bytes_add_u64(&bytes, start);
	bytes_add_u32(&bytes, len);
	bytes_add(&bytes, type_and_flags, sizeof(type_and_flags));
	bytes_add(&bytes, text, sizeof(text));
	record_add_trailer(&bytes, &trailer);
	take_in(&bytes, 0);
	bytes_free(&bytes);
}

static void tell_bpf(u64 start, u32 len, const char *name)
{
	tell_ksymbol(start, len, name, PERF_RECORD_KSYMBOL_TYPE_BPF, 0);
}

static void tell_gone(u64 start, u32 len, const char *name, u16 type)
{
	tell_ksymbol(start, len, name, type, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
}

static bool is_kernels(u64 addr, const char *name)
{
	return is_named(0, true, addr, name);
}

static void test_kernel(void)
{
	const u64 start = 0xffffffffc0100000;

	begin();
	tell_bpf(start, LEN, "bpf_prog_a");
	unit_ok(is_kernels(start + 1, "bpf_prog_a"), "a BPF program is found");
	tell_bpf(start + LEN, LEN, "bpf_prog_b");
	unit_ok(is_kernels(start + LEN, "bpf_prog_b"),
		"a second BPF program is found");
	tell_gone(start, LEN, "bpf_prog_a", PERF_RECORD_KSYMBOL_TYPE_BPF);
	unit_ok(is_kernels(start + 1, NULL),
		"a BPF program that was unloaded is not found");
	tell_bpf(start, 2 * LEN, "bpf_prog_a");
	unit_ok(is_kernels(start + LEN - 1, "bpf_prog_a"),
		"a BPF program that was loaded again is found");
	unit_ok(is_kernels(start + LEN, "bpf_prog_b"),
		"a BPF program does not cover another");
	world_free(&world);
}

/*
 * The record of a BPF trampoline covers a whole page. Programs in that page may have been
 * loaded before or after the trampoline.
 */
static void test_trampoline(void)
{
	const u64 page = 0xffffffffc0200000;

	begin();
	tell_bpf(page + 0x200, LEN, "bpf_prog_a");
	tell_bpf(page, 4096, "trampoline");
	tell_bpf(page + 0x100, LEN, "bpf_prog_b");
	unit_ok(is_kernels(page + 1, "trampoline") && is_kernels(page + 0x101, "bpf_prog_b") &&
		is_kernels(page + 0x201, "bpf_prog_a"),
		"a trampoline and the programs in its page are found");
	tell_gone(page, 4096, "trampoline", PERF_RECORD_KSYMBOL_TYPE_BPF);
	unit_ok(is_kernels(page + 1, NULL) && is_kernels(page + 0x101, "bpf_prog_b") &&
		is_kernels(page + 0x201, "bpf_prog_a"),
		"programs in the page of a trampoline stay when it goes");
	tell_gone(page, 4096, "module", PERF_RECORD_KSYMBOL_TYPE_UNKNOWN);
	unit_ok(is_kernels(page + 0x201, NULL),
		"programs in the range of a module go with it");
	world_free(&world);
}

/* In a pipe, features are added between records. merge knows hosts without a name. */
static void test_host(void)
{
	struct symbol_options options = { .no_debuginfod = true };
	struct feature_set features = { 0 };
	bool is_unknown;

	if (world_init(&world, &options, &features))
		abort();
	is_unknown = !strcmp(world_host(&world, 0), "[unknown]");
	features_add_text(&features, PERFDATA_HOSTNAME, "late");
	unit_ok(is_unknown && !strcmp(world_host(&world, 0), "late"),
		"the host of a pipe is known when its feature has come");
	world_free(&world);
	features_free(&features);

	features_add_text(&features, PERFDATA_HOSTNAME, "");
	if (world_init(&world, &options, &features))
		abort();
	unit_ok(!strcmp(world_host(&world, 0), "[unknown]"), "a host without a name is unknown");
	world_free(&world);
	features_free(&features);
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	test_names();
	test_dump();
	test_children();
	test_other_clocks();
	test_kernel();
	test_trampoline();
	test_host();
	unlink(path);
	return unit_exit();
}
