// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - find the code of a kernel module in /proc/kallsyms
 */
#include <stdlib.h>

#include "fuzz/module_text.h"
#include "unit.h"

/* The data of tprof_lx is behind the code of another module, as it may be since 6.4. */
static char symbols[] =
	"ffffffff81000000 T _text\n"
	"ffffffffc0a00000 t other_init\t[tprof_lx_fake]\n"
	"ffffffffc0b02010 t late\t[tprof_lx]\n"
	"ffffffffc0b00040 T early\t[tprof_lx]\n"
	"ffffffffc0b01000 W weak\t[tprof_lx]\n"
	"ffffffffc0b08000 t neighbour\t[loop]\n"
	"ffffffffc0c00000 d data\t[tprof_lx]\n"
	"ffffffffc0c01000 r constants\t[tprof_lx]\n";

/* The line of /proc/kallsyms as an unprivileged user reads it. */
static char hidden[] = "0000000000000000 t late\t[tprof_lx]\n";

static int look(char *text, const char *module, __u64 *begin, __u64 *end)
{
	FILE *file = fmemopen(text, strlen(text), "r");
	int err;

	if (!file)
		abort();
	err = module_text(file, module, begin, end);
	fclose(file);
	return err;
}

int main(void)
{
	__u64 begin, end;

	unit_ok(!look(symbols, "tprof_lx", &begin, &end) && begin == 0xffffffffc0b00040,
		"the code begins at the lowest function");
	unit_ok(end == 0xffffffffc0b04000, "the code ends a page after the last function's page");
	unit_ok(look(symbols, "tprof", &begin, &end) == -ENOENT,
		"a module that is not loaded has no code");
	unit_ok(look(hidden, "tprof_lx", &begin, &end) == -ENOENT,
		"hidden addresses are not taken for code");
	return unit_exit();
}
