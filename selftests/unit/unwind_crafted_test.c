// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unwind tables of crafted binaries
 *
 * A binary is one segment: headers, a build-id, .eh_frame with one function, and code.
 */
#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "unwind/object.h"

/* A file of this size has no byte to spare in the memory that it is read into. */
#define SIZE	(2UL << 20)

/**
 * struct crafted - the beginning of the file
 * @header:	ELF header
 * @segments:	all of the file, the build-id, and .eh_frame_hdr
 * @note:	build-id
 * @name:	owner of the build-id
 * @id:		its bytes
 * @index:	.eh_frame_hdr: where .eh_frame is
 * @table:	search table, if @index says that there is one: the number of functions, and the
 *		distances of the first one and of its description from @index
 * @cie:	what all functions have in common: CFA = rsp + 8, the return address is at CFA - 8
 * @fde_bytes:	length of the function's description, without this word
 * @cie_distance: distance of @cie from this word
 * @begin:	address of the function
 * @len:	its length
 * @augmentation: zero
 * @program:	its instructions, zero after them
 * @end:	zero: end of .eh_frame
 */
struct crafted {
	Elf64_Ehdr	header;
	Elf64_Phdr	segments[3];
	Elf64_Nhdr	note;
	char		name[4];
	u8		id[20];
	u8		index[8];
	u32		table[3];
	u8		cie[24];
	u32		fde_bytes;
	u32		cie_distance;
	u64		begin;
	u64		len;
	u8		augmentation;
	u8		program[1 << 20];
	u8		pad[3];
	u32		end;
} __attribute__((packed));

static void set_segments(struct crafted *crafted, u64 addr)
{
	const u64 note = offsetof(struct crafted, note), index = offsetof(struct crafted, index);
	const Elf64_Phdr segments[3] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = addr, .p_filesz = SIZE,
		  .p_memsz = SIZE },
		{ .p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4, .p_offset = note,
		  .p_filesz = offsetof(struct crafted, index) - note },
		{ .p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_offset = index,
		  .p_vaddr = addr + index,
		  .p_filesz = offsetof(struct crafted, cie) - index },
	};

	memcpy(crafted->segments, segments, sizeof(segments));
}

static void set_frames(struct crafted *crafted, u64 addr, u64 begin, u64 len)
{
	static const u8 index[8] = {
		1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_omit, DW_EH_PE_omit, 16,
	};
	static const u8 cie[24] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, DW_EH_PE_absptr,
		DW_CFA_def_cfa, 7, 8, DW_CFA_offset + 16, 1,
	};

	memcpy(crafted->index, index, sizeof(index));
	memcpy(crafted->cie, cie, sizeof(cie));
	crafted->fde_bytes = offsetof(struct crafted, end) -
			     offsetof(struct crafted, cie_distance);
	crafted->cie_distance = offsetof(struct crafted, cie_distance) -
				offsetof(struct crafted, cie);
	crafted->begin = addr + begin;
	crafted->len = len;
}

/*
 * Make a binary at @addr. Its function is at file offset @begin, has @len bytes, and is described
 * by @program, which is repeated.
 */
static struct crafted *make(u64 addr, u64 begin, u64 len, const void *program, size_t bytes)
{
	u8 *file = malloc(SIZE);
	struct crafted *crafted = (struct crafted *)file;
	size_t at;

	/* Instructions of one byte: return in the function, nop elsewhere */
	memset(file, 0x90, SIZE);
	memset(file + begin, 0xc3, len);
	memset(file, 0, sizeof(*crafted));
	crafted->header = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
	};
	set_segments(crafted, addr);
	crafted->note = (Elf64_Nhdr){ 4, 20, NT_GNU_BUILD_ID };
	memcpy(crafted->name, "GNU", 4);
	set_frames(crafted, addr, begin, len);
	for (at = 0; bytes && at + bytes <= sizeof(crafted->program); at += bytes)
		memcpy(crafted->program + at, program, bytes);
	return crafted;
}

/* Return a descriptor of a binary, and free its memory. */
static int open_crafted(struct crafted *crafted)
{
	int fd = memfd_create("crafted", MFD_CLOEXEC);

	if (fd < 0 || write(fd, crafted, SIZE) != (ssize_t)SIZE)
		abort();
	free(crafted);
	return fd;
}

static int craft(u64 addr, u64 begin, u64 len, const void *program, size_t bytes)
{
	return open_crafted(make(addr, begin, len, program, bytes));
}

static int make_table(int fd, struct unwind_table *table)
{
	int err = unwind_object_by(fd, 1, NULL, table);

	close(fd);
	return err;
}

static void test_plain(void)
{
	struct unwind_table table;

	unit_ok(!make_table(craft(0x400000, SIZE - 64, 60, NULL, 0), &table) &&
		unwind_table_is_valid(&table) && unwind_table_find(&table, SIZE - 64) &&
		unwind_table_find(&table, SIZE - 64)->how == TPROF_LX_UNWIND_CFA,
		"a_function_at_the_end_of_a_file_has_a_rule");
	unwind_table_free(&table);
}

/* The next address that is a multiple of 16 is 0. */
static void test_last_address(void)
{
	struct unwind_table table;

	unit_ok(make_table(craft(UINT64_MAX - SIZE, SIZE - 64, 60, NULL, 0), &table) == -ENODATA,
		"code_up_to_the_last_address_has_no_table");
	unwind_table_free(&table);
}

/* Each instruction of the function has a rule, and libdw reads all of them for each. */
static void test_unwanted(void)
{
	static const u8 program[] = {
		DW_CFA_advance_loc + 1, DW_CFA_def_cfa_offset, 16,
		DW_CFA_advance_loc + 1, DW_CFA_def_cfa_offset, 8,
	};
	const atomic_bool is_unwanted = true;
	struct unwind_table table;
	int fd = craft(0x400000, 0, 4096, program, sizeof(program)), err;

	err = unwind_object_by(fd, 1, NULL, &table);
	unit_ok(!err && table.sources[UNWIND_EH_FRAME] == 4096, "each_instruction_has_a_rule");
	unwind_table_free(&table);
	err = unwind_object_by(fd, 1, &is_unwanted, &table);
	unit_ok(err == -ETIME && !table.sources[UNWIND_EH_FRAME],
		"a_table_that_is_not_wanted_is_given_up_before_the_next_search");
	unwind_table_free(&table);
	close(fd);
}

static int describe(const void *program, size_t bytes)
{
	struct unwind_table table;
	int err = make_table(craft(0x400000, SIZE - 64, 60, program, bytes), &table);

	unwind_table_free(&table);
	return err;
}

/* libdw would take 300 bytes for each state, and 16 for each register. */
static void test_memory(void)
{
	static const u8 remember[] = { DW_CFA_remember_state };
	static const u8 in_turn[] = { DW_CFA_remember_state, DW_CFA_restore_state };
	static const u8 high[] = { DW_CFA_undefined, 0x80, 0x80, 0x80, 0x20 };
	static const u8 block[] = { DW_CFA_def_cfa_expression, 0x80, 0x80, 0x80, 0x20 };
	static const u8 unknown[] = { DW_CFA_low_user };

	unit_ok(describe(remember, sizeof(remember)) == -EBADMSG,
		"states_that_are_remembered_without_end_are_refused");
	unit_ok(!describe(in_turn, sizeof(in_turn)), "states_that_are_restored_are_no_memory");
	unit_ok(describe(high, sizeof(high)) == -EBADMSG, "high_register_is_refused");
	unit_ok(describe(block, sizeof(block)) == -EBADMSG, "expression_beyond_the_end_is_refused");
	unit_ok(describe(unknown, sizeof(unknown)) == -EBADMSG, "unknown_instruction_is_refused");
}

/* Return TPROF_LX_UNWIND_RBX_PLACE() of the rule that @program makes, or 255. */
static u8 rbx_place(const void *program, size_t bytes)
{
	const u64 begin = SIZE - 64;
	const struct tprof_lx_unwind_rule *rule = NULL;
	struct unwind_table table;
	u8 place;

	if (!make_table(craft(0x400000, begin, 60, program, bytes), &table))
		rule = unwind_table_find(&table, begin);
	place = rule ? TPROF_LX_UNWIND_RBX_PLACE(rule->base) : 255;
	unwind_table_free(&table);
	return place;
}

/* Distances are in words. */
static void test_rbx(void)
{
	static const u8 first[] = { DW_CFA_offset + 3, 2 }, last[] = { DW_CFA_offset + 3, 15 };
	static const u8 above[] = { DW_CFA_offset + 3, 1 }, below[] = { DW_CFA_offset + 3, 17 };
	static const u8 same[] = { DW_CFA_same_value, 3 };
	static const u8 restored[] = { DW_CFA_offset + 3, 2, DW_CFA_restore + 3 };
	static const u8 in_turn[] = { DW_CFA_offset + 3, 2, DW_CFA_remember_state,
				      DW_CFA_offset + 3, 3, DW_CFA_restore_state };
	static const u8 value[] = { DW_CFA_val_offset, 3, 2 };
	static const u8 other[] = { DW_CFA_register, 3, 12 };
	static const u8 odd[] = { DW_CFA_expression, 3, 11, DW_OP_plus_uconst, 0xec, 0xff, 0xff,
				  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 };
	static const u8 computed[] = { DW_CFA_expression, 3, 2, DW_OP_lit16, DW_OP_minus };
	const u8 unknown = TPROF_LX_UNWIND_RBX_UNKNOWN;

	unit_ok(rbx_place(first, sizeof(first)) == 2 && rbx_place(last, sizeof(last)) == 15,
		"saved_rbx_has_a_place");
	unit_ok(rbx_place(above, sizeof(above)) == unknown &&
		rbx_place(below, sizeof(below)) == unknown, "rbx_saved_elsewhere_is_not_known");
	unit_ok(rbx_place(NULL, 0) == TPROF_LX_UNWIND_RBX_SAME &&
		rbx_place(same, sizeof(same)) == TPROF_LX_UNWIND_RBX_SAME &&
		rbx_place(restored, sizeof(restored)) == TPROF_LX_UNWIND_RBX_SAME,
		"rbx_that_is_not_saved_is_the_same");
	unit_ok(rbx_place(in_turn, sizeof(in_turn)) == 2, "remembered_place_of_rbx_is_restored");
	unit_ok(rbx_place(value, sizeof(value)) == unknown &&
		rbx_place(other, sizeof(other)) == unknown &&
		rbx_place(odd, sizeof(odd)) == unknown &&
		rbx_place(computed, sizeof(computed)) == unknown,
		"rbx_that_is_not_a_word_below_the_frame_is_not_known");
}

#define FUNCTION_BYTES	28

/* Describe the function at file offset @begin at @at: its CFA is rsp + @offset. */
static void put_function(const struct crafted *crafted, u8 *at, const u8 *cie, u64 begin,
			 u8 offset)
{
	const u32 words[] = { FUNCTION_BYTES - 4, at + 4 - cie };
	const u64 range[] = { crafted->segments[0].p_vaddr + begin, 16 };
	const u8 program[] = { 0, DW_CFA_def_cfa_offset, offset };

	memcpy(at, words, sizeof(words));
	memcpy(at + 8, range, sizeof(range));
	memcpy(at + 24, program, sizeof(program));
}

/* A search table leads to another description, which is hidden in the first one. */
static void test_search_table(void)
{
	const u64 begin = SIZE - 64, index = offsetof(struct crafted, index);
	struct crafted *crafted = make(0x400000, begin, 16, NULL, 0);
	const struct tprof_lx_unwind_rule *rule;
	struct unwind_table table;

	crafted->augmentation = FUNCTION_BYTES;
	put_function(crafted, crafted->program, crafted->cie, begin, 32);
	crafted->index[2] = DW_EH_PE_udata4;
	crafted->index[3] = DW_EH_PE_datarel | DW_EH_PE_sdata4;
	crafted->table[0] = 1;
	crafted->table[1] = begin - index;
	crafted->table[2] = offsetof(struct crafted, program) - index;
	unit_ok(!make_table(open_crafted(crafted), &table), "search_table_is_accepted");
	rule = unwind_table_find(&table, begin);
	unit_ok(rule && rule->offset == 8, "search_table_leads_nowhere");
	unwind_table_free(&table);
}

/*
 * Two functions: the further data of the first one are a copy of its CIE. The second one refers to
 * the copy, which no entry begins with, if @is_hidden.
 */
static int make_two(bool is_hidden, struct unwind_table *table)
{
	struct crafted *crafted = make(0x400000, SIZE - 64, 16, NULL, 0);
	u8 *copy = crafted->program, *next = copy + 32;

	crafted->augmentation = sizeof(crafted->cie);
	crafted->fde_bytes = next - (u8 *)&crafted->cie_distance;
	memcpy(copy, crafted->cie, sizeof(crafted->cie));
	put_function(crafted, next, is_hidden ? copy : crafted->cie, SIZE - 32, 32);
	return make_table(open_crafted(crafted), table);
}

static void test_hidden_cie(void)
{
	struct unwind_table table;

	unit_ok(!make_two(false, &table) && table.sources[UNWIND_EH_FRAME] == 2,
		"two_functions_have_rules");
	unwind_table_free(&table);
	unit_ok(make_two(true, &table) == -EBADMSG, "hidden_cie_is_refused");
	unwind_table_free(&table);
}

int main(void)
{
	test_plain();
	test_last_address();
	test_unwanted();
	test_memory();
	test_rbx();
	test_search_table();
	test_hidden_cie();
	return unit_exit();
}
