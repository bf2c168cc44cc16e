// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - rules of stubs that no section describes
 *
 * A call has pushed its return address when its stub begins. So a rule is right if it adds that,
 * and what the stub has pushed, to rsp.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "unwind/object.h"

#define FUNCTION	".text; .globl _start; _start: .cfi_startproc; ret; .cfi_endproc; .zero 64;"
#define STUBS		".section stubs, \"ax\", @progbits; .balign 16;"
#define FIRST		"push 8(%rip); jmp *16(%rip); .balign 16;"
#define LAZY		"jmp *32(%rip); push $0x10000; jmp .; .balign 16;"
#define LAZY_ENDBR	"endbr64; push $0x10000; jmp .; .balign 16;"
#define SHORT		"jmp *32(%rip); xchg %ax, %ax;"
#define LONG_ENDBR	"endbr64; jmp *32(%rip); .balign 16;"

static char dir[] = "/tmp/unwind-stubs-XXXXXX";

static void must(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	if (system(command))
		abort();
}

/**
 * struct binary - a binary with stubs
 * @table:	its table, or empty
 * @stubs:	file offset of its stubs
 * @size:	their length
 * @err:	why there is no table
 */
struct binary {
	struct unwind_table table;
	u64	stubs;
	u64	size;
	int	err;
};

static void find_section(int fd, const char *name, struct binary *binary)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		abort();
	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) &&
		    !strcmp(elf_strptr(elf, names, header.sh_name), name)) {
			binary->stubs = header.sh_offset;
			binary->size = header.sh_size;
		}
	}
	elf_end(elf);
}

static struct binary open_binary(const char *section)
{
	struct binary binary = { 0 };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/binary", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	find_section(fd, section, &binary);
	binary.err = unwind_object(fd, NULL, &binary.table);
	close(fd);
	return binary;
}

/* ld fills sections of these names itself. So @section gets its name afterwards. */
static struct binary assemble(const char *source, const char *section)
{
	char command[1024];

	snprintf(command, sizeof(command), "echo '%s' | as -o binary.o -", source);
	must(command);
	must("ld --build-id binary.o -o binary");
	snprintf(command, sizeof(command), "objcopy --rename-section stubs=%s binary", section);
	must(command);
	return open_binary(section);
}

/* Return the distance of the CFA from rsp in the stubs, or 0 if it is unknown. */
static s32 distance_at(const struct binary *binary, u64 offset)
{
	u64 at = binary->stubs + offset;
	const struct tprof_lx_unwind_rule *rule = unwind_table_find(&binary->table, at);

	if (!rule || rule->rbp != TPROF_LX_UNWIND_RBP_SAME ||
	    TPROF_LX_UNWIND_RBX_PLACE(rule->base) != TPROF_LX_UNWIND_RBX_SAME)
		return 0;
	if (rule->how == TPROF_LX_UNWIND_PLT)
		return at % 16 >= rule->offset ? 16 : 8;
	if (rule->how != TPROF_LX_UNWIND_CFA ||
	    TPROF_LX_UNWIND_REGISTER(rule->base) != TPROF_LX_UNWIND_RSP)
		return 0;
	return rule->offset;
}

/* Instructions begin at the offsets in @at. */
static bool has_distances(struct binary *binary, size_t nr, const u8 (*at)[2])
{
	bool is_same = !binary->err;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (distance_at(binary, at[i][0]) == at[i][1])
			continue;
		printf("# CFA is rsp+%d at %u, not rsp+%u\n", distance_at(binary, at[i][0]),
		       at[i][0], at[i][1]);
		is_same = false;
	}
	unwind_table_free(&binary->table);
	return is_same;
}

#define HAS_DISTANCES(binary, at)	has_distances(binary, sizeof(at) / 2, at)

static void test_forms(void)
{
	static const u8 lazy[][2] = {
		{ 0, 16 }, { 6, 24 }, { 16, 8 }, { 22, 8 }, { 27, 16 }, { 32, 8 }, { 43, 16 },
	};
	static const u8 lazy_endbr[][2] = {
		{ 0, 16 }, { 6, 24 }, { 16, 8 }, { 20, 8 }, { 25, 16 },
	};
	static const u8 without_first[][2] = { { 0, 8 }, { 16, 8 } };
	static const u8 of_8_bytes[][2] = { { 0, 8 }, { 8, 8 }, { 16, 8 } };
	static const u8 endbr[][2] = { { 0, 8 }, { 4, 8 }, { 16, 8 }, { 20, 8 } };
	struct binary binary;

	binary = assemble(FUNCTION STUBS FIRST LAZY LAZY, ".plt");
	unit_ok(HAS_DISTANCES(&binary, lazy), "lazy_stubs_have_rules");
	binary = assemble(FUNCTION STUBS FIRST LAZY_ENDBR, ".plt");
	unit_ok(HAS_DISTANCES(&binary, lazy_endbr), "lazy_stubs_with_endbr64_have_rules");
	binary = assemble(FUNCTION STUBS LAZY LAZY, ".iplt");
	unit_ok(HAS_DISTANCES(&binary, without_first), "stubs_of_lld_without_libraries_have_rules");
	binary = assemble(FUNCTION STUBS SHORT SHORT SHORT, ".plt.got");
	unit_ok(HAS_DISTANCES(&binary, of_8_bytes), "stubs_of_8_bytes_have_rules");
	binary = assemble(FUNCTION STUBS LONG_ENDBR LONG_ENDBR, ".plt.sec");
	unit_ok(HAS_DISTANCES(&binary, endbr), "stubs_with_endbr64_have_rules");
}

/* The rules of .eh_frame are what the compiler says, whatever the name of its section is. */
static void test_described(void)
{
	static const u8 described[][2] = { { 0, 8 }, { 1, 16 } };
	struct binary binary;

	binary = assemble(FUNCTION STUBS ".cfi_startproc; push %rbx;"
			  ".cfi_def_cfa_offset 16; nop; ret; .cfi_endproc; .zero 16", ".plt");
	unit_ok(HAS_DISTANCES(&binary, described), "section_that_describes_stubs_goes_before");
	binary = assemble(".globl _start; _start: ret;" STUBS FIRST LAZY, ".plt");
	unit_ok(binary.err == -ENODATA, "stubs_alone_make_no_table");
	unwind_table_free(&binary.table);
	binary = assemble(FUNCTION STUBS SHORT SHORT, ".other");
	unit_ok(!binary.err && !distance_at(&binary, 0), "other_sections_have_no_stubs");
	unwind_table_free(&binary.table);
}

/* memcpy() and others are chosen at the start. Each stub has 8 or 16 bytes. */
static void test_static(void)
{
	bool has_rules = true;
	struct binary binary;
	u64 at;

	must("echo 'int main(void) { return 0; }' >main.c && gcc -static -o binary main.c");
	binary = open_binary(".plt");
	for (at = 0; at < binary.size; at += 16)
		has_rules &= distance_at(&binary, at) == 8;
	unit_ok(!binary.err && binary.size && has_rules && binary.table.sources[UNWIND_STUBS] == 1,
		"stubs_of_static_programs_have_rules");
	unwind_table_free(&binary.table);
}

int main(void)
{
	elf_version(EV_CURRENT);
	if (!mkdtemp(dir))
		abort();
	test_forms();
	test_described();
	test_static();
	must("rm -r \"$PWD\"");
	return unit_exit();
}
