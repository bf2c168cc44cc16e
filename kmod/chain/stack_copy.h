/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a copy of the user's stack, for a chain whose tables are not there yet
 *
 * The first samples of a program come before the tables of its files. The reader can walk such
 * a chain later, by the same tables, if it has the registers and the stack: see
 * TPROF_LX_MISC_STACK. The copy ends the record of the chain.
 *
 * Context: any, NMI included.
 */
#ifndef TPROF_STACK_COPY_H
#define TPROF_STACK_COPY_H

#include <linux/ptrace.h>
#include <linux/tprof_lx.h>

/* Return the maximum length of a copy of @limit bytes of stack. */
static inline u32 tprof_stack_copy_max(u32 limit)
{
	return limit ? limit + sizeof(struct tprof_lx_stack) : 0;
}

u32 tprof_stack_copy_bytes(u32 limit, const struct pt_regs *user);
void tprof_stack_copy_write(void *to, u32 bytes, u32 frames, const struct pt_regs *user);

#endif /* TPROF_STACK_COPY_H */
