// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - compute a caller's registers from its callee's registers
 */
#include <asm/perf_regs.h>

#include "base/load.h"
#include "world/call_frame.h"
#include "world/dwarf_expr.h"

/* DWARF register numbers, indexed by PERF_REG_X86_*. */
static const u8 dwarf_numbers[] = {
	[PERF_REG_X86_AX] = 0,	 [PERF_REG_X86_DX] = 1,	  [PERF_REG_X86_CX] = 2,
	[PERF_REG_X86_BX] = 3,	 [PERF_REG_X86_SI] = 4,	  [PERF_REG_X86_DI] = 5,
	[PERF_REG_X86_BP] = 6,	 [PERF_REG_X86_SP] = 7,	  [PERF_REG_X86_R8] = 8,
	[PERF_REG_X86_R9] = 9,	 [PERF_REG_X86_R10] = 10, [PERF_REG_X86_R11] = 11,
	[PERF_REG_X86_R12] = 12, [PERF_REG_X86_R13] = 13, [PERF_REG_X86_R14] = 14,
	[PERF_REG_X86_R15] = 15, [PERF_REG_X86_IP] = 16,
};

static void set(struct call_frame *frame, u32 reg, u64 value)
{
	frame->regs[reg] = value;
	frame->known |= 1U << reg;
}

static bool is_known(const struct call_frame *frame, u32 reg)
{
	return frame->known >> reg & 1;
}

static bool is_general(u32 reg)
{
	return reg <= PERF_REG_X86_IP || (reg >= PERF_REG_X86_R8 && reg <= PERF_REG_X86_R15);
}

/*
 * Set @frame to the innermost user frame of a sample, and let it point into @sample.
 * @regs_mask is the event's sample_regs_user. Return false if the sample has no 64-bit
 * user registers, or lacks IP or SP.
 */
bool frame_begin(struct call_frame *frame, const struct sample *sample, u64 regs_mask)
{
	const u8 *at = sample->user_regs.at;
	u32 reg;

	*frame = (struct call_frame){ .stack = sample->stack, .stack_size = sample->stack_size };
	if (!(sample->user_abi & PERF_SAMPLE_REGS_ABI_64) || !at)
		return false;
	for (reg = 0; reg < 64; reg++) {
		if (!(regs_mask >> reg & 1))
			continue;
		if (is_general(reg))
			set(frame, dwarf_numbers[reg], load_u64(at));
		at += sizeof(u64);
	}
	frame->stack_base = frame->regs[FRAME_SP];
	return is_known(frame, FRAME_SP) && is_known(frame, FRAME_IP);
}

/*
 * Find the caller by frame pointer, for code without unwind rules. The kernel
 * starts programs with a frame pointer of 0, so 0 means that there is no
 * caller.
 */
static enum frame_end leave_by_pointer(struct call_frame *frame)
{
	u64 at = frame->regs[FRAME_BP], bp, ip;

	if (is_known(frame, FRAME_BP) && !at)
		return FRAME_OUTERMOST;
	if (!is_known(frame, FRAME_BP) || at < frame->regs[FRAME_SP] ||
	    !frame_read(frame, at, sizeof(bp), &bp) ||
	    !frame_read(frame, at + sizeof(bp), sizeof(ip), &ip))
		return FRAME_NO_RULES;
	frame->known = 0;
	set(frame, FRAME_BP, bp);
	set(frame, FRAME_SP, at + 2 * sizeof(u64));
	set(frame, FRAME_IP, ip);
	return ip ? FRAME_MORE : FRAME_OUTERMOST;
}

static enum frame_end find_cfa(const struct call_frame *frame, Dwarf_Frame *rules, u64 *cfa)
{
	struct dwarf_value value;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(rules, &ops, &nr) || !nr)
		return FRAME_NONSENSE;
	if (!dwarf_evaluate(ops, nr, frame, NULL, &value))
		return FRAME_NO_RULES;
	*cfa = value.number;
	return FRAME_MORE;
}

/*
 * Set register @reg of @caller by its unwind rule. If the rule is "same value", copy
 * the register from the callee @frame, if @frame has it. If the rule is "undefined",
 * leave the register unknown.
 */
static enum frame_end find_reg(const struct call_frame *frame, Dwarf_Frame *rules, u32 reg,
			       u64 cfa, struct call_frame *caller)
{
	struct dwarf_value value;
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (dwarf_frame_register(rules, reg, mem, &ops, &nr))
		return FRAME_NONSENSE;
	if (!nr && !ops && is_known(frame, reg))
		set(caller, reg, frame->regs[reg]);
	if (!nr)
		return FRAME_MORE;
	if (!dwarf_evaluate(ops, nr, frame, &cfa, &value))
		return FRAME_NO_RULES;
	if (value.is_address && !frame_read(frame, value.number, sizeof(u64), &value.number))
		return FRAME_BEYOND_COPY;
	set(caller, reg, value.number);
	return FRAME_MORE;
}

static enum frame_end leave_by_rules(struct call_frame *frame, Dwarf_Frame *rules)
{
	struct call_frame caller = *frame;
	enum frame_end end;
	u64 cfa;
	u32 reg;

	end = find_cfa(frame, rules, &cfa);
	if (end)
		return end;
	caller.known = 0;
	for (reg = 0; reg < FRAME_REGS; reg++) {
		end = find_reg(frame, rules, reg, cfa, &caller);
		/* An error ends the chain only if it concerns the return address. */
		if (end && reg == FRAME_IP)
			return end;
	}
	if (!is_known(&caller, FRAME_SP))
		set(&caller, FRAME_SP, cfa);
	if (!is_known(&caller, FRAME_IP) || !caller.regs[FRAME_IP])
		return FRAME_OUTERMOST;
	*frame = caller;
	return FRAME_MORE;
}

/*
 * Replace @frame with the frame of its caller. @rules may be NULL. Set
 * @is_signal to whether @frame was a signal frame. If so, the new frame made no
 * call: the signal interrupted its code. Return FRAME_MORE, or the reason why
 * there is no caller.
 */
enum frame_end frame_leave(struct call_frame *frame, Dwarf_Frame *rules, bool *is_signal)
{
	u64 sp = frame->regs[FRAME_SP];
	enum frame_end end;

	*is_signal = false;
	if (!rules)
		return leave_by_pointer(frame);
	if (dwarf_frame_info(rules, NULL, NULL, is_signal) < 0)
		return FRAME_NONSENSE;
	end = leave_by_rules(frame, rules);
	/* A caller has a higher SP, unless a signal handler ran on an alternate stack. */
	if (!end && frame->regs[FRAME_SP] <= sp && !*is_signal)
		return FRAME_NONSENSE;
	return end;
}
