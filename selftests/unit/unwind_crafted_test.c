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
 * @index:	.eh_frame_hdr without a search table: where .eh_frame is
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
	u8		index[12];
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
		  .p_vaddr = addr + index, .p_filesz = sizeof(crafted->index) },
	};

	memcpy(crafted->segments, segments, sizeof(segments));
}

static void set_frames(struct crafted *crafted, u64 addr, u64 begin, u64 len)
{
	static const u8 index[8] = {
		1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_omit, DW_EH_PE_omit, 8,
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
 * Return a descriptor of a binary at @addr. Its function is at file offset @begin, has @len bytes,
 * and is described by @program, which is repeated.
 */
static int craft(u64 addr, u64 begin, u64 len, const void *program, size_t bytes)
{
	int fd = memfd_create("crafted", MFD_CLOEXEC);
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
	if (fd < 0 || write(fd, file, SIZE) != (ssize_t)SIZE)
		abort();
	free(file);
	return fd;
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

int main(void)
{
	test_plain();
	test_last_address();
	test_unwanted();
	return unit_exit();
}
