/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the symbols of an ELF file
 *
 * From the file itself, from the debug file that belongs to it, or from the
 * small table within it (.gnu_debugdata), whichever libdwfl finds. Where the
 * recording knows the build, a file of another one is never used.
 */
#ifndef TPROF_SYMBOL_FILE_H
#define TPROF_SYMBOL_FILE_H

#include <elfutils/libdwfl.h>

#include "perfdata/perfdata.h"
#include "symbols/symtab.h"

/**
 * enum symbol_status - has an address a symbol, and if not, why?
 */
enum symbol_status {
	SYMBOL_FOUND,
	SYMBOL_NO_MAPPING,
	SYMBOL_NO_FILE,
	SYMBOL_OTHER_BUILD,
	SYMBOL_TOO_MANY,
	SYMBOL_UNREADABLE,
	SYMBOL_STRIPPED,
	SYMBOL_FOREIGN,
	SYMBOL_HIDDEN,
	SYMBOL_OTHER_KERNEL,
	SYMBOL_NO_FUNCTION,
	SYMBOL_NR_STATUS,
};

/* Is there a file, of the build that was recorded, whatever its symbols are? */
static inline bool symbol_has_code(enum symbol_status status)
{
	return status == SYMBOL_FOUND || status == SYMBOL_STRIPPED;
}

/**
 * struct symbol_options - where symbols may be taken from
 * @symfs:	directory that files are in, or NULL
 * @vmlinux:	the kernel's file, or NULL
 * @kallsyms:	a copy of /proc/kallsyms, or NULL for this machine's
 * @no_demangle: names are wanted as the linker knows them
 * @no_debuginfod: nothing is to be fetched from servers
 * @inlines:	functions that were inlined are frames, too
 */
struct symbol_options {
	const char *symfs;
	const char *vmlinux;
	const char *kallsyms;
	bool	no_demangle;
	bool	no_debuginfod;
	bool	inlines;
};

/**
 * enum symbol_addresses - how addresses are counted
 */
enum symbol_addresses {
	SYMBOL_ADDRESS_OFFSET,	/* where the code is in the file */
	SYMBOL_ADDRESS_VIRTUAL,	/* where the linker put it */
};

/**
 * struct symbol_file - what must stay open, and where it is, as long as the
 *	names are used
 * @dwfl:	libdwfl's session, or NULL
 * @module:	the file in it
 * @addresses:	how its addresses are counted
 * @moved:	added to those that the linker gave
 * @plt:	the names of stubs that call into libraries
 * @debug_path:	where debug files are looked for
 * @callbacks:	how @dwfl does that
 */
struct symbol_file {
	Dwfl	*dwfl;
	Dwfl_Module *module;
	enum symbol_addresses addresses;
	u64	moved;
	struct interned plt;
	char	*debug_path;
	Dwfl_Callbacks callbacks;
};

enum symbol_status symbol_file_load(struct symbol_file *file, const char *path,
				    const struct build_id *build_id,
				    const struct symbol_options *options,
				    enum symbol_addresses addresses, struct symtab *symtab);
enum symbol_status symbol_file_load_vdso(struct symbol_file *file,
					 const struct build_id *build_id, struct symtab *symtab);
Dwarf_Frame *symbol_file_rules(struct symbol_file *file, u64 addr);
const char *symbol_file_line(struct symbol_file *file, u64 addr, int *line);
int symbol_file_each_inline(struct symbol_file *file, u64 addr,
			    int (*visit)(void *arg, const char *name), void *arg);
void symbol_file_close(struct symbol_file *file);

#endif /* TPROF_SYMBOL_FILE_H */
