// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - ELF files and DWARF, which any user can create
 *
 * The first byte of an input selects how the rest is used:
 *   - as an ELF file, to look up functions and lines, to disassemble functions and to make
 *     its unwind table
 *   - as an ELF image in memory, to read only PLT stubs and segments (faster)
 *   - as a DWARF expression
 *   - as machine code, to disassemble it and to find its jumps and loops
 *   - as a section .sframe, to find its ranges
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/listing.h"
#include "fuzzer.h"
#include "perfdata/buildid.h"
#include "symbols/elf_address.h"
#include "symbols/elf_plt.h"
#include "symbols/symbol_lines.h"
#include "unwind/object.h"
#include "unwind/sframe.h"
#include "world/call_frame.h"
#include "world/dwarf_expr.h"

/* Maximum number of addresses to look up in a file. It limits the time for an input. */
#define MAX_ADDRS	32
#define MAX_OPS		64
#define MAX_CODE	65536
#define MAX_RANGES	10000

static const u8 stack[256];

/* Return a frame with most of its registers known and with a piece of its stack. */
static struct call_frame frame_of(u64 ip)
{
	struct call_frame frame = {
		.known = 0x1f0ff,
		.stack = stack,
		.stack_base = 0x7f0000001000,
		.stack_size = sizeof(stack),
	};

	for (size_t i = 0; i < FRAME_REGS; i++)
		frame.regs[i] = frame.stack_base + i * 8;
	frame.regs[FRAME_IP] = ip;
	return frame;
}

static int ignore_stub(void *arg, const struct elf_stub *stub)
{
	return strlen(stub->name) > 65536;
}

static int ignore_line(void *arg, const struct code_line *line)
{
	(void)arg;
	(void)line;
	return 0;
}

static int ignore_inline(void *arg, const struct inline_call *call)
{
	return strlen(call->name) > 65536 || (call->path && strlen(call->path) > 65536);
}

static void check_instructions(const struct machine_code *code, const struct instructions *all)
{
	u64 addr = code->addr;

	for (size_t i = 0; i < all->nr; i++) {
		if (all->list[i].addr != addr || !all->list[i].len)
			abort();
		addr += all->list[i].len;
	}
	if (addr != code->addr + code->len)
		abort();
}

/* Find out all about code that annotate does, and draw its arrows. */
static void annotate(const struct machine_code *code)
{
	const struct hot_function function = { 0 };
	struct listing listing = { .function = &function };
	char text[ARROWS_TEXT];
	struct decoder decoder;

	if (decoder_init(&decoder) || decode(&decoder, code, &listing.all) ||
	    listing_count(&listing))
		abort();
	check_instructions(code, &listing.all);
	for (u32 i = 0; i < listing.all.nr; i++) {
		arrows_draw(&listing.arrows, i, text);
		arrows_draw_above(&listing.arrows, i, text);
		if (strlen(text) != (listing.arrows.nr_lanes ? 2 * listing.arrows.nr_lanes + 1 : 0))
			abort();
		loops_depth(&listing.loops, i);
	}
	listing_free(&listing);
}

static int ignore_range(void *arg, const struct inline_range *range)
{
	return strlen(range->call.name) > 65536;
}

/* Disassemble the function, and read what DWARF has about it. */
static void annotate_symbol(struct symbol_file *file, const struct symbol *symbol)
{
	struct machine_code code = { .len = symbol->end - symbol->start };
	u64 addr;

	symbol_file_each_range(file, symbol->start, ignore_range, NULL);
	symbol_file_directory(file, symbol->start);
	if (!symbol_file_linked(file, symbol->start, &code.addr) || code.len > MAX_CODE)
		return;
	symbol_file_unlinked(file, code.addr, &addr);
	code.bytes = symbol_file_bytes(file, symbol->start, code.len);
	if (code.bytes)
		annotate(&code);
}

static void look_up(struct symbol_file *file, u64 addr)
{
	struct call_frame frame = frame_of(addr);
	Dwarf_Frame *rules = symbol_file_rules(file, addr);
	bool is_signal;
	int line;

	if (rules)
		frame_leave(&frame, rules, &is_signal);
	free(rules);
	symbol_file_line(file, addr, &line);
	symbol_file_each_inline(file, addr, ignore_inline, NULL);
	symbol_file_each_function(file, addr, ignore_line, NULL);
}

/* Make the table of the file in two parts, as for a large one. */
static void make_table(const char *path)
{
	struct unwind_table table;
	int fd = open_regular(path);

	if (fd < 0)
		return;
	if (!unwind_object_by(fd, 2, NULL, &table) && !unwind_table_is_valid(&table))
		abort();
	unwind_table_free(&table);
	close(fd);
}

static void load_file(const u8 *data, size_t len)
{
	const struct symbol_options options = { .no_debuginfod = true };
	enum symbol_addresses how = data[0] & 1 ? SYMBOL_ADDRESS_OFFSET : SYMBOL_ADDRESS_VIRTUAL;
	struct symbol_file file = { 0 };
	const char *path = fuzzer_file(data + 1, len - 1);
	struct symtab symtab = { 0 };

	if (symbol_has_code(symbol_file_load(&file, path, NULL, &options, how, &symtab))) {
		for (size_t i = 0; i < symtab.nr && i < MAX_ADDRS; i++) {
			symtab_find(&symtab, symtab.symbols[i].start);
			look_up(&file, symtab.symbols[i].start);
			annotate_symbol(&file, &symtab.symbols[i]);
		}
		look_up(&file, 0x1000);
	}
	symbol_file_close(&file);
	symtab_free(&symtab);
	make_table(path);
}

static void look_at_elf(const u8 *data, size_t len)
{
	char *copy = malloc(len);
	u64 number;
	Elf *elf;

	if (!copy)
		abort();
	memcpy(copy, data, len);
	elf = elf_memory(copy, len);
	if (elf) {
		elf_each_stub(elf, ignore_stub, NULL);
		elf_file_offset(elf, 0x1000, &number);
		elf_address(elf, 0x1000, &number);
		elf_end(elf);
	}
	free(copy);
}

static void evaluate(const u8 *data, size_t len)
{
	const size_t op_bytes = 1 + 2 * sizeof(u64);
	struct call_frame frame = frame_of(0x1000);
	u64 cfa = frame.stack_base + 16;
	Dwarf_Op ops[MAX_OPS] = { 0 };
	struct dwarf_value value;
	size_t nr;

	for (nr = 0; nr < MAX_OPS && len >= op_bytes; nr++) {
		ops[nr].atom = data[0];
		memcpy(&ops[nr].number, data + 1, sizeof(u64));
		memcpy(&ops[nr].number2, data + 1 + sizeof(u64), sizeof(u64));
		data += op_bytes;
		len -= op_bytes;
	}
	dwarf_evaluate(ops, nr, &frame, NULL, &value);
	dwarf_evaluate(ops, nr, &frame, &cfa, &value);
}

/* Find the ranges of a section at an address before, among or after its functions. */
static void find_ranges(const u8 *data, size_t len)
{
	u32 losses[UNWIND_NR_LOSSES] = { 0 }, nr = 0;
	struct unwind_range range;
	struct sframe sframe;
	u64 at = 0;

	if (sframe_open(&sframe, data, len, 0x1000))
		return;
	while (nr++ < MAX_RANGES && sframe_find(&sframe, at, ~0ULL, &range, losses)) {
		if (range.begin < at || range.end <= range.begin)
			abort();
		at = range.end;
	}
	sframe_close(&sframe);
}

/* Do not report leaks of libdw and libelf: they leak memory on damaged files. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libdw\nleak:libelf\n";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzzer_be_quiet();
	elf_version(EV_CURRENT);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	if (len < 2)
		return 0;
	switch (data[0] % 8) {
	case 0:
		load_file(data + 1, len - 1);
		break;
	case 1:
		look_at_elf(data + 1, len - 1);
		break;
	case 2:
		annotate(&(struct machine_code){ 0x1000, data + 1, len - 1 });
		break;
	case 4:
		find_ranges(data + 1, len - 1);
		break;
	default:
		evaluate(data + 1, len - 1);
	}
	return 0;
}
