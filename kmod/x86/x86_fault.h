/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - fault injection for accesses to the counters' registers
 *
 * With CONFIG_FAULT_INJECTION_DEBUG_FS, every Nth access that sets up a counter fails.
 * /sys/kernel/debug/tprof_lx/fail_msr_every holds N; if N is 0, no access fails.
 * Accesses that restore registers never fail: on hardware, a register that could be
 * written once can be written again.
 */
#ifndef TPROF_X86_FAULT_H
#define TPROF_X86_FAULT_H

#if defined(__KERNEL__) && defined(CONFIG_FAULT_INJECTION_DEBUG_FS)
int tprof_x86_fault(void);
void tprof_x86_fault_init(void);
void tprof_x86_fault_uninit(void);
#else
static inline int tprof_x86_fault(void)
{
	return 0;
}

static inline void tprof_x86_fault_init(void)
{
}

static inline void tprof_x86_fault_uninit(void)
{
}
#endif

#endif /* TPROF_X86_FAULT_H */
