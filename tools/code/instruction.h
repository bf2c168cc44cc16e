/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the instructions of a piece of machine code
 */
#ifndef TPROF_INSTRUCTION_H
#define TPROF_INSTRUCTION_H

#include "base/arena.h"

/* Where the CPU goes on after an instruction. */
enum instruction_flow {
	FLOW_NEXT,	/* at the next instruction */
	FLOW_BRANCH,	/* at the target or at the next instruction */
	FLOW_JUMP,	/* at the target, or elsewhere if the target is unknown */
	FLOW_CALL,	/* at the target, and later at the next instruction */
	FLOW_END,	/* elsewhere, as after a return, or nowhere, as after ud2 */
};

/**
 * struct instruction - one instruction
 * @addr:	its address
 * @target:	address that the instruction jumps to or calls or, with FLOW_NEXT, that it
 *		computes relative to itself
 * @text:	mnemonic and operands, as GNU as would read them; without the operand of a
 *		jump or call to @target
 * @flow:	enum instruction_flow
 * @len:	length in bytes
 * @has_target:	@target is known
 * @is_known:	the bytes are an instruction
 */
struct instruction {
	u64	addr;
	u64	target;
	const char *text;
	u8	flow;
	u8	len;
	bool	has_target;
	bool	is_known;
};

/**
 * struct instructions - instructions in the order of their addresses; empty if all members are
 *	zero
 * @list:	the instructions, without gaps
 * @nr:		length of @list
 * @room:	capacity of @list
 * @texts:	memory of the texts
 */
struct instructions {
	struct instruction *list;
	size_t	nr;
	size_t	room;
	struct arena texts;
};

/**
 * struct machine_code - bytes of machine code
 * @addr:	address of the first byte
 * @bytes:	the bytes
 * @len:	number of bytes
 */
struct machine_code {
	u64	addr;
	const u8 *bytes;
	size_t	len;
};

int instructions_add(struct instructions *all, const struct instruction *instruction);
int instructions_copy(struct instructions *all, const struct instructions *from);
size_t instructions_find(const struct instructions *all, u64 addr);
void instructions_free(struct instructions *all);

#endif /* TPROF_INSTRUCTION_H */
