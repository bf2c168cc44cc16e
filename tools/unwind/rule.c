// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the rule of an unwind table for a row of DWARF's call frame information
 *
 * libdw gives each rule of DWARF as operations. Compilers use few forms of these.
 */
#include <dwarf.h>

#include "base/types.h"
#include "unwind/rule.h"

#define RIP		16

/* Largest TPROF_LX_UNWIND_RBX_PLACE() of a rule. */
#define RBX_LAST_PLACE	15

/* Offsets of saved registers in struct ucontext, which a signal frame has. */
#define CONTEXT_RSP	160
#define CONTEXT_RIP	168

/**
 * struct expression - operations of DWARF
 * @ops:	the operations
 * @nr:		number of @ops
 */
struct expression {
	Dwarf_Op *ops;
	size_t	nr;
};

/* Why a register has no expression. */
enum absence {
	SAME_VALUE,
	NOT_KEPT,
	DAMAGED,
};

/* Return the rule for what a table cannot express, and count it in @losses. */
struct tprof_lx_unwind_rule unwind_lose(enum unwind_loss loss, u32 *losses)
{
	losses[loss]++;
	return (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_CUT };
}

/* If @op adds a number to a register, set *@reg and *@offset. */
static bool is_register(const Dwarf_Op *op, u64 *reg, s64 *offset)
{
	if (op->atom == DW_OP_bregx) {
		*reg = op->number;
		*offset = op->number2;
		return true;
	}
	if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31)
		return false;
	*reg = op->atom - DW_OP_breg0;
	*offset = op->number;
	return true;
}

/*
 * The linker describes all stubs of a PLT of 16 bytes each at once: the first instructions of
 * a stub push nothing, those from a certain offset on have pushed a number:
 * rsp + 8 + ((rip & 15) >= N) * 8.
 */
static bool is_plt(const struct expression *cfa, s32 *offset)
{
	static const u8 atoms[] = { DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0,
				    DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	size_t i;

	if (cfa->nr != ARRAY_SIZE(atoms))
		return false;
	for (i = 0; i < cfa->nr; i++) {
		if (atoms[i] && cfa->ops[i].atom != atoms[i])
			return false;
	}
	if (cfa->ops[0].number != 8 || cfa->ops[1].number ||
	    cfa->ops[4].atom < DW_OP_lit0 || cfa->ops[4].atom > DW_OP_lit15)
		return false;
	*offset = cfa->ops[4].atom - DW_OP_lit0;
	return true;
}

/* Make the part of a rule that finds the address of the frame. */
static struct tprof_lx_unwind_rule frame_address(const struct expression *cfa, u32 *losses)
{
	struct tprof_lx_unwind_rule rule = { .how = TPROF_LX_UNWIND_CFA };
	u64 reg;
	s64 offset;

	if (is_plt(cfa, &rule.offset)) {
		rule.how = TPROF_LX_UNWIND_PLT;
		return rule;
	}
	if (cfa->nr > 2 || !is_register(&cfa->ops[0], &reg, &offset) || reg > 15 ||
	    (cfa->nr == 2 && cfa->ops[1].atom != DW_OP_deref))
		return unwind_lose(UNWIND_EXPRESSION, losses);
	if (offset < -UNWIND_MAX_OFFSET || offset > UNWIND_MAX_OFFSET)
		return unwind_lose(UNWIND_OFFSET, losses);
	if (cfa->nr == 2)
		rule.how = TPROF_LX_UNWIND_DEREF;
	rule.base = reg;
	rule.offset = offset;
	return rule;
}

/* If a register was saved at a fixed distance from the frame's address, set *@offset. */
static bool is_saved(const struct expression *reg, s64 *offset)
{
	if (!reg->nr || reg->ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	*offset = 0;
	if (reg->nr == 1)
		return true;
	*offset = reg->ops[1].number;
	return reg->nr == 2 && reg->ops[1].atom == DW_OP_plus_uconst;
}

/* Return true if a register has the frame's address as its value. */
static bool is_frame_address(const struct expression *reg)
{
	return reg->nr == 2 && reg->ops[0].atom == DW_OP_call_frame_cfa &&
	       reg->ops[1].atom == DW_OP_stack_value;
}

/*
 * Find where the caller's register is. Return an expression of no operations if it has the
 * same value as in the callee (SAME_VALUE), if it is not kept (NOT_KEPT), or if its rule is
 * damaged (DAMAGED).
 */
static struct expression find_register(Dwarf_Frame *frame, int number, Dwarf_Op *mem,
				       enum absence *absence)
{
	struct expression reg = { 0 };

	*absence = SAME_VALUE;
	if (dwarf_frame_register(frame, number, mem, &reg.ops, &reg.nr)) {
		reg.nr = 0;
		*absence = DAMAGED;
	} else if (!reg.nr && reg.ops) {
		*absence = NOT_KEPT;
	}
	return reg;
}

static __s16 caller_rbp(Dwarf_Frame *frame, u32 *losses)
{
	enum absence absence;
	Dwarf_Op mem[3];
	struct expression reg = find_register(frame, TPROF_LX_UNWIND_RBP, mem, &absence);
	s64 offset;

	if (!reg.nr && absence == SAME_VALUE)
		return TPROF_LX_UNWIND_RBP_SAME;
	if (reg.nr && is_saved(&reg, &offset) && offset < 0 && offset >= INT16_MIN)
		return offset;
	losses[UNWIND_RBP] += reg.nr || absence == DAMAGED;
	return TPROF_LX_UNWIND_RBP_UNDEFINED;
}

/*
 * Return where the caller's rbx is, as TPROF_LX_UNWIND_RBX_PLACE() of a rule. A function keeps
 * rbx if nothing says where it is. libdw knows this of rbp, but takes such an rbx for not kept.
 */
static u8 caller_rbx(Dwarf_Frame *frame)
{
	enum absence absence;
	Dwarf_Op mem[3];
	struct expression reg = find_register(frame, TPROF_LX_UNWIND_RBX, mem, &absence);
	s64 offset;

	if (!reg.nr)
		return absence == DAMAGED ? TPROF_LX_UNWIND_RBX_UNKNOWN : TPROF_LX_UNWIND_RBX_SAME;
	if (is_saved(&reg, &offset) && offset % 8 == 0 && offset <= -16 &&
	    offset >= -8 * RBX_LAST_PLACE)
		return -offset / 8;
	return TPROF_LX_UNWIND_RBX_UNKNOWN;
}

static bool is_rsp_kept(Dwarf_Frame *frame)
{
	enum absence absence;
	Dwarf_Op mem[3];
	struct expression reg = find_register(frame, TPROF_LX_UNWIND_RSP, mem, &absence);

	return reg.nr ? is_frame_address(&reg) : absence == SAME_VALUE;
}

/*
 * A signal frame has all registers in its struct ucontext. The C library's struct is at
 * rsp + 0. Return the rule for one whose saved rsp and rip are at these distances from rsp.
 */
struct tprof_lx_unwind_rule unwind_signal_rule(s64 rsp, s64 rip, u32 *losses)
{
	if (rsp < CONTEXT_RSP || rsp > CONTEXT_RSP + UNWIND_MAX_CONTEXT ||
	    rip - rsp != CONTEXT_RIP - CONTEXT_RSP)
		return unwind_lose(UNWIND_SIGNAL, losses);
	return (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_SIGNAL,
					      .offset = rsp - CONTEXT_RSP };
}

static struct tprof_lx_unwind_rule signal_frame(Dwarf_Frame *frame, const struct expression *cfa,
						u32 *losses)
{
	struct expression rip;
	s64 offset, rip_offset;
	enum absence absence;
	Dwarf_Op mem[3];
	u64 reg;

	if (cfa->nr != 2 || !is_register(&cfa->ops[0], &reg, &offset) ||
	    reg != TPROF_LX_UNWIND_RSP || cfa->ops[1].atom != DW_OP_deref)
		return unwind_lose(UNWIND_SIGNAL, losses);
	rip = find_register(frame, RIP, mem, &absence);
	/* The frame's address, which libdw lets each expression begin with, is of no use here. */
	if (rip.nr != 2 || rip.ops[0].atom != DW_OP_call_frame_cfa ||
	    !is_register(&rip.ops[1], &reg, &rip_offset) || reg != TPROF_LX_UNWIND_RSP)
		return unwind_lose(UNWIND_SIGNAL, losses);
	return unwind_signal_rule(offset, rip_offset, losses);
}

/*
 * Return the rule for a range of code. What it cannot express is counted in @losses, by enum
 * unwind_loss.
 */
struct tprof_lx_unwind_rule unwind_rule(Dwarf_Frame *frame, bool is_signal, u32 *losses)
{
	struct tprof_lx_unwind_rule rule;
	struct expression cfa, rip;
	enum absence absence;
	Dwarf_Op mem[3];
	s64 offset;

	if (dwarf_frame_cfa(frame, &cfa.ops, &cfa.nr) || !cfa.nr)
		return unwind_lose(UNWIND_NO_CFA, losses);
	if (is_signal)
		return signal_frame(frame, &cfa, losses);
	rip = find_register(frame, RIP, mem, &absence);
	if (!rip.nr && absence == NOT_KEPT)
		return (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_END };
	if (!is_saved(&rip, &offset) || offset != -8)
		return unwind_lose(UNWIND_RETURN, losses);
	rule = frame_address(&cfa, losses);
	if (rule.how == TPROF_LX_UNWIND_CUT)
		return rule;
	if (!is_rsp_kept(frame))
		return unwind_lose(UNWIND_RSP, losses);
	rule.rbp = caller_rbp(frame, losses);
	rule.base = TPROF_LX_UNWIND_BASE(rule.base, caller_rbx(frame));
	return rule;
}
