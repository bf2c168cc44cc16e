/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - copies of the user's registers and stack, for unwinding afterwards
 *
 * For code without frame pointers, samples can have these instead of a chain. The copy of the
 * stack has the same size in every sample. A number after it is the size of the part that
 * could be read; the rest is zero.
 *
 * Context: any, NMI included. No locks, no allocation.
 */
#ifndef TPROF_SNAPSHOT_H
#define TPROF_SNAPSHOT_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/asm/perf_regs.h>

struct pt_regs;

/* All registers of a 64-bit program, except DS, ES, FS and GS. */
#define TPROF_SNAPSHOT_REGS						\
	(GENMASK_ULL(PERF_REG_X86_SS, PERF_REG_X86_AX) |		\
	 GENMASK_ULL(PERF_REG_X86_R15, PERF_REG_X86_R8))

u32 tprof_snapshot_regs_bytes(u64 mask, const struct pt_regs *user);
u64 *tprof_snapshot_write_regs(u64 *field, u64 mask,
			       const struct pt_regs *user);
u32 tprof_snapshot_stack_bytes(u32 bytes, const struct pt_regs *user);
u64 *tprof_snapshot_write_stack(u64 *field, u32 bytes,
				const struct pt_regs *user);

#endif /* TPROF_SNAPSHOT_H */
