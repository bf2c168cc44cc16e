// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - call chains from registers and a copy of the stack
 *
 * This program samples itself: it makes known nested calls, and the innermost function
 * saves the registers and the stack as the kernel does for a sample.
 */
#include <asm/perf_regs.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/procfs.h"
#include "symbols/object_dwarf.h"
#include "unit.h"
#include "world/chain.h"

#define NOIPA	__attribute__((noipa))
#define NR_REGS	24

static u64 regs[NR_REGS];
static u8 stack[64 << 10];
static size_t wanted_stack;
static struct sample sample;

/* Save a register of inner() in @regs, the registers of the sample. */
#define KEEP(number, name)						\
	asm volatile("mov %%" name ", %0" : "=m"(regs[number]))

static void copy_stack(u64 from)
{
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ssize_t len = pread(fd, stack, wanted_stack, from);

	close(fd);
	sample.stack = stack;
	sample.stack_size = len > 0 ? len : 0;
}

static NOIPA int inner(void)
{
	KEEP(PERF_REG_X86_BX, "rbx");
	KEEP(PERF_REG_X86_BP, "rbp");
	KEEP(PERF_REG_X86_SP, "rsp");
	KEEP(PERF_REG_X86_R12, "r12");
	KEEP(PERF_REG_X86_R13, "r13");
	KEEP(PERF_REG_X86_R14, "r14");
	KEEP(PERF_REG_X86_R15, "r15");
	asm volatile("lea 0(%%rip), %%rax\n\t"
		     "mov %%rax, %0" : "=m"(regs[PERF_REG_X86_IP]) : : "rax");
	sample.ip = regs[PERF_REG_X86_IP];
	copy_stack(regs[PERF_REG_X86_SP]);
	return 1;
}

static NOIPA int middle(int depth)
{
	return depth ? middle(depth - 1) + 1 : inner() + 1;
}

static NOIPA int outer(int depth)
{
	return middle(depth) + 1;
}

static void on_signal(int number)
{
	inner();
}

static NOIPA int interrupted(void)
{
	raise(SIGUSR1);
	return 1;
}

enum { INLINED_LINE = __LINE__ + 4 };

static inline __attribute__((always_inline)) int inlined(void)
{
	return inner() + 1;
}

static NOIPA int around(void)
{
	return inlined() + 1;
}

static struct world world;
static struct chain chain;

static int map_file(struct space *space, const struct mapping *mapping)
{
	struct object_key key = { .name = mapping->name };
	struct map map = {
		.start = mapping->start,
		.end = mapping->start + mapping->len,
		.to_object = mapping->pgoff - mapping->start,
		.object = objects_get(&world.objects, &key),
	};

	return space_add(space, &map);
}

static void make_world(void)
{
	struct symbol_options options = { .no_debuginfod = true };
	static struct feature_set none;
	FILE *file = fopen("/proc/self/maps", "re");
	struct mapping mapping;
	char *line = NULL;
	size_t room = 0;

	if (!file || world_init(&world, &options, &none) || chain_init(&chain))
		abort();
	while (getline(&line, &room, file) > 0) {
		if (procfs_parse_map(line, &mapping) && mapping.name[0] == '/' &&
		    map_file(spaces_get(&world.spaces, getpid()), &mapping))
			abort();
	}
	free(line);
	fclose(file);
}

static u64 regs_abi = PERF_SAMPLE_REGS_ABI_64;

static void unwind(void)
{
	const struct perf_event_attr attr = { .sample_regs_user = (1 << NR_REGS) - 1 };

	memset(chain.ends, 0, sizeof(chain.ends));
	sample.pid = getpid();
	sample.user_abi = regs_abi;
	sample.user_regs = (struct words){ (const u8 *)regs, NR_REGS };
	if (chain_find(&chain, &world, &attr, &sample, false))
		abort();
}

static bool is_in(int frame, const char *function)
{
	const char *name = frame < chain.nr ? chain.frames[frame].symbol->name : NULL;

	return name && !strcmp(name, function);
}

static bool has_function(const char *function)
{
	for (int i = 0; i < chain.nr; i++) {
		if (is_in(i, function))
			return true;
	}
	return false;
}

static void test_tree(void)
{
	wanted_stack = sizeof(stack);
	outer(2);
	unwind();
	unit_ok(is_in(0, "inner") && is_in(1, "middle") && is_in(2, "middle") &&
		is_in(3, "middle") && is_in(4, "outer") && has_function("main"),
		"each call is a frame");
	unit_ok(has_function("_start") && chain.ends[FRAME_OUTERMOST] == 1,
		"a chain reaches _start, the outermost function");
	unit_ok(sample.ip == chain.frames[0].ip,
		"the first frame is the address of the sample");
}

static void test_short_copy(void)
{
	wanted_stack = 128;
	outer(40);
	unwind();
	unit_ok(is_in(0, "inner") && !has_function("outer"),
		"a short copy of the stack ends the chain");
	unit_ok(chain.ends[FRAME_BEYOND_COPY] == 1,
		"a chain that ends with the copy of the stack is counted");
}

static void test_too_deep(void)
{
	wanted_stack = sizeof(stack);
	outer(200);
	unwind();
	unit_ok(chain.nr == UNWIND_MAX && chain.ends[FRAME_MORE] == 1,
		"a chain has UNWIND_MAX frames at most");
}

static void test_signal(void)
{
	signal(SIGUSR1, on_signal);
	wanted_stack = sizeof(stack);
	interrupted();
	unwind();
	unit_ok(is_in(0, "inner") && is_in(1, "on_signal") && has_function("interrupted") &&
		has_function("main"),
		"a chain goes from a signal handler to the interrupted function");
}

static void test_inlined(void)
{
	const struct spot *spot = &chain.frames[1];
	const char *line;
	char text[64];

	wanted_stack = sizeof(stack);
	around();
	unwind();
	unit_ok(is_in(0, "inner") && is_in(1, "around"),
		"without inlines, an inlined function is no frame");
	line = object_line(&world.objects.sources, spot->object, spot->addr, spot->symbol);
	snprintf(text, sizeof(text), "chain_test.c:%d", INLINED_LINE);
	unit_ok(line && !strcmp(line, text),
		"the line of the inlined call is found");
	world.objects.sources.options.inlines = true;
	unwind();
	unit_ok(is_in(0, "inner") && is_in(1, "inlined") && is_in(2, "around") &&
		has_function("main"),
		"with inlines, an inlined function is a frame");
	unit_ok(chain.frames[1].symbol->inlined && !chain.frames[2].symbol->inlined,
		"only the frame of the inlined function is marked as inlined");
	world.objects.sources.options.inlines = false;
}

static void test_recorded_part_stays(void)
{
	u64 words[] = { PERF_CONTEXT_USER, (u64)(uintptr_t)outer };

	wanted_stack = sizeof(stack);
	outer(0);
	sample.chain = (struct words){ (const u8 *)words, ARRAY_SIZE(words) };
	unwind();
	unit_ok(chain.nr == 1 && is_in(0, "outer"),
		"a user chain that the kernel recorded is not unwound again");
	words[0] = PERF_CONTEXT_KERNEL;
	unwind();
	unit_ok(chain.nr > 3 && chain.frames[0].is_kernel && is_in(1, "inner"),
		"unwound user frames follow the recorded kernel frames");
	sample.chain = (struct words){ 0 };
}

static void test_marks(void)
{
	const u64 words[] = { PERF_CONTEXT_KERNEL, -4096, PERF_CONTEXT_USER, 1, 2,
			      PERF_CONTEXT_USER, 3, 4, PERF_CONTEXT_USER, 5 };
	static const bool by_frame[] = { false, false, false, true, true, false };
	bool is_said = true;
	int i;

	sample.chain = (struct words){ (const u8 *)words, ARRAY_SIZE(words) };
	unwind();
	for (i = 0; i < chain.nr && i < (int)ARRAY_SIZE(by_frame); i++)
		is_said &= chain.frames[i].by_frame == by_frame[i];
	unit_ok(chain.nr == ARRAY_SIZE(by_frame), "marks are no frames");
	unit_ok(is_said, "a further mark of the user part says how frames were found");
	sample.chain = (struct words){ 0 };
}

static void test_abi(void)
{
	wanted_stack = sizeof(stack);
	regs_abi = PERF_SAMPLE_REGS_ABI_64 | PERFDATA_REGS_ABI_SIMD;
	outer(0);
	unwind();
	unit_ok(is_in(0, "inner") && has_function("main"),
		"registers followed by vector registers begin a chain");
	regs_abi = PERF_SAMPLE_REGS_ABI_32 | PERFDATA_REGS_ABI_SIMD;
	outer(0);
	unwind();
	unit_ok(!chain.nr && chain.ends[FRAME_NOT_BEGUN] == 1,
		"32-bit registers followed by vector registers begin no chain");
	regs_abi = PERF_SAMPLE_REGS_ABI_64;
}

static void test_nothing_to_go_by(void)
{
	wanted_stack = sizeof(stack);
	outer(0);
	sample.user_regs.at = NULL;
	sample.stack_size = 0;
	unwind();
	unit_ok(chain.nr == 0, "without registers and stack there is no chain");
	outer(0);
	regs[PERF_REG_X86_IP] = 0x10;
	regs[PERF_REG_X86_BP] = 1;
	unwind();
	unit_ok(chain.nr == 1 && chain.ends[FRAME_NO_RULES] == 1,
		"a chain ends at an address without unwind rules");
}

int main(void)
{
	make_world();
	test_tree();
	test_short_copy();
	test_too_deep();
	test_signal();
	test_inlined();
	test_recorded_part_stays();
	test_marks();
	test_abi();
	test_nothing_to_go_by();
	chain_free(&chain);
	world_free(&world);
	return unit_exit();
}
