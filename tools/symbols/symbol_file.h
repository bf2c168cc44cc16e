/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read symbols, unwind rules and source lines of an ELF file
 *
 * libdwfl finds the symbols in the file itself, in its separate debug file, or in its
 * compressed section .gnu_debugdata. If the recording has a build-id for the file, only
 * a file with this build-id is used.
 */
#ifndef TPROF_SYMBOL_FILE_H
#define TPROF_SYMBOL_FILE_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "perfdata/perfdata.h"
#include "symbols/code_units.h"
#include "symbols/kept_files.h"
#include "symbols/symtab.h"

/**
 * enum symbol_status - SYMBOL_FOUND, or the reason why an address has no symbol
 * @SYMBOL_FOUND:	the address has a symbol
 * @SYMBOL_NO_MAPPING:	no recorded mapping contains the address
 * @SYMBOL_NO_FILE:	the file does not exist
 * @SYMBOL_OTHER_BUILD:	the file is not the recorded one
 * @SYMBOL_TOO_MANY:	too many files are open
 * @SYMBOL_UNREADABLE:	the file cannot be read
 * @SYMBOL_STRIPPED:	the file has no functions
 * @SYMBOL_FOREIGN:	the perf map or jitdump file belongs to another user
 * @SYMBOL_HIDDEN:	the kernel hides its addresses
 * @SYMBOL_OTHER_KERNEL: the symbols available are those of another kernel
 * @SYMBOL_NAMELESS:	the function has a start, but no name
 * @SYMBOL_NO_FUNCTION:	no function contains the address
 * @SYMBOL_NR_STATUS:	number of these values
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
	SYMBOL_NAMELESS,
	SYMBOL_NO_FUNCTION,
	SYMBOL_NR_STATUS,
};

/*
 * Return true if the recorded build of the file was found, with or without symbols.
 */
static inline bool symbol_has_code(enum symbol_status status)
{
	return status == SYMBOL_FOUND || status == SYMBOL_STRIPPED;
}

/**
 * struct symbol_options - command-line options for symbols
 * @symfs:	prefix of the paths of binaries, or NULL
 * @vmlinux:	the kernel's ELF file, or NULL
 * @kallsyms:	a copy of /proc/kallsyms, or NULL for /proc/kallsyms
 * @no_demangle: do not demangle names
 * @no_debuginfod: do not download files from debuginfod servers
 * @inlines:	show inlined functions as frames
 * @kept:	binaries that are open, or NULL; they take precedence over files at paths
 * @only_kept:	look up functions of no other binaries
 */
struct symbol_options {
	const char *symfs;
	const char *vmlinux;
	const char *kallsyms;
	bool	no_demangle;
	bool	no_debuginfod;
	bool	inlines;
	const struct kept_files *kept;
	bool	only_kept;
};

/**
 * enum symbol_addresses - the kind of addresses that a struct symtab has
 */
enum symbol_addresses {
	SYMBOL_ADDRESS_OFFSET,	/* file offset */
	SYMBOL_ADDRESS_VIRTUAL,	/* link-time address */
};

/**
 * struct symbol_file - an open ELF file; while the names of its symbols are in use, it
 *	must stay open, and the struct must stay at its address
 * @dwfl:	libdwfl's session, or NULL
 * @module:	the file in @dwfl
 * @addresses:	kind of addresses of its symbols
 * @moved:	for SYMBOL_ADDRESS_VIRTUAL: (address of a symbol) - (its link-time
 *		address)
 * @plt:	names of PLT stubs
 * @units:	compilation units with lines
 * @debug_path:	search path for debug files
 * @callbacks:	libdwfl's callbacks, which search @debug_path
 */
struct symbol_file {
	Dwfl	*dwfl;
	Dwfl_Module *module;
	enum symbol_addresses addresses;
	u64	moved;
	struct arena plt;
	struct code_units units;
	char	*debug_path;
	Dwfl_Callbacks callbacks;
};

bool symbol_file_is_elf(const char *path);
enum symbol_status symbol_file_load(struct symbol_file *file, const char *path,
				    const struct build_id *build_id,
				    const struct symbol_options *options,
				    enum symbol_addresses addresses, struct symtab *symtab);
enum symbol_status symbol_file_load_vdso(struct symbol_file *file,
					 const struct build_id *build_id, struct symtab *symtab);
Dwarf_Frame *symbol_file_rules(struct symbol_file *file, u64 addr);
u64 symbol_file_code_len(struct symbol_file *file, u64 addr, u64 len);
const u8 *symbol_file_bytes(struct symbol_file *file, u64 addr, size_t len);
bool symbol_file_linked(struct symbol_file *file, u64 addr, u64 *linked);
bool symbol_file_unlinked(struct symbol_file *file, u64 linked, u64 *addr);
void symbol_file_close(struct symbol_file *file);

#endif /* TPROF_SYMBOL_FILE_H */
