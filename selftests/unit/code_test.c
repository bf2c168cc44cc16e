// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - instructions, jumps and loops of machine code
 *
 * The code is that of this program, as objdump(1) disassembles it, or made by the test.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/arrows.h"
#include "code/kernel_memory.h"
#include "code/loops.h"
#include "code/objdump.h"
#include "symbols/symbol_file.h"
#include "unit.h"

#define MAX_PIECES	400

/* cmpoxadd %edx,%eax,(%rcx) of CMPCCXADD, which Zydis 4.1 does not know, and ret. */
static const u8 recent[] = { 0xc4, 0xe2, 0x69, 0xe0, 0x01, 0xc3 };

static struct decoder decoder;

/* Remove the first @what from @text, unless @text ends with it. */
static void remove_first(char *text, const char *what)
{
	char *at = strstr(text, what);
	size_t len = strlen(what);

	if (at && at[len])
		memmove(at, at + len, strlen(at + len) + 1);
}

/*
 * Remove what objdump prints in another way: displacements of 0, how a nop is encoded, and by
 * how much a shift of one bit shifts. Since 2.41 that is $1, before it was left out.
 */
static const char *plain(const char *text, char buf[256])
{
	char *at;

	snprintf(buf, 256, "%s", text);
	at = strstr(buf, "0x0(");
	if (at && (at == buf || !strchr("0123456789abcdef", at[-1])))
		memmove(at, at + 3, strlen(at + 3) + 1);
	if (buf[0] == 's' || buf[0] == 'r') {
		remove_first(buf, "$0x1,");
		remove_first(buf, "$1,");
	}
	if (strstr(buf, "nop") || strstr(buf, "xchg %ax,%ax"))
		return "nop";
	/* String instructions: Zydis leaves out the registers. */
	if (strstr(buf, "stos") || strstr(buf, "movs") || strstr(buf, "rep"))
		return "string";
	return buf;
}

static bool is_same(const struct instruction *a, const struct instruction *b)
{
	char x[256], y[256];

	return a->addr == b->addr && a->len == b->len && a->flow == b->flow &&
	       a->has_target == b->has_target && a->target == b->target &&
	       a->is_known == b->is_known && !strcmp(plain(a->text, x), plain(b->text, y));
}

/* Count the instructions on which Zydis and objdump differ. */
static size_t count_differences(const struct machine_code *pieces, size_t nr, size_t *nr_all)
{
	struct instructions *theirs = calloc(nr, sizeof(*theirs)), ours = { 0 };
	size_t differ = 0, i, j;

	*nr_all = 0;
	if (objdump_all("objdump", &decoder, pieces, nr, theirs))
		differ = 1;
	for (i = 0; i < nr && !differ; i++) {
		if (decode(&decoder, &pieces[i], &ours) || ours.nr != theirs[i].nr)
			differ++;
		for (j = 0; j < ours.nr && j < theirs[i].nr; j++) {
			if (is_same(&ours.list[j], &theirs[i].list[j]))
				continue;
			differ++;
			printf("# %llx: '%s', objdump '%s'\n", ours.list[j].addr,
			       ours.list[j].text, theirs[i].list[j].text);
		}
		*nr_all += ours.nr;
		instructions_free(&ours);
	}
	for (i = 0; i < nr; i++)
		instructions_free(&theirs[i]);
	free(theirs);
	return differ;
}

/*
 * Instructions of the kernel that programs rarely have: pushf, popf, cli, sti, hlt, clac, stac,
 * swapgs, rdtsc, rdmsr, wrmsr, rdpmc, invlpg, wbinvd, cmpxchg16b, moves of %cr3, cpuid, pause,
 * endbr64, xsaves, sysret, iret.
 */
static const u8 privileged[] = {
	0x9c, 0x9d, 0xfa, 0xfb, 0xf4, 0x0f, 0x01, 0xca, 0x0f, 0x01, 0xcb, 0x0f, 0x01, 0xf8,
	0x0f, 0x31, 0x0f, 0x32, 0x0f, 0x30, 0x0f, 0x33, 0x0f, 0x01, 0x38, 0x0f, 0x09,
	0xf0, 0x48, 0x0f, 0xc7, 0x0e, 0x0f, 0x20, 0xd8, 0x0f, 0x22, 0xd8, 0x0f, 0xa2, 0xf3, 0x90,
	0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x0f, 0xc7, 0x2f, 0x48, 0x0f, 0x07, 0x48, 0xcf,
};

static void test_privileged(void)
{
	const struct machine_code code = { 0x1000, privileged, sizeof(privileged) };
	size_t nr;

	unit_ok(!count_differences(&code, 1, &nr) && nr == 23,
		"Zydis and objdump agree about instructions of the kernel");
}

/*
 * fsub, fsubr, fdiv and fdivr: to %st, to %st(1), with pop to %st(1), and of a double and of a
 * 16-bit number in memory.
 */
static const u8 reversed[] = {
	0xd8, 0xe1, 0xd8, 0xe9, 0xd8, 0xf1, 0xd8, 0xf9,
	0xdc, 0xe1, 0xdc, 0xe9, 0xdc, 0xf1, 0xdc, 0xf9,
	0xde, 0xe1, 0xde, 0xe9, 0xde, 0xf1, 0xde, 0xf9,
	0xdc, 0x20, 0xdc, 0x28, 0xdc, 0x30, 0xdc, 0x38,
	0xde, 0x20, 0xde, 0x28, 0xde, 0x30, 0xde, 0x38,
};

static void test_reversed(void)
{
	const struct machine_code code = { 0x1000, reversed, sizeof(reversed) };
	size_t nr;

	unit_ok(!count_differences(&code, 1, &nr) && nr == 20,
		"Zydis and objdump agree about subtractions and divisions of the x87");
}

/*
 * vaddps {rn-sae}, the same masked and {rz-sae}, vsqrtpd {ru-sae}, vcvttpd2udq {sae}, vgetmantps
 * {sae}, vcvtsi2ss {rd-sae}, vcvtsi2sd {rn-sae}, vcvtss2si {rn-sae}, vfmadd213ss {rn-sae}, and
 * vaddps of a number in memory.
 */
static const u8 rounded[] = {
	0x62, 0xf1, 0x74, 0x18, 0x58, 0xc2, 0x62, 0xf1, 0x74, 0xf9, 0x58, 0xc2,
	0x62, 0xf1, 0xfd, 0x58, 0x51, 0xc2, 0x62, 0xf1, 0xfc, 0x18, 0x78, 0xc1,
	0x62, 0xf3, 0x7d, 0x18, 0x26, 0xc1, 0x04, 0x62, 0xf1, 0x6e, 0x38, 0x2a, 0xd8,
	0x62, 0xf1, 0xef, 0x18, 0x2a, 0xd8, 0x62, 0xf1, 0x7e, 0x18, 0x2d, 0xc1,
	0x62, 0xf2, 0x75, 0x18, 0xa9, 0xc2, 0x62, 0xf1, 0x74, 0x58, 0x58, 0x00,
};

static void test_rounded(void)
{
	const struct machine_code code = { 0x1000, rounded, sizeof(rounded) };
	size_t nr;

	unit_ok(!count_differences(&code, 1, &nr) && nr == 10,
		"Zydis and objdump agree about rounding modes");
}

/* Disassemble functions of this program, evenly chosen among all. */
static void test_own_code(void)
{
	static struct machine_code pieces[MAX_PIECES];
	const struct symbol_options options = { .no_debuginfod = true };
	struct symbol_file file = { 0 };
	struct symtab symtab = { 0 };
	size_t nr = 0, i, nr_all;

	if (symbol_file_load(&file, "/proc/self/exe", NULL, &options, SYMBOL_ADDRESS_OFFSET,
			     &symtab))
		abort();
	for (i = 0; i < symtab.nr && nr < MAX_PIECES; i += 1 + symtab.nr / MAX_PIECES) {
		const struct symbol *symbol = &symtab.symbols[i];
		struct machine_code *piece = &pieces[nr];

		piece->len = symbol->end - symbol->start;
		piece->bytes = symbol_file_bytes(&file, symbol->start, piece->len);
		/* A label at the end of a section may have data behind it. */
		nr += piece->len && piece->bytes && !decode_unknown(&decoder, piece) &&
		      symbol_file_linked(&file, symbol->start, &piece->addr);
	}
	i = count_differences(pieces, nr, &nr_all);
	printf("# %zu functions, %zu instructions, %zu differ\n", nr, nr_all, i);
	unit_ok(nr > 100 && nr_all > 1000 && !i,
		"Zydis and objdump agree about the code of this program");
	symbol_file_close(&file);
	symtab_free(&symtab);
}

static void test_unknown(void)
{
	struct machine_code code = { 0x1000, recent, sizeof(recent) };
	struct machine_code known = { 0x2000, recent + 5, 1 };
	struct machine_code two[] = { known, code };
	struct instructions ours = { 0 }, theirs[2] = { { 0 } };

	unit_ok(!decode(&decoder, &code, &ours) && ours.list[0].len == 1 &&
		!ours.list[0].is_known && !strcmp(ours.list[0].text, ".byte 0xc4"),
		"a byte that is no instruction is shown as a byte");
	unit_ok(decode_unknown(&decoder, &code) && !decode_unknown(&decoder, &known),
		"code with unknown bytes is recognized");
	unit_ok(!objdump_all("objdump", &decoder, two, 2, theirs) && theirs[0].nr == 1 &&
		theirs[1].nr == 2 && theirs[1].list[0].addr == 0x1000 &&
		theirs[1].list[0].len == 5 && !strncmp(theirs[1].list[0].text, "cmpoxadd", 8) &&
		theirs[1].list[1].flow == FLOW_END,
		"objdump disassembles several pieces of code in one run");
	instructions_free(&ours);
	instructions_free(&theirs[0]);
	instructions_free(&theirs[1]);
	unit_ok(objdump_all("/nonesuch/objdump", &decoder, two, 2, theirs) == -ENOENT,
		"a missing objdump is reported");
	unit_ok(objdump_all("true", &decoder, two, 2, theirs) == -EIO &&
		objdump_all("false", &decoder, two, 2, theirs) == -EIO,
		"a program that is no objdump is reported");
}

/* Add an instruction of 4 bytes. A @target below 0 is none, else an index. */
static void add(struct instructions *all, enum instruction_flow flow, int target)
{
	struct instruction instruction = {
		.addr = 0x1000 + 4 * all->nr, .len = 4, .text = "x", .flow = flow,
		.has_target = target >= 0, .target = 0x1000 + 4 * target, .is_known = true,
	};

	if (instructions_add(all, &instruction))
		abort();
}

static void make_random(struct instructions *all, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		switch (rand() % 6) {
		case 0:
			add(all, FLOW_JUMP, rand() % (nr + 2));
			break;
		case 1:
		case 2:
			add(all, FLOW_BRANCH, rand() % (nr + 2));
			break;
		case 3:
			add(all, rand() % 2 ? FLOW_END : FLOW_CALL, -1);
			break;
		default:
			add(all, FLOW_NEXT, -1);
		}
	}
}

/* Check the arrows of all jumps, without the code that made them. */
static bool are_arrows_right(const struct instructions *all, const struct arrows *arrows)
{
	const struct arrow *x, *y;
	u32 i, j;

	for (i = 0; i < all->nr; i++) {
		const struct instruction *from = &all->list[i];
		u64 target = (from->target - 0x1000) / 4;
		bool has_arrow = arrows->from[i] != NO_ARROW;
		bool is_jump = from->has_target && target < all->nr &&
			       (from->flow == FLOW_JUMP || from->flow == FLOW_BRANCH);

		if (is_jump != has_arrow)
			return false;
		if (!is_jump)
			continue;
		x = &arrows->list[arrows->from[i]];
		if (x->target != target || arrows->to[target] != arrows->from[i] || x->first > i ||
		    x->last < i || x->first > target || x->last < target)
			return false;
	}
	for (i = 0; i < arrows->nr; i++) {
		for (j = 0; j < i; j++) {
			x = &arrows->list[i];
			y = &arrows->list[j];
			if (x->lane == y->lane && x->lane < ARROWS_LANES && x->first <= y->last &&
			    y->first <= x->last)
				return false;
		}
	}
	return true;
}

static void test_arrows(void)
{
	struct instructions all = { 0 };
	char text[ARROWS_TEXT], above[ARROWS_TEXT];
	struct arrows arrows;
	bool is_right = true;
	u32 i;

	add(&all, FLOW_BRANCH, 3);
	add(&all, FLOW_NEXT, -1);
	add(&all, FLOW_BRANCH, 1);
	add(&all, FLOW_END, -1);
	if (arrows_make(&arrows, &all))
		abort();
	arrows_draw(&arrows, 0, text);
	unit_ok(arrows.nr_lanes == 2 && !strcmp(text, "+----"), "an arrow begins at its jump");
	arrows_draw(&arrows, 1, text);
	unit_ok(!strcmp(text, "| +->"), "an arrow ends at its target");
	arrows_draw_above(&arrows, 2, above);
	arrows_draw_above(&arrows, 1, text);
	unit_ok(!strcmp(above, "| |  ") && !strcmp(text, "|    "),
		"arrows go on between instructions");
	arrows_draw(&arrows, 2, text);
	arrows_draw(&arrows, 3, above);
	unit_ok(!strcmp(text, "| +--") && !strcmp(above, "+--->"), "arrows of two lanes cross");
	arrows_free(&arrows);
	instructions_free(&all);
	for (i = 0; i < 300 && is_right; i++) {
		make_random(&all, 1 + rand() % 60);
		if (arrows_make(&arrows, &all))
			abort();
		is_right = are_arrows_right(&all, &arrows);
		arrows_free(&arrows);
		instructions_free(&all);
	}
	unit_ok(is_right, "arrows of random code are those of its jumps, and do not overlap");
}

/* Return true if *@seen was not set yet. */
static bool mark(bool *seen)
{
	bool is_new = !*seen;

	*seen = true;
	return is_new;
}

/* Return true if the CPU can come back to instruction @at. */
static bool is_in_cycle(const struct instructions *all, u32 at)
{
	bool *seen = calloc(all->nr + 1, sizeof(*seen)), has_more = true, is_in;
	u32 i, target;

	/* seen[i]: the CPU can go from @at to i in at least one step. */
	while (has_more) {
		has_more = false;
		for (i = 0; i < all->nr; i++) {
			const struct instruction *from = &all->list[i];
			bool goes_on = from->flow != FLOW_JUMP && from->flow != FLOW_END;

			if (i != at && !seen[i])
				continue;
			target = jump_target(all, from);
			if (goes_on && i + 1 < all->nr)
				has_more |= mark(&seen[i + 1]);
			if (target != NO_ARROW)
				has_more |= mark(&seen[target]);
		}
	}
	is_in = seen[at];
	free(seen);
	return is_in;
}

static bool are_loops_right(const struct instructions *all, const struct loops *loops)
{
	u32 i;

	for (i = 0; i < all->nr; i++) {
		if ((loops_innermost(loops, i) != NO_LOOP) != is_in_cycle(all, i))
			return false;
	}
	return true;
}

static void test_nested_loops(void)
{
	struct instructions all = { 0 };
	struct loops loops;

	add(&all, FLOW_BRANCH, 6);	/* 0: to rare code */
	add(&all, FLOW_NEXT, -1);	/* 1: outer loop */
	add(&all, FLOW_NEXT, -1);	/* 2: inner loop */
	add(&all, FLOW_BRANCH, 2);
	add(&all, FLOW_BRANCH, 1);
	add(&all, FLOW_END, -1);	/* 5 */
	add(&all, FLOW_JUMP, 5);	/* 6: rare code, which jumps back once */
	if (loops_find(&loops, &all))
		abort();
	unit_ok(loops.nr == 2 && loops.is_head[1] && loops.is_head[2] &&
		loops_innermost(&loops, 3) == 2 && loops_innermost(&loops, 4) == 1 &&
		loops.heads[2] == 1,
		"an inner loop is in an outer one");
	unit_ok(loops_depth(&loops, 2) == 2 && loops_depth(&loops, 4) == 1 &&
		!loops_depth(&loops, 0) && !loops_depth(&loops, 5),
		"the depth of loops is counted");
	unit_ok(!loops_depth(&loops, 6), "a jump back from rare code is no loop");
	loops_free(&loops);
	instructions_free(&all);
}

static void test_loops(void)
{
	struct instructions all = { 0 };
	struct loops loops;
	bool is_right = true;
	u32 i;

	test_nested_loops();
	for (i = 0; i < 1000 && is_right; i++) {
		make_random(&all, 1 + rand() % 30);
		if (loops_find(&loops, &all))
			abort();
		is_right = are_loops_right(&all, &loops);
		loops_free(&loops);
		instructions_free(&all);
	}
	unit_ok(is_right, "exactly the instructions of random code that can run again are in loops");
	for (i = 0; i < LOOPS_DEEPEST + 1; i++)
		add(&all, FLOW_NEXT, -1);
	for (i = 0; i < LOOPS_DEEPEST + 1; i++)
		add(&all, FLOW_BRANCH, LOOPS_DEEPEST - i);
	if (loops_find(&loops, &all))
		abort();
	unit_ok(loops.is_left_out && !loops.nr, "loops nested too deeply are left out");
	loops_free(&loops);
	instructions_free(&all);
}

/* je to a ud2, nop, jmp back, ret, ud2, jmp back. */
static const u8 trapped[] = { 0x74, 0x04, 0x90, 0xeb, 0xfb, 0xc3, 0x0f, 0x0b, 0xeb, 0xf6 };

/* ud2, ud1 %eax,%eax, hlt, int3, int1. */
static const u8 exceptions[] = { 0x0f, 0x0b, 0x0f, 0xb9, 0xc0, 0xf4, 0xcc, 0xf1 };

/* Return the flow of each of the exceptions as a digit, if they are at @addr. */
static u32 flows_at(u64 addr)
{
	const struct machine_code code = { addr, exceptions, sizeof(exceptions) };
	struct instructions all = { 0 };
	u32 flows = 0, i;

	if (decode(&decoder, &code, &all))
		abort();
	for (i = 0; i < all.nr; i++)
		flows = 10 * flows + all.list[i].flow;
	instructions_free(&all);
	return flows;
}

static void test_exceptions(void)
{
	const u32 end = FLOW_END, next = FLOW_NEXT;
	const struct machine_code code = { 0x1000, trapped, sizeof(trapped) };
	struct instructions all = { 0 };
	struct loops loops;

	unit_ok(flows_at(0x1000) == 11111 * end,
		"a program does not go on after ud2, hlt and int3");
	unit_ok(flows_at(0xffffffff81000000) == 11000 * end + 111 * next,
		"the kernel does not go on after ud2, but after hlt and int3");
	if (decode(&decoder, &code, &all) || loops_find(&loops, &all))
		abort();
	unit_ok(all.nr == 6 && loops_depth(&loops, 0) == 1 && loops_depth(&loops, 2) == 1 &&
		!loops_depth(&loops, 4) && !loops_depth(&loops, 5),
		"a way to ud2 is no part of the loop that it leaves");
	loops_free(&loops);
	instructions_free(&all);
}

static void test_kernel_memory(void)
{
	char buf[4];

	/* An ELF file has the layout of /proc/kcore, apart from its type. */
	unit_ok(kernel_memory_read("/proc/self/exe", ~0ULL, buf, 1) == -ENXIO,
		"memory that is not there is reported");
	unit_ok(kernel_memory_read("/nonesuch", 0, buf, 1) == -ENOENT &&
		kernel_memory_read("/dev/null", 0, buf, 1) == -EIO,
		"a file that is no kernel memory is reported");
	unit_ok(!kernel_memory_read("/proc/self/exe", 0, buf, sizeof(buf)) &&
		!memcmp(buf, "\177ELF", sizeof(buf)),
		"memory is read at its address");
}

int main(void)
{
	srand(7);
	unit_ok(!decoder_init(&decoder), "Zydis is the one of the build");
	test_own_code();
	test_privileged();
	test_reversed();
	test_rounded();
	test_unknown();
	test_arrows();
	test_loops();
	test_exceptions();
	test_kernel_memory();
	return unit_exit();
}
