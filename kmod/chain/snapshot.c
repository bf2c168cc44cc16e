// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - copies of the user's registers and stack, for unwinding afterwards
 *
 * The copies have the layout of PERF_SAMPLE_REGS_USER and PERF_SAMPLE_STACK_USER.
 * Without user registers, as in a kernel thread, the ABI and the size are 0, and
 * nothing follows them.
 */
#include <linux/bitops.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "chain/snapshot.h"
#include "chain/user_regs.h"

static const u8 offsets[] = {
	[PERF_REG_X86_AX] = offsetof(struct pt_regs, ax),
	[PERF_REG_X86_BX] = offsetof(struct pt_regs, bx),
	[PERF_REG_X86_CX] = offsetof(struct pt_regs, cx),
	[PERF_REG_X86_DX] = offsetof(struct pt_regs, dx),
	[PERF_REG_X86_SI] = offsetof(struct pt_regs, si),
	[PERF_REG_X86_DI] = offsetof(struct pt_regs, di),
	[PERF_REG_X86_BP] = offsetof(struct pt_regs, bp),
	[PERF_REG_X86_SP] = offsetof(struct pt_regs, sp),
	[PERF_REG_X86_IP] = offsetof(struct pt_regs, ip),
	[PERF_REG_X86_FLAGS] = offsetof(struct pt_regs, flags),
	[PERF_REG_X86_CS] = offsetof(struct pt_regs, cs),
	[PERF_REG_X86_SS] = offsetof(struct pt_regs, ss),
	[PERF_REG_X86_R8] = offsetof(struct pt_regs, r8),
	[PERF_REG_X86_R9] = offsetof(struct pt_regs, r9),
	[PERF_REG_X86_R10] = offsetof(struct pt_regs, r10),
	[PERF_REG_X86_R11] = offsetof(struct pt_regs, r11),
	[PERF_REG_X86_R12] = offsetof(struct pt_regs, r12),
	[PERF_REG_X86_R13] = offsetof(struct pt_regs, r13),
	[PERF_REG_X86_R14] = offsetof(struct pt_regs, r14),
	[PERF_REG_X86_R15] = offsetof(struct pt_regs, r15),
};

/**
 * tprof_snapshot_regs_bytes - return the length of PERF_SAMPLE_REGS_USER
 * @mask:	mask of registers, a subset of TPROF_SNAPSHOT_REGS
 * @user:	user registers, or NULL
 *
 * Return: bytes.
 */
u32 tprof_snapshot_regs_bytes(u64 mask, const struct pt_regs *user)
{
	return sizeof(u64) * (1 + (user ? hweight64(mask) : 0));
}

/**
 * tprof_snapshot_write_regs - write PERF_SAMPLE_REGS_USER
 * @field:	result
 * @mask:	mask of registers, a subset of TPROF_SNAPSHOT_REGS
 * @user:	user registers, or NULL
 *
 * Context: any, NMI included.
 * Return: one past the last field written.
 */
u64 *tprof_snapshot_write_regs(u64 *field, u64 mask, const struct pt_regs *user)
{
	const unsigned long *reg;

	if (!user) {
		*field++ = PERF_SAMPLE_REGS_ABI_NONE;
		return field;
	}
	*field++ = tprof_user_is_64bit(user) ? PERF_SAMPLE_REGS_ABI_64 :
						 PERF_SAMPLE_REGS_ABI_32;
	for (; mask; mask &= mask - 1) {
		reg = (const void *)user + offsets[__ffs64(mask)];
		/* Racy read: see tprof_user_regs(). */
		*field++ = data_race(*reg);
	}
	return field;
}

/**
 * tprof_snapshot_stack_bytes - return the length of PERF_SAMPLE_STACK_USER
 * @bytes:	bytes of stack to copy
 * @user:	user registers, or NULL
 *
 * Return: bytes.
 */
u32 tprof_snapshot_stack_bytes(u32 bytes, const struct pt_regs *user)
{
	return user ? sizeof(u64) + bytes + sizeof(u64) : sizeof(u64);
}

/**
 * tprof_snapshot_write_stack - write PERF_SAMPLE_STACK_USER
 * @field:	result
 * @bytes:	bytes of stack to copy, a multiple of 8
 * @user:	user registers, or NULL
 *
 * Bytes that cannot be read, because the stack ends or is not present, become zero. The
 * field after the copied bytes has the number of bytes that were read, rounded down to
 * a multiple of 8.
 *
 * Context: any, NMI included.
 * Return: one past the last field written.
 */
u64 *tprof_snapshot_write_stack(u64 *field, u32 bytes,
				const struct pt_regs *user)
{
	unsigned long sp, room, left;
	void *stack;

	if (!user) {
		*field++ = 0;
		return field;
	}
	*field++ = bytes;
	stack = field;
	/* Racy read: see tprof_user_regs(). */
	sp = data_race(user->sp);
	/*
	 * Limit the range: copy_from_user_nmi() copies nothing if any part of it is
	 * outside user space.
	 */
	room = sp < TASK_SIZE_MAX ? TASK_SIZE_MAX - sp : 0;
	room = min_t(unsigned long, room, bytes);
	left = bytes - room;
	left += copy_from_user_nmi(stack, (const void __user *)sp, room);
	memset(stack + bytes - left, 0, left);
	field = stack + bytes;
	*field++ = round_down(bytes - left, sizeof(u64));
	return field;
}
