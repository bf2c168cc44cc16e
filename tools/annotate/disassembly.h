/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - disassemble functions, by objdump(1) if Zydis does not know all of one
 */
#ifndef TPROF_DISASSEMBLY_H
#define TPROF_DISASSEMBLY_H

#include "annotate/hot_functions.h"
#include "base/message.h"
#include "code/code_source.h"
#include "code/decode.h"

/**
 * struct disassembly - the disassemblers, and what objdump has made in advance
 * @sources:	sources of symbols and code
 * @decoder:	Zydis
 * @functions:	all functions that will be disassembled
 * @nr:		number of @functions
 * @objdump:	the program; "objdump" is looked up in $PATH
 * @is_forced:	disassemble all functions by @objdump
 * @failure:	-errno if @objdump cannot be used, else 0
 * @nr_unknown:	number of bytes that are shown as .byte
 * @done:	instructions from objdump, by function
 */
struct disassembly {
	struct symbol_sources *sources;
	struct decoder decoder;
	struct hot_function *const *functions;
	size_t	nr;
	const char *objdump;
	bool	is_forced;
	int	failure;
	u64	nr_unknown;
	struct hash_table done;
};

int disassemble(struct disassembly *all, const struct hot_function *function,
		const struct function_code *code, struct instructions *out);
bool disassembly_complain(const struct disassembly *all, struct message *message);
void disassembly_free(struct disassembly *all);

#endif /* TPROF_DISASSEMBLY_H */
