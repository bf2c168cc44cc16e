// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - write the first files of binary_fuzzer's corpus: binary_seeds DIR
 */
#include <dwarf.h>
#include <err.h>
#include <stdio.h>
#include <unistd.h>

#include "base/types.h"

static FILE *begin(const char *name, const char *which)
{
	FILE *file = fopen(name, "we");

	if (!file)
		err(1, "%s", name);
	fputs(which, file);
	return file;
}

/* Write a copy of SAMPLE, a small program with lines, stubs and inlined functions. */
static void write_program(const char *name, const char *which)
{
	FILE *file = begin(name, which), *from = fopen(SAMPLE, "re");
	int c;

	if (!from)
		err(1, "%s", SAMPLE);
	while ((c = fgetc(from)) != EOF)
		fputc(c, file);
	fclose(from);
	fclose(file);
}

static void write_op(FILE *file, u8 atom, u64 number)
{
	const u64 none = 0;

	fputc(atom, file);
	fwrite(&number, sizeof(number), 1, file);
	fwrite(&none, sizeof(none), 1, file);
}

/* Write the expression that the linker uses for a PLT stub. */
static void write_expression(void)
{
	FILE *file = begin("expression", "3");

	write_op(file, DW_OP_breg7, 8);
	write_op(file, DW_OP_breg16, 0);
	write_op(file, DW_OP_lit15, 0);
	write_op(file, DW_OP_and, 0);
	write_op(file, DW_OP_lit11, 0);
	write_op(file, DW_OP_ge, 0);
	write_op(file, DW_OP_lit3, 0);
	write_op(file, DW_OP_shl, 0);
	write_op(file, DW_OP_plus, 0);
	write_op(file, DW_OP_deref, 0);
	fclose(file);
}

static void write_number(FILE *file, u64 number, size_t bytes)
{
	fwrite(&number, bytes, 1, file);
}

/* Write a section .sframe of a function with two rows. */
static void write_sframe(const char *name, u8 version)
{
	static const u8 entry_bytes[] = { [1] = 17, [2] = 20, [3] = 16 };
	static const u8 rows[] = { 0, 0x03, 8, 1, 0x05, 16, 0xf0 };
	static const u8 rest_of_entry[] = { 2, 0, 0, 0, 0 };
	FILE *file = begin(name, "4");
	bool is_divided = version == 3;

	write_number(file, 0xdee2, 2);
	write_number(file, version, 2);
	write_number(file, 0xf80003, 4);
	write_number(file, 1, 4);
	write_number(file, 2, 4);
	write_number(file, sizeof(rows) + (is_divided ? sizeof(rest_of_entry) : 0), 4);
	write_number(file, 0, 4);
	write_number(file, entry_bytes[version], 4);
	write_number(file, 0x1000, is_divided ? 8 : 4);
	write_number(file, 0x40, 4);
	write_number(file, 0, 4);
	if (is_divided)
		fwrite(rest_of_entry, sizeof(rest_of_entry), 1, file);
	else
		write_number(file, 2, entry_bytes[version] - 12);
	fwrite(rows, sizeof(rows), 1, file);
	fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]))
		errx(2, "usage: binary_seeds DIR");
	write_program("file", "00");
	write_program("offsets", "01");
	write_program("elf", "1");
	write_program("code", "2");
	write_expression();
	write_sframe("sframe1", 1);
	write_sframe("sframe2", 2);
	write_sframe("sframe3", 3);
	return 0;
}
