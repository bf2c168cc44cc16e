// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx page - write a recording whose page shows all that a page can show
 *
 * usage: recording FILE old|new|deep
 *
 * The sampled program is this one. Its threads have two events, call chains with inlined
 * functions, recursion and kernel code, weights, cgroups, marks, the time of day and lost
 * samples. Names of a function, a thread, a cgroup and a mark are hostile. In the new
 * recording, a function has grown, one has shrunk, and one is new; it takes longer. The deep
 * recording has more stacks than a page: most of its samples have a stack each. Two of its
 * functions have the names of boxes that are no functions.
 */
#include <err.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "events/event_attr.h"
#include "perfdata/buildid.h"
#include "perfdata/record_make.h"
#include "perfdata/writer.h"

#define NOIPA		__attribute__((noipa))
#define EVIL		"</script><img src=x onerror=alert(1)>"

#define NR_SAMPLES	24000
#define STEP		100000		/* ns from a sample to the next one */
#define FIRST_TIME	(7 * NSEC_PER_SEC)
#define MAX_FRAMES	40
#define NR_WEIGHTS	6
#define BYTES		8		/* sampled bytes at the beginning of a function */
#define KERNEL		0xffffffff81000000ULL

static inline __attribute__((always_inline)) unsigned long mix(unsigned long value)
{
	return (value ^ value >> 7) * 31;
}

NOIPA unsigned long parse(unsigned long value) { return mix(mix(value) + 1); }
NOIPA unsigned long hash(unsigned long value) { return mix(value + 2); }
NOIPA unsigned long sort(unsigned long value) { return value * 3 + (value >> 3); }
NOIPA unsigned long compare(unsigned long value) { return value * 5 - (value >> 5); }
NOIPA unsigned long walk(unsigned long value) { return value * 7 ^ (value >> 9); }
NOIPA unsigned long render(unsigned long value) { return value * 11 + (value >> 2); }
NOIPA unsigned long serve(unsigned long value) { return value * 13 + (value >> 4); }
NOIPA unsigned long load(unsigned long value) { return value * 17 + (value >> 6); }
NOIPA unsigned long fresh(unsigned long value) { return value * 19 + (value >> 8); }
NOIPA unsigned long evil(unsigned long value) __asm__("\"" EVIL "\"");
NOIPA unsigned long evil(unsigned long value) { return value * 23 + (value >> 10); }

NOIPA unsigned long like_all(unsigned long value) __asm__("all");
NOIPA unsigned long like_all(unsigned long value) { return value * 29 + (value >> 11); }
NOIPA unsigned long like_small(unsigned long value) __asm__("\"[small stacks]\"");
NOIPA unsigned long like_small(unsigned long value) { return value * 31 + (value >> 12); }

typedef unsigned long (*function)(unsigned long value);

/* A stack, outermost first, and how often it is sampled in each recording. */
struct stack {
	function frames[6];
	int	often[2];
	bool	in_kernel;
};

static const struct stack phases[2][8] = {
	{
		{ { load, parse }, { 40, 40 }, false },
		{ { load, parse, hash }, { 20, 20 }, false },
		{ { load, walk }, { 8, 8 }, false },
		{ { load }, { 6, 6 }, true },
		{ { load, evil, hash }, { 5, 5 }, false },
		{ { walk }, { 4, 4 }, false },
	},
	{
		{ { serve, sort, compare }, { 30, 45 }, false },
		{ { serve, sort }, { 12, 12 }, false },
		{ { serve, render }, { 18, 8 }, false },
		{ { serve, render, hash }, { 9, 9 }, false },
		{ { serve, fresh }, { 0, 6 }, false },
		{ { serve }, { 10, 10 }, true },
		{ { serve, evil }, { 4, 4 }, false },
		{ { serve, walk }, { 4, 4 }, false },
	},
};

static const char *const comms[] = { "loader", "worker", "worker", "<b>\"'&\n\x80" };
static const char *const cgroups[] = { "/system.slice/server.service", "/" EVIL };

static struct perfdata_event events[2] = { { .id = 1, .name = "nmi" },
					   { .id = 2, .name = "cycles:u" } };

static void make_events(void)
{
	struct tprof_lx_backend clock = { .flags = TPROF_LX_BACKEND_CLOCK,
					  .min_period = 1000, .max_period = NSEC_PER_SEC };
	struct event_defaults defaults = { .freq = 1000, .clockid = CLOCK_MONOTONIC,
					   .sample_cpu = true };
	struct event_spec spec = { .name = "nmi" };
	struct message msg;

	for (int i = 0; i < 2; i++) {
		if (event_attr(&spec, &defaults, &clock, !i, &events[i].attr, &msg))
			errx(1, "%s", msg.text);
		events[i].attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_WEIGHT |
					      PERF_SAMPLE_CGROUP;
	}
	events[1].attr.type = PERF_TYPE_HARDWARE;
	events[1].attr.config = PERF_COUNT_HW_CPU_CYCLES;
}

/* Add the mapping of this program's code. Its addresses are those of the file. */
static void add_own_map(struct bytes *out, struct record_trailer *task, const char *path)
{
	const ElfW(Phdr) *part = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	struct mapping map = { .prot = 5, .flags = 2, .name = path };

	while (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
		part++;
	map.start = part->p_vaddr & ~0xfffULL;
	map.pgoff = part->p_offset & ~0xfffULL;
	map.len = part->p_vaddr + part->p_memsz - map.start;
	if (build_id_of_file(path, &map.build_id))
		errx(1, "%s has no build-id", path);
	record_mmap2(out, task, &map);
}

static void make_past(struct bytes *out, const char *path)
{
	struct record_trailer kernel = { .pid = -1, .id = 1 };
	struct mapping text = { .start = KERNEL, .len = 0x1000000, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };
	struct record_trailer task = { .id = 1 };

	record_kernel_mmap(out, &kernel, &text);
	for (u32 i = 0; i < ARRAY_SIZE(comms); i++) {
		task.pid = i ? 200 : 100;
		task.tid = task.pid + i;
		record_comm(out, &task, comms[i]);
		add_own_map(out, &task, path);
	}
	for (u32 i = 0; i < ARRAY_SIZE(cgroups); i++)
		record_cgroup(out, &task, 50 + i, cgroups[i]);
}

static const struct stack *choose(int phase, int is_new)
{
	const struct stack *stacks = phases[phase];
	int i, sum = 0, dice;

	for (i = 0; i < 8; i++)
		sum += stacks[i].often[is_new];
	dice = random() % sum;
	for (i = 0; dice >= stacks[i].often[is_new]; i++)
		dice -= stacks[i].often[is_new];
	return &stacks[i];
}

static u64 within(function function)
{
	return (uintptr_t)function + 1 + random() % BYTES;
}

/* Fill in a chain, innermost first. Return its length. A tenth of walk() is recursion. */
static int make_chain(const struct stack *stack, u64 *chain)
{
	int depth = 0, nr = 0, again;

	if (stack->in_kernel) {
		chain[nr++] = PERF_CONTEXT_KERNEL;
		chain[nr++] = KERNEL + 0x100000 + random() % 4 * 0x1000;
	}
	chain[nr++] = PERF_CONTEXT_USER;
	while (depth < 6 && stack->frames[depth])
		depth++;
	while (depth--) {
		again = stack->frames[depth] == walk ? random() % 20 : 0;
		for (; again > 0; again--)
			chain[nr++] = within(walk);
		chain[nr++] = within(stack->frames[depth]);
	}
	return nr;
}

static int make_deep_chain(int nr_sample, u64 *chain)
{
	static const function all[] = { parse, hash, sort, compare, walk, render, serve };
	int nr = 0;

	chain[nr++] = PERF_CONTEXT_USER;
	if (nr_sample % 5 < 2) {
		chain[nr++] = within(parse);
	} else if (nr_sample % 10 == 9) {
		chain[nr++] = within(like_small);
		chain[nr++] = within(like_all);
	} else {
		while (nr < MAX_FRAMES - 1)
			chain[nr++] = within(all[random() % ARRAY_SIZE(all)]);
	}
	chain[nr++] = within(load);
	return nr;
}

static void add_sample(struct bytes *out, int event, u32 thread, u64 time, const u64 *chain,
		       u64 nr)
{
	bool in_kernel = chain[0] == PERF_CONTEXT_KERNEL;
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.size = sizeof(header) + (9 + nr) * sizeof(u64),
	};

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, events[event].id);
	bytes_add_u64(out, chain[1]);
	bytes_add_u32(out, thread ? 200 : 100);
	bytes_add_u32(out, (thread ? 200 : 100) + thread);
	bytes_add_u64(out, time);
	bytes_add_u64(out, thread % 3);
	bytes_add_u64(out, event ? 100000 + random() % 1000 : 1000000);
	bytes_add_u64(out, nr);
	bytes_add(out, chain, nr * sizeof(*chain));
	bytes_add_u64(out, 1 << random() % NR_WEIGHTS);
	bytes_add_u64(out, 50 + (thread == 3));
}

static void add_loss(struct bytes *out, u64 time, u64 lost)
{
	struct record_trailer task = { .pid = 200, .tid = 201, .time = time, .id = 1 };
	struct perf_event_header header = { .type = PERF_RECORD_LOST_SAMPLES,
					    .size = sizeof(header) + sizeof(u64) +
						    RECORD_TRAILER_BYTES };

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, lost);
	record_add_trailer(out, &task);
}

static void add_mark(struct bytes *out, u64 time, const char *text)
{
	struct record_trailer task = { .pid = 200, .tid = 201, .time = time, .id = 1 };
	char path[TPROF_LX_MARK_LEN + sizeof(TPROF_LX_MARK_PREFIX)];

	snprintf(path, sizeof(path), "%s%s", TPROF_LX_MARK_PREFIX, text);
	record_cgroup(out, &task, 1, path);
}

/* The load ends at two fifths of the time, and requests come in bursts of 60 ms. */
static void make_samples(struct bytes *out, int is_new)
{
	u64 chain[MAX_FRAMES], time = FIRST_TIME;
	int i, nr, phase;

	add_mark(out, time, "load");
	for (i = 0; i < NR_SAMPLES * (10 + is_new) / 10; i++, time += STEP) {
		phase = i > NR_SAMPLES * 2 / 5;
		if (i == NR_SAMPLES * 2 / 5)
			add_mark(out, time, "serve requests");
		if (i == NR_SAMPLES * 4 / 5)
			add_mark(out, time, EVIL);
		if (i / 60 == NR_SAMPLES / 2 / 60)
			add_loss(out, time, 5);
		if (phase && i / 600 % 2 && random() % 8)
			continue;
		nr = make_chain(choose(phase, is_new), chain);
		add_sample(out, chain[0] == PERF_CONTEXT_USER && random() % 4 == 0,
			   phase ? 1 + random() % 3 : 0, time, chain, nr);
	}
}

static void make_deep_samples(struct bytes *out)
{
	u64 chain[MAX_FRAMES], time = FIRST_TIME;
	int i, nr;

	for (i = 0; i < NR_SAMPLES; i++, time += STEP) {
		nr = make_deep_chain(i, chain);
		add_sample(out, 0, 0, time, chain, nr);
	}
}

int main(int argc, char **argv)
{
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct writer writer;
	char path[4096] = "";
	size_t written;
	int fd, is_new = argc > 2 && !strcmp(argv[2], "new");
	bool is_deep = argc > 2 && !strcmp(argv[2], "deep");

	if (argc < 3 || argc > 4 || (!is_new && !is_deep && strcmp(argv[2], "old")))
		errx(2, "usage: recording FILE old|new|deep [HOST]");
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		err(1, "%s", argv[1]);
	srandom(1 + is_new);
	make_events();
	make_past(&records, path);
	if (is_deep)
		make_deep_samples(&records);
	else
		make_samples(&records, is_new);
	features_add_events(&features, events, 2);
	features_add_clock(&features, CLOCK_MONOTONIC);
	if (argc == 4)
		features_add_text(&features, PERFDATA_HOSTNAME, argv[3]);
	if (writer_begin(&writer, fd, false, events, 2, &features) ||
	    writer_append(&writer, records.data, records.len, &written) ||
	    writer_end(&writer, &features))
		errx(1, "%s cannot be written", argv[1]);
	features_free(&features);
	bytes_free(&records);
	return 0;
}
