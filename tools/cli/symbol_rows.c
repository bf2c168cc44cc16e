// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - options shared by the commands that look up symbols
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/symbol_rows.h"

/*
 * Check that the files of the symbol options can be read. Return STATUS_OK, or print a
 * message and return STATUS_FAILED.
 */
int symbol_options_check(const char *command, const struct symbol_options *options)
{
	const char *const paths[] = { options->symfs, options->vmlinux, options->kallsyms };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		if (paths[i] && access(paths[i], R_OK))
			return say_error("%s: %s: %s", command, paths[i], strerror(errno));
	}
	return STATUS_OK;
}
