/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the machine code of a function
 *
 * Code is taken from the file that has the symbols: the binary, the vmlinux that the user
 * names, or a jitdump file. Without a vmlinux, code of the kernel and of modules is taken from
 * the recording or, if it has none, from the running kernel, if that is the recorded one.
 *
 * Code of the running kernel is read from /proc/kcore, as it was patched at run time, and only
 * if the build-id is the recorded one. The file of a module has addresses of its own, so
 * modules are read there, too.
 */
#ifndef TPROF_CODE_SOURCE_H
#define TPROF_CODE_SOURCE_H

#include "code/instruction.h"
#include "symbols/object.h"
#include "symbols/symbol_sources.h"

/* Maximum length of a function. Larger ones are made up, or tables of data. */
#define CODE_MAX		(16U << 20)

/**
 * enum code_status - CODE_FOUND, or the reason why a function has no code
 * @CODE_FOUND:		the code was found
 * @CODE_NO_FILE:	the recorded build of the binary is missing
 * @CODE_OTHER_KERNEL:	the running kernel is not the recorded one
 * @CODE_DENIED:	the caller may not read the kernel's memory
 * @CODE_NONE:		no file has the code, as with perf maps
 * @CODE_UNREADABLE:	the file has no such code, or cannot be read
 * @CODE_TOO_LARGE:	the function is larger than CODE_MAX
 * @CODE_NO_MEMORY:	memory ran out
 * @CODE_NR_STATUS:	number of these values
 */
enum code_status {
	CODE_FOUND,
	CODE_NO_FILE,
	CODE_OTHER_KERNEL,
	CODE_DENIED,
	CODE_NONE,
	CODE_UNREADABLE,
	CODE_TOO_LARGE,
	CODE_NO_MEMORY,
	CODE_NR_STATUS,
};

/**
 * struct function_code - the machine code of a function
 * @code:	the code. Its address is the link-time address in files, and the recorded
 *		address in the kernel and in JIT-compiled functions
 * @moved:	(address in @code) - (address of the same byte in its struct object)
 * @memory:	memory of the bytes, NULL if they are in an open file
 */
struct function_code {
	struct machine_code code;
	u64	moved;
	u8	*memory;
};

enum code_status code_find(struct symbol_sources *sources, struct object *object,
			   const struct symbol *symbol, struct function_code *found);
u64 code_address(struct object *object, const struct symbol *symbol);
bool code_object_addr(struct object *object, const struct function_code *found, u64 addr,
		      u64 *object_addr);
void code_free(struct function_code *found);

#endif /* TPROF_CODE_SOURCE_H */
