// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - write the first files of files_fuzzer's corpus: files_seeds DIR
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"

static FILE *begin(const char *name, char which)
{
	FILE *file = fopen(name, "we");

	if (!file)
		err(1, "%s", name);
	fputc(which, file);
	return file;
}

/* Write a jitdump as JIT compilers do: a header, a function, and a move of the function. */
static void write_dump(void)
{
	static const char name[] = "function", code[16];
	const u32 header[] = { 0x4a695444, 1, 40, 62, 0, 1234, 1, 0, 0, 0 };
	const u32 load_size = 16 + 40 + sizeof(name) + sizeof(code);
	const u32 load[] = { 0, load_size, 2, 0, 1234, 1235, 0x1000, 0, 0x1000, 0,
			     sizeof(code), 0, 7, 0 };
	const u32 move[] = { 1, 16 + 48, 3, 0, 1234, 1235, 0x1000, 0, 0x1000, 0,
			     0x2000, 0, sizeof(code), 0, 7, 0 };
	FILE *file = begin("dump", 0);

	fwrite(header, sizeof(header), 1, file);
	fwrite(load, sizeof(load), 1, file);
	fwrite(name, sizeof(name), 1, file);
	fwrite(code, sizeof(code), 1, file);
	fwrite(move, sizeof(move), 1, file);
	fclose(file);
}

static void write_text(const char *name, char which, const char *text)
{
	FILE *file = begin(name, which);

	fputs(text, file);
	fclose(file);
}

/*
 * Write a certificate with version, serial number, algorithm and issuer, and then a
 * signature with the same serial number and issuer.
 */
static void write_signed(void)
{
	static const u8 certificate[] = {
		0x30, 0x81, 20, 0x30, 18, 0xa0, 3, 2, 1, 2, 2, 2, 0x12, 0x34,
		0x30, 2, 5, 0, 0x30, 3, 0x0c, 1, 'x',
	};
	static const u8 signature[] = { 1, 0x30, 3, 0x0c, 1, 'x', 2, 2, 0x12, 0x34, 1 };
	FILE *file = begin("signed", 4);

	fputc(sizeof(certificate), file);
	fwrite(certificate, sizeof(certificate), 1, file);
	fwrite(signature, sizeof(signature), 1, file);
	fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]))
		errx(2, "usage: files_seeds DIR");
	write_dump();
	write_text("map", 1, "1000 20 first\n1020 8 a name, with blanks\n");
	write_text("kallsyms", 2,
		   "ffffffff81000000 T _text\nffffffff81000010 t first\n"
		   "ffffffff81000100 T _etext\nffffffffc0000000 t of\t[module]\n");
	write_text("maps", 3,
		   "00400000-00401000 r-xp 00001000 08:01 1234      /bin/a name\n"
		   "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]\n"
		   "7f0000000000-7f0000001000 rw-s 00000000 00:00 0 ");
	write_signed();
	return 0;
}
