// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - files by which functions get names, without being binaries
 *
 * The first byte says which: a jitdump or a perf map, which anybody can have put
 * where they are, or a copy of /proc/kallsyms.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzzer.h"
#include "jit_dump.h"
#include "kernel_symbols.h"
#include "perf_map.h"

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
	struct symtab symtab = { 0 };
	struct names names = { 0 };

	if (jit_dump_load(path, 0, &names, &symtab, &loads) == SYMBOL_FOUND)
		look_up(&symtab);
	for (size_t i = 1; i < loads.nr; i++) {
		if (loads.list[i].time < loads.list[i - 1].time)
			abort();
	}
	jit_loads_free(&loads);
	symtab_free(&symtab);
	names_free(&names);
}

static void load_map(const char *path)
{
	struct symtab symtab = { 0 };
	struct names names = { 0 };

	if (perf_map_load(path, &names, &symtab) == SYMBOL_FOUND)
		look_up(&symtab);
	symtab_free(&symtab);
	names_free(&names);
}

static void load_kallsyms(const char *path)
{
	const struct symbol_options options = { .kallsyms = path };
	struct kernel_symbols kernel = { .text = 0xffffffff81000000 };

	kernel_symbols_load(&kernel, &options);
	look_up(&kernel.symtab);
	kernel_symbols_free(&kernel);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	const char *path;

	if (!len)
		return 0;
	path = fuzzer_file(data + 1, len - 1);
	switch (data[0] % 3) {
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
