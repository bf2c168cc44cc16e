// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - user call chains that perf has deferred, in all commands
 *
 * The recordings have samples and CALLCHAIN_DEFERRED records as Linux 7.3 writes them: the
 * addresses of the user have no mark before them.
 */
#include "base/load.h"
#include "export_records.h"
#include "perfdata/stitch.h"
#include "unit.h"

/* In a cookie, the upper half counts, so that it may look like an address of the kernel. */
#define COOKIE		0xffffffff81000001ULL

static void begin(void)
{
	u64 flags = 1ULL << PERFDATA_ATTR_DEFER_CHAIN;
	u8 *at = (u8 *)&test_events[0].attr.read_format + sizeof(u64);

	begin_records(true);
	flags |= load_u64(at);
	memcpy(at, &flags, sizeof(flags));
}

/* Add a sample in the kernel or at @ip, with the cookie of its user chain. */
static void add_sample(u32 thread, u64 ip, u64 cookie)
{
	u64 chain[] = { ip, PERFDATA_CONTEXT_USER_DEFERRED, cookie };
	size_t header = records.len;
	u16 mode = PERF_RECORD_MISC_KERNEL;

	add_chain(0, thread, 1, chain, ARRAY_SIZE(chain));
	if ((s64)ip >= 0)
		return;
	memcpy(records.data + header + offsetof(struct perf_event_header, misc), &mode,
	       sizeof(mode));
	*(u64 *)(records.data + records.len - 4 * sizeof(u64)) = PERF_CONTEXT_KERNEL;
}

/* Add a sample in user mode: its chain has no frames. */
static void add_user_sample(u32 thread, u64 ip, u64 cookie)
{
	u64 chain[] = { cookie };
	size_t header = records.len;

	add_chain(0, thread, 1, chain, 1);
	*(u64 *)(records.data + header + 8 + sizeof(u64)) = ip;
	*(u64 *)(records.data + records.len - 2 * sizeof(u64)) = PERFDATA_CONTEXT_USER_DEFERRED;
}

static void add_rest(u32 thread, u64 cookie, u64 nr, u64 leaf)
{
	struct record_trailer trailer = { .pid = getpid(), .tid = getpid() + thread, .time = now,
					  .id = 41 };
	struct perf_event_header header = {
		.type = PERFDATA_CHAIN_DEFERRED, .misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + 4 * sizeof(u64) + RECORD_TRAILER_BYTES,
	};

	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, cookie);
	bytes_add_u64(&records, nr);
	bytes_add_u64(&records, leaf);
	bytes_add_u64(&records, IN(MAIN));
	record_add_trailer(&records, &trailer);
	now += 1000;
}

#define KERNEL_IP	0xffffffff81000123ULL

static bool has_folded(const char *line)
{
	return got && strstr((char *)got, line);
}

static void test_joined(void)
{
	begin();
	add_sample(0, KERNEL_IP, COOKIE);
	add_sample(1, KERNEL_IP, COOKIE);
	add_sample(0, KERNEL_IP, COOKIE);
	add_rest(0, COOKIE, 2, IN(LEAF));
	add_user_sample(0, IN(AGAIN), COOKIE + 1);
	add_rest(0, COOKIE + 1, 2, IN(AGAIN));
	end_records(1);
	unit_ok(!run_export("folded", NULL, NULL), "a recording with deferred chains is read");
	unit_ok(has_folded("plain;main;leaf;[unknown] 2\n"),
		"a deferred chain completes all samples with its cookie");
	unit_ok(has_folded("plain;main;again 1\n"), "a sample in user mode gets its chain");
	unit_ok(has_folded("a\":\\x0a\\x80;[unknown] 1\n"),
		"a sample of another thread keeps its kernel part only");
}

static void test_without(void)
{
	begin();
	add_sample(0, KERNEL_IP, COOKIE);
	add_rest(0, COOKIE + 1, 2, IN(LEAF));
	add_user_sample(0, IN(AGAIN), COOKIE + 2);
	end_records(1);
	unit_ok(!run_export("folded", NULL, NULL) && has_folded("plain;[unknown] 1\n"),
		"a chain with another cookie is not added");
	unit_ok(has_folded("plain;again 1\n"),
		"a sample in user mode without its chain has one frame");
}

/* A thread may sleep in a system call, and mmap(2) adds a mapping before it returns. */
static void test_waits(void)
{
	struct record_trailer trailer = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping map = { .start = 0x100000, .len = 0x1000, .prot = 5, .name = "/nowhere" };

	begin();
	add_sample(0, KERNEL_IP, COOKIE);
	now += 100 * NSEC_PER_SEC;
	trailer.time = now;
	record_mmap2(&records, &trailer, &map);
	add_rest(0, COOKIE, 2, IN(LEAF));
	end_records(1);
	unit_ok(!run_export("folded", NULL, NULL) && has_folded("plain;main;leaf;[unknown] 1\n"),
		"a sample waits through a long system call that maps a file");
}

static void add_module(const char *name)
{
	struct record_trailer trailer = { .pid = -1, .id = 41 };
	struct mapping text = { .start = 0xffffffff81000000, .len = 0x1000000,
				.name = name };

	record_kernel_mmap(&records, &trailer, &text);
}

/* Two recordings of one process number. The module of the second moves to other addresses. */
static void test_merged(void)
{
	char first[64], merged[64];
	char *argv[] = { "merge", "-o", merged, first, recording, NULL };

	begin();
	add_module("[first]");
	add_sample(0, KERNEL_IP, COOKIE);
	end_records(1);
	snprintf(first, sizeof(first), "%s/first", directory);
	snprintf(merged, sizeof(merged), "%s/merged", directory);
	if (rename(recording, first))
		abort();
	begin();
	add_module("[second]");
	add_sample(0, KERNEL_IP, COOKIE);
	add_rest(0, COOKIE, 2, IN(LEAF));
	end_records(1);
	unit_ok(!merge_command.run(&merge_command, 5, argv) && !rename(merged, recording) &&
		!run_export("folded", NULL, NULL) && has_folded(";[second] 1\n") &&
		has_folded("plain;[JIT] tid ") &&
		has_folded("plain;[first] 1\n"),
		"merged recordings keep their deferred chains apart");
	unlink(first);
}

static void test_damaged(void)
{
	char first[64], merged[64];
	char *argv[] = { "merge", "-o", merged, first, recording, NULL };

	snprintf(first, sizeof(first), "%s/first", directory);
	snprintf(merged, sizeof(merged), "%s/merged", directory);
	begin();
	end_records(1);
	if (rename(recording, first))
		abort();
	begin();
	add_sample(0, KERNEL_IP, COOKIE);
	add_rest(0, COOKIE, 3, IN(LEAF));
	end_records(1);
	unit_ok(!run_export("folded", NULL, NULL) && has_folded("plain;[unknown] 1\n"),
		"a deferred chain with too few addresses is left out");
	unit_ok(!merge_command.run(&merge_command, 5, argv) && !rename(merged, recording) &&
		!run_export("folded", NULL, NULL) && has_folded("plain;[unknown] 1\n"),
		"merge leaves out such a chain");
	unlink(first);
	begin();
	add_rest(0, COOKIE, 1ULL << 61, IN(LEAF));
	end_records(1);
	unit_ok(!run_export("folded", NULL, NULL),
		"a deferred chain with far too few addresses is left out");
}

static void test_limits(void)
{
	struct stitch stitch;
	struct reader reader;
	struct record record;
	u32 most = 0, i;
	int fd;

	begin();
	for (i = 0; i < 20000; i++)
		add_sample(0, KERNEL_IP, COOKIE);
	end_records(1);
	fd = open(recording, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || reader_open(&reader, fd))
		abort();
	stitch_init(&stitch, &reader);
	while (stitch_next(&stitch, &record) > 0)
		most = stitch.waiting.nr > most ? stitch.waiting.nr : most;
	unit_ok(most > 1000 && most < 5000, "a bounded number of samples of perf wait");
	stitch_free(&stitch);
	reader_close(&reader);
	close(fd);
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_joined();
	test_without();
	test_waits();
	test_merged();
	test_damaged();
	test_limits();
	remove_files();
	return unit_exit();
}
