// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - options shared by the commands that look up symbols
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"
#include "symbols/kernel_symbols.h"

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * Check that the files of the symbol options can be read, and are what they should be. Return
 * STATUS_OK, or print a message and return STATUS_FAILED.
 */
int symbol_options_check(const char *command, const struct symbol_options *options)
{
	const char *const paths[] = { options->symfs, options->vmlinux, options->kallsyms };
	struct message message;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		if (paths[i] && access(paths[i], R_OK))
			return say_error("%s: %s: %s", command, printable(paths[i]),
					 strerror(errno));
	}
	if (options->symfs && !is_directory(options->symfs))
		return say_error("%s: --symfs %s is no directory; give the root of a file system",
				 command, printable(options->symfs));
	if (options->vmlinux && !symbol_file_is_elf(options->vmlinux))
		return say_error("%s: --vmlinux %s is no ELF file; give the uncompressed vmlinux",
				 command, printable(options->vmlinux));
	if (options->kallsyms && kallsyms_check(options->kallsyms, &message))
		return say_error("%s: --kallsyms %s: %s", command, printable(options->kallsyms),
				 message.text);
	return STATUS_OK;
}
