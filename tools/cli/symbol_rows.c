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

/*
 * Check that the file of --vmlinux had the symbols of the kernel that @input was recorded on,
 * as far as they were looked up. Return STATUS_OK, or print a message and return STATUS_FAILED.
 */
int symbol_options_check_used(const struct symbol_options *options,
			      const struct kernel_symbols *kernel, const char *input)
{
	if (!options->vmlinux || !kernel->loaded)
		return STATUS_OK;
	if (kernel->kernel == SYMBOL_OTHER_BUILD)
		return say_error("--vmlinux %s is not of the kernel of %s; give the vmlinux of that build",
				 printable(options->vmlinux), printable(input));
	if (kernel->kernel == SYMBOL_STRIPPED)
		return say_error("--vmlinux %s has no functions; give the one with debug information",
				 printable(options->vmlinux));
	return STATUS_OK;
}
