// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - .sframe as a source of unwind tables
 *
 * The assembler describes the same code in .eh_frame, which is the oracle for its .sframe.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "same_table.h"
#include "unit.h"
#include "unwind/object.h"
#include "unwind/sframe.h"

#define SOURCE_X	\
	"long leaf(long a) { volatile long b[40] = { a }; return b[3]; }\n" \
	"long twice(long a, long b) { return leaf(a) * leaf(b) + leaf(a * b) + a; }\n"

/* With a call through a PLT, which the linker describes */
#define SOURCE_Y	\
	"long twice(long a, long b);\n" \
	"__attribute__((visibility(\"default\"))) long other(long);\n" \
	"long many(long n) { long s = 0; while (n--) s ^= twice(n, s) + other(n); return s; }\n"

#define COMPILE	\
	"gcc -O1 -fno-omit-frame-pointer -fno-inline -fPIC -fvisibility=hidden " \
	"-fasynchronous-unwind-tables -S x.c y.c"

#define ASSEMBLE	\
	"for i in x y; do as -o $i-frames.o $i.s; " \
	"sed '1i .cfi_sections .sframe' $i.s | as -o $i-sframe.o - && " \
	"sed '1i .cfi_sections .eh_frame, .sframe' $i.s | as -o $i-both.o - || exit 1; done"

#define LINK	"gcc -shared -nostdlib -Wl,--build-id -o "

static char dir[] = "/tmp/unwind-sframe-XXXXXX";

static int sh(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	return system(command);
}

static void must(const char *what)
{
	if (sh(what))
		abort();
}

/* Make binaries whose functions are in .eh_frame, in .sframe, in both, or some in each. */
static void make_binaries(void)
{
	must("cat >x.c <<'END'\n" SOURCE_X "END");
	must("cat >y.c <<'END'\n" SOURCE_Y "END");
	must(COMPILE);
	must(ASSEMBLE);
	must("for i in frames sframe both; do " LINK "$i x-$i.o y-$i.o || exit 1; done");
	must(LINK "few x-frames.o y-sframe.o");
}

static int open_binary(const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_CLOEXEC);
}

static int make_table(const char *name, struct unwind_table *table)
{
	int fd = open_binary(name, O_RDONLY), err = unwind_object(fd, NULL, table);

	close(fd);
	return err;
}

/* Return how the rule of a PLT, or another one, finds the frame at @offset. */
static struct tprof_lx_unwind_rule plain_rule(const struct unwind_table *table, u64 offset)
{
	const struct tprof_lx_unwind_rule *rule = unwind_table_find(table, offset);
	struct tprof_lx_unwind_rule plain = { .how = 255 };

	if (rule)
		plain = *rule;
	/* .sframe does not say where rbx is. */
	plain.base = TPROF_LX_UNWIND_REGISTER(plain.base);
	if (plain.how != TPROF_LX_UNWIND_PLT)
		return plain;
	plain.how = TPROF_LX_UNWIND_CFA;
	plain.base = TPROF_LX_UNWIND_RSP;
	plain.offset = offset % 16 >= rule->offset ? 16 : 8;
	return plain;
}

/* Compare a table with the one from .eh_frame, byte by byte of the code. */
static bool is_oracle(const char *name)
{
	struct tprof_lx_unwind_rule expected, seen;
	struct unwind_table oracle, table;
	bool is_same = !make_table("frames", &oracle) && !make_table(name, &table) &&
		       table.nr_rows >= 10;
	u64 offset;

	for (offset = 0; is_same && offset < UNWIND_PAGE; offset++) {
		expected = plain_rule(&oracle, offset);
		seen = plain_rule(&table, offset);
		is_same = !memcmp(&expected, &seen, sizeof(seen));
		if (!is_same)
			printf("# %s at %#llx: %u %u%+d %d, not %u %u%+d %d\n", name, offset,
			       seen.how, seen.base, seen.offset, seen.rbp, expected.how,
			       expected.base, expected.offset, expected.rbp);
	}
	unwind_table_free(&oracle);
	unwind_table_free(&table);
	return is_same;
}

static u64 count_rules(const struct unwind_table *table, u8 how)
{
	u64 nr = 0;
	u32 i;

	for (i = 0; i < table->nr_rows; i++)
		nr += table->rules[table->rows[i].rule].how == how;
	return nr;
}

/* If .eh_frame has a function, its rule for the PLT is taken, not the blocks of .sframe. */
static void test_order(void)
{
	struct unwind_table both, sframe, few;

	make_table("both", &both);
	make_table("sframe", &sframe);
	make_table("few", &few);
	unit_ok(count_rules(&both, TPROF_LX_UNWIND_PLT) &&
		!count_rules(&sframe, TPROF_LX_UNWIND_PLT), "eh_frame_goes_before_sframe");
	unit_ok(both.sources[UNWIND_EH_FRAME] && !both.sources[UNWIND_SFRAME] &&
		!sframe.sources[UNWIND_EH_FRAME] && sframe.sources[UNWIND_SFRAME] &&
		few.sources[UNWIND_EH_FRAME] && few.sources[UNWIND_SFRAME] &&
		!few.sources[UNWIND_DEBUG_FRAME], "a_table_counts_its_ranges_by_source");
	unwind_table_free(&both);
	unwind_table_free(&sframe);
	unwind_table_free(&few);
}

/* Write @byte to the section of a copy of a binary. Return the error of its table. */
static int change(const char *name, u64 at, u8 byte, struct unwind_table *table)
{
	char command[128];
	GElf_Phdr header;
	size_t nr, i;
	Elf *elf;
	int fd;

	snprintf(command, sizeof(command), "cp %s changed", name);
	must(command);
	fd = open_binary("changed", O_RDWR);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getphdrnum(elf, &nr))
		abort();
	for (i = 0; i < nr; i++) {
		gelf_getphdr(elf, i, &header);
		if (header.p_type == SFRAME_SEGMENT &&
		    pwrite(fd, &byte, 1, header.p_offset + at) != 1)
			abort();
	}
	elf_end(elf);
	close(fd);
	return make_table("changed", table);
}

static void test_refused(void)
{
	const size_t version = 2, nr_functions = 11;
	struct unwind_table table;

	unit_ok(change("sframe", version, 77, &table) == -ENOTSUP,
		"only_an_sframe_of_an_unknown_version_is_an_error");
	unwind_table_free(&table);
	unit_ok(change("sframe", nr_functions, 77, &table) == -EBADMSG,
		"only_a_damaged_sframe_is_an_error");
	unwind_table_free(&table);
	unit_ok(!change("both", version, 77, &table) && table.losses[UNWIND_SFRAME_UNKNOWN] == 1,
		"an_unknown_sframe_beside_eh_frame_is_a_loss");
	unwind_table_free(&table);
	unit_ok(!change("both", nr_functions, 77, &table) &&
		table.losses[UNWIND_SFRAME_DAMAGED] == 1,
		"a_damaged_sframe_beside_eh_frame_is_a_loss");
	unwind_table_free(&table);
}

int main(void)
{
	elf_version(EV_CURRENT);
	if (!mkdtemp(dir))
		abort();
	if (sh("echo '.cfi_sections .sframe' | as -o probe.o - 2>probe.log")) {
		unit_skip("sframe_gives_the_rules_of_eh_frame", "as does not know .sframe");
	} else {
		make_binaries();
		unit_ok(is_oracle("sframe"), "sframe_gives_the_rules_of_eh_frame");
		unit_ok(is_oracle("few"), "sframe_has_what_eh_frame_does_not");
		test_order();
		test_refused();
	}
	must("rm -r \"$PWD\"");
	return unit_exit();
}
