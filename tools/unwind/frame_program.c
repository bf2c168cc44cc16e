// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check the instructions of call frame information
 *
 * libdw keeps a state for each DW_CFA_remember_state, and a state has all registers up to the
 * largest that an instruction names. So a damaged binary of some MB could take all memory.
 */
#include <dwarf.h>

#include "base/load.h"
#include "unwind/frame_program.h"

/* Take an unsigned LEB128 number; a signed one has the same length. Return false if it is long. */
bool frame_program_take_number(struct frame_program *program, u64 *number)
{
	u32 shift;
	u8 byte;

	*number = 0;
	for (shift = 0; shift < 63 && program->at < program->end; shift += 7) {
		byte = *program->at++;
		*number |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

bool frame_program_skip(struct frame_program *program, u64 len)
{
	if (len > (u64)(program->end - program->at))
		return false;
	program->at += len;
	return true;
}

/*
 * Return what follows an instruction: digits are bytes, r is a register, n a number, and b a block
 * with its length before it. Return NULL for instructions that x86-64 does not use.
 */
static const char *operands_of(u8 opcode)
{
	static const char *const operands[DW_CFA_high_user + 1] = {
		[DW_CFA_nop] = "", [DW_CFA_advance_loc1] = "1", [DW_CFA_advance_loc2] = "2",
		[DW_CFA_advance_loc4] = "4", [DW_CFA_offset_extended] = "rn",
		[DW_CFA_restore_extended] = "r", [DW_CFA_undefined] = "r",
		[DW_CFA_same_value] = "r", [DW_CFA_register] = "rn",
		[DW_CFA_remember_state] = "", [DW_CFA_restore_state] = "", [DW_CFA_def_cfa] = "nn",
		[DW_CFA_def_cfa_register] = "n", [DW_CFA_def_cfa_offset] = "n",
		[DW_CFA_def_cfa_expression] = "b", [DW_CFA_expression] = "rb",
		[DW_CFA_offset_extended_sf] = "rn", [DW_CFA_def_cfa_sf] = "nn",
		[DW_CFA_def_cfa_offset_sf] = "n", [DW_CFA_val_offset] = "rn",
		[DW_CFA_val_offset_sf] = "rn", [DW_CFA_val_expression] = "rb",
		[DW_CFA_GNU_args_size] = "n", [DW_CFA_GNU_negative_offset_extended] = "rn",
	};

	switch (opcode & 0xc0) {
	case DW_CFA_offset:
		return "n";
	case DW_CFA_advance_loc:
	case DW_CFA_restore:
		return "";
	default:
		return operands[opcode];
	}
}

static bool skip_operand(struct frame_program *program, char kind)
{
	u64 number;

	if (kind >= '1' && kind <= '4')
		return frame_program_skip(program, kind - '0');
	if (!frame_program_take_number(program, &number))
		return false;
	if (kind == 'r')
		return number < FRAME_MAX_REGISTERS;
	return kind == 'n' || frame_program_skip(program, number);
}

/* Return true if libdw needs little memory to follow the instructions. */
bool frame_program_is_modest(struct frame_program program)
{
	const char *operands;
	u32 states = 0;
	u8 opcode;

	while (program.at < program.end) {
		opcode = *program.at++;
		operands = operands_of(opcode);
		if (!operands)
			return false;
		for (; *operands; operands++) {
			if (!skip_operand(&program, *operands))
				return false;
		}
		if (opcode == DW_CFA_remember_state && states++ == FRAME_MAX_STATES)
			return false;
		/* libdw gives up where no state was remembered. */
		if (opcode == DW_CFA_restore_state && states-- == 0)
			return true;
	}
	return true;
}
