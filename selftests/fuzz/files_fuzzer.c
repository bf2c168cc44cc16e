// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - all files that the tools parse, except recordings and binaries
 *
 * The first byte of an input selects the format of the rest:
 *   - a jitdump or a perf map, which any user can create
 *   - /proc/kallsyms
 *   - /proc/PID/maps, in which any user can choose file names
 *   - the length of a certificate in one byte, the certificate, and a signature
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/certificate.h"
#include "fuzzer.h"
#include "live/procfs.h"
#include "symbols/jit_dump.h"
#include "symbols/kernel_symbols.h"
#include "symbols/perf_map.h"

static void look_up(const struct symtab *symtab)
{
	for (size_t i = 0; i < symtab->nr; i++)
		symtab_find(symtab, symtab->symbols[i].start);
	symtab_find(symtab, 0);
	symtab_find(symtab, ~0ULL);
}

static void load_dump(const char *path)
{
	struct jit_loads loads = { 0 };
	struct jit_lines lines = { 0 };
	struct symtab symtab = { 0 };
	struct interned names = { 0 };

	if (jit_dump_load(path, 0, &names, &symtab, &loads, &lines) == SYMBOL_FOUND)
		look_up(&symtab);
	for (size_t i = 1; i < loads.nr; i++) {
		if (loads.list[i].time < loads.list[i - 1].time)
			abort();
	}
	for (size_t i = 1; i < lines.nr; i++) {
		if (jit_lines_find(&lines, lines.list[i].addr)->addr != lines.list[i].addr)
			abort();
	}
	jit_loads_free(&loads);
	jit_lines_free(&lines);
	symtab_free(&symtab);
	interned_free(&names);
}

static void load_map(const char *path)
{
	struct symtab symtab = { 0 };
	struct interned names = { 0 };

	if (perf_map_load(path, &names, &symtab) == SYMBOL_FOUND)
		look_up(&symtab);
	symtab_free(&symtab);
	interned_free(&names);
}

static void load_kallsyms(const char *path)
{
	const struct symbol_options options = { .kallsyms = path };
	struct kernel_symbols kernel = { .text = 0xffffffff81000000 };

	kernel_symbols_load(&kernel, &options);
	look_up(&kernel.symtab);
	kernel_symbols_free(&kernel);
}

/*
 * The length of a parsed mapping must not be 0, and its name must have between 1 and
 * strlen(line) + strlen("//anon") characters.
 */
static void parse_maps(const u8 *data, size_t len)
{
	char *text = strndup((const char *)data, len), *rest = text, *line;
	struct mapping map;
	size_t line_len;

	while ((line = strsep(&rest, "\n"))) {
		line_len = strlen(line);
		if (!procfs_parse_map(line, &map))
			continue;
		if (!map.len || !*map.name || strlen(map.name) > line_len + strlen("//anon"))
			abort();
	}
	free(text);
}

static void *copy_of(const u8 *data, size_t len)
{
	void *copy = malloc(len);

	if (!copy)
		abort();
	return memcpy(copy, data, len);
}

/*
 * Copy the certificate and the signature to heap blocks of exactly their sizes, so that
 * AddressSanitizer reports a read beyond the end. A signature contains the issuer and
 * the serial number, which have at least 2 bytes each. So a signature shorter than 4
 * bytes must not match.
 */
static void look_for_signer(const u8 *data, size_t len)
{
	size_t own = len && data[0] < len ? data[0] : 0;
	void *certificate, *signature;

	if (!own)
		return;
	certificate = copy_of(data + 1, own);
	signature = copy_of(data + 1 + own, len - 1 - own);
	if (certificate_has_signed(certificate, own, signature, len - 1 - own) &&
	    len - 1 - own < 4)
		abort();
	free(certificate);
	free(signature);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	const char *path;

	if (!len)
		return 0;
	if (data[0] % 5 == 3)
		parse_maps(data + 1, len - 1);
	if (data[0] % 5 == 4)
		look_for_signer(data + 1, len - 1);
	if (data[0] % 5 > 2)
		return 0;
	path = fuzzer_file(data + 1, len - 1);
	switch (data[0] % 5) {
	case 0:
		load_dump(path);
		break;
	case 1:
		load_map(path);
		break;
	default:
		load_kallsyms(path);
	}
	return 0;
}
