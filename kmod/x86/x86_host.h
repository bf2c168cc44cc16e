/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of all CPUs, for callers on any CPU
 */
#ifndef TPROF_X86_HOST_H
#define TPROF_X86_HOST_H

#include "x86/x86_cpu.h"

/**
 * struct tprof_x86_leaving - a counter that an event gives back
 * @row:	hardware counter
 * @is_armed:	disarm it
 * @is_gated:	open its gate
 * @is_stalling: end its stall, if there is one
 */
struct tprof_x86_leaving {
	int	row;
	bool	is_armed;
	bool	is_gated;
	bool	is_stalling;
};

const struct tprof_x86_caps *tprof_x86_host_caps(int cpu);
const struct tprof_x86_caps *tprof_x86_host_presumed_caps(int cpu);
int tprof_x86_host_arm_again(int cpu, int row);
void tprof_x86_host_disarm(int cpu, int row);
u64 tprof_x86_host_read(int cpu, struct tprof_x86_counter *counter, int row);

int tprof_x86_host_arm_here(struct tprof_x86_counter *counter,
			    const struct tprof_x86_select *select, int row);
void tprof_x86_host_place_here(struct tprof_x86_counter *counter,
			       const struct tprof_x86_select *select, int row);
void tprof_x86_host_leave_here(const struct tprof_x86_leaving *leaving);

void tprof_x86_host_end_yield(int cpu);

void tprof_x86_host_watch(void);
void tprof_x86_host_unwatch(void);

void tprof_x86_host_cpuid(u32 leaf, u32 subleaf, struct tprof_x86_regs *regs);
const struct tprof_x86_caps *tprof_x86_host_loader(void);
const struct tprof_x86_ops *tprof_x86_host_vendor(void);
int tprof_x86_host_init(void);
void tprof_x86_host_uninit(void);

#endif /* TPROF_X86_HOST_H */
