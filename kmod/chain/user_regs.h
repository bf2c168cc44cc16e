/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the registers that the current task has in user mode
 *
 * Context: any, NMI included.
 */
#ifndef TPROF_USER_REGS_H
#define TPROF_USER_REGS_H

#include <linux/ptrace.h>
#include <linux/types.h>

/* Maximum distance of a user frame from the stack pointer, in bytes. */
#define TPROF_USER_STACK_MAX	(64UL << 20)

/* The general registers and rip. */
#define TPROF_USER_REGISTERS	17

struct pt_regs *tprof_user_regs(struct pt_regs *regs);

/**
 * tprof_user_is_64bit - report whether code is 64-bit user code
 * @regs:	interrupted registers, or registers of the user
 *
 * Return: true for 64-bit code of the user, false for 32-bit code and for the kernel.
 */
static __always_inline bool tprof_user_is_64bit(const struct pt_regs *regs)
{
	/*
	 * The cast is safe: user_64bit_mode() only reads. Racy read: see
	 * tprof_user_regs().
	 */
	return data_race(user_64bit_mode((struct pt_regs *)regs));
}

/**
 * tprof_user_register - return a register of the user
 * @user:	registers of the user
 * @number:	DWARF number of the register, less than TPROF_USER_REGISTERS; the last is rip
 *
 * Return: its value.
 */
static __always_inline unsigned long tprof_user_register(const struct pt_regs *user, u8 number)
{
	static const u8 offsets[TPROF_USER_REGISTERS] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, dx),
		offsetof(struct pt_regs, cx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, bp), offsetof(struct pt_regs, sp),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
		offsetof(struct pt_regs, ip),
	};

	/* Racy read: see tprof_user_regs(). */
	return data_race(*(const unsigned long *)((const void *)user + offsets[number]));
}

/**
 * tprof_user_is_stack - report whether an address may be of a frame on the user's stack
 * @sp:		stack pointer of the user
 * @at:		address
 * @is_64bit:	the code is 64-bit code
 *
 * Code without frame pointers may have any value in the frame pointer register.
 *
 * Return: true if the address is aligned, and at most 64 MiB above @sp.
 */
static inline bool tprof_user_is_stack(unsigned long sp, unsigned long at, bool is_64bit)
{
	return at >= sp && at - sp < TPROF_USER_STACK_MAX &&
	       IS_ALIGNED(at, is_64bit ? sizeof(u64) : sizeof(u32));
}

#endif /* TPROF_USER_REGS_H */
