// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - evaluate DWARF expressions
 *
 * Constants, registers, memory and arithmetic are supported, because call frame
 * rules use them. Branches are not supported, so every evaluation ends.
 */
#include <dwarf.h>

#include "world/dwarf_expr.h"

#define STACK_MAX	16

/**
 * struct machine - state of an evaluation
 * @frame:	registers and memory
 * @cfa:	the canonical frame address, NULL while it is being computed
 * @stack:	operands; the top is stack[nr - 1]
 * @nr:		number of operands
 * @is_value:	the top is the value, not the address of the value
 */
struct machine {
	const struct call_frame *frame;
	const u64 *cfa;
	u64	stack[STACK_MAX];
	size_t	nr;
	bool	is_value;
};

static bool push(struct machine *machine, u64 number)
{
	if (machine->nr == STACK_MAX)
		return false;
	machine->stack[machine->nr++] = number;
	return true;
}

static bool pop(struct machine *machine, u64 *number)
{
	if (!machine->nr)
		return false;
	*number = machine->stack[--machine->nr];
	return true;
}

/* Push a copy of the operand that is @depth operands below the top. */
static bool pick(struct machine *machine, u64 depth)
{
	return depth < machine->nr && push(machine, machine->stack[machine->nr - 1 - depth]);
}

static bool push_reg(struct machine *machine, u64 reg, u64 offset)
{
	const struct call_frame *frame = machine->frame;

	return reg < FRAME_REGS && frame->known >> reg & 1 &&
	       push(machine, frame->regs[reg] + offset);
}

static bool read_memory(struct machine *machine, u64 len)
{
	u64 number;

	if (len != 1 && len != 2 && len != 4 && len != 8)
		return false;
	return pop(machine, &number) && frame_read(machine->frame, number, len, &number) &&
	       push(machine, number);
}

static bool swap(struct machine *machine)
{
	u64 top, below;

	return pop(machine, &top) && pop(machine, &below) && push(machine, top) &&
	       push(machine, below);
}

static bool change_top(struct machine *machine, u8 atom, u64 operand)
{
	u64 number;

	if (!pop(machine, &number))
		return false;
	if (atom == DW_OP_plus_uconst)
		number += operand;
	else if (atom == DW_OP_neg)
		number = -number;
	else
		number = ~number;
	return push(machine, number);
}

static bool calculate(struct machine *machine, u8 atom)
{
	u64 b, a;

	if (!pop(machine, &b) || !pop(machine, &a))
		return false;
	switch (atom) {
	case DW_OP_plus:
		return push(machine, a + b);
	case DW_OP_minus:
		return push(machine, a - b);
	case DW_OP_mul:
		return push(machine, a * b);
	case DW_OP_and:
		return push(machine, a & b);
	case DW_OP_or:
		return push(machine, a | b);
	case DW_OP_xor:
		return push(machine, a ^ b);
	case DW_OP_shl:
		return push(machine, b < 64 ? a << b : 0);
	case DW_OP_shr:
		return push(machine, b < 64 ? a >> b : 0);
	case DW_OP_shra:
		return push(machine, (s64)a >> (b < 64 ? b : 63));
	case DW_OP_eq:
		return push(machine, a == b);
	case DW_OP_ne:
		return push(machine, a != b);
	case DW_OP_ge:
		return push(machine, (s64)a >= (s64)b);
	case DW_OP_gt:
		return push(machine, (s64)a > (s64)b);
	case DW_OP_le:
		return push(machine, (s64)a <= (s64)b);
	case DW_OP_lt:
		return push(machine, (s64)a < (s64)b);
	default:
		return false;
	}
}

/* Perform an arithmetic operation, or one with a number or register in its opcode. */
static bool do_numbered(struct machine *machine, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(machine, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_reg(machine, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		machine->is_value = true;
		return push_reg(machine, op->atom - DW_OP_reg0, 0);
	}
	return calculate(machine, op->atom);
}

static bool do_op(struct machine *machine, const Dwarf_Op *op)
{
	u64 ignored;

	switch (op->atom) {
	case DW_OP_const1u ... DW_OP_consts:
		return push(machine, op->number);
	case DW_OP_bregx:
		return push_reg(machine, op->number, op->number2);
	case DW_OP_regx:
		machine->is_value = true;
		return push_reg(machine, op->number, 0);
	case DW_OP_deref:
		return read_memory(machine, sizeof(u64));
	case DW_OP_deref_size:
		return read_memory(machine, op->number);
	case DW_OP_dup:
		return pick(machine, 0);
	case DW_OP_over:
		return pick(machine, 1);
	case DW_OP_pick:
		return pick(machine, op->number);
	case DW_OP_drop:
		return pop(machine, &ignored);
	case DW_OP_swap:
		return swap(machine);
	case DW_OP_plus_uconst:
	case DW_OP_neg:
	case DW_OP_not:
		return change_top(machine, op->atom, op->number);
	case DW_OP_call_frame_cfa:
		return machine->cfa && push(machine, *machine->cfa);
	case DW_OP_stack_value:
		machine->is_value = true;
		return true;
	case DW_OP_nop:
		return true;
	default:
		return do_numbered(machine, op);
	}
}

/*
 * Evaluate an expression. @cfa is NULL if the canonical frame address is not known yet.
 * Return false if the expression needs an unknown register, memory that was not copied,
 * or an unsupported operation.
 */
bool dwarf_evaluate(const Dwarf_Op *ops, size_t nr, const struct call_frame *frame, const u64 *cfa,
		    struct dwarf_value *value)
{
	struct machine machine = { .frame = frame, .cfa = cfa };
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!do_op(&machine, &ops[i]))
			return false;
	}
	value->is_address = !machine.is_value;
	return pop(&machine, &value->number);
}
