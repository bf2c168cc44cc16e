/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - fault injection for accesses to the counters' registers
 *
 * With CONFIG_FAULT_INJECTION_DEBUG_FS every Nth access fails. N is read from
 * /sys/kernel/debug/tprof_lx/fail_msr_every; with 0, none fails. Only accesses that
 * set up a counter fail. Those that restore registers do not, as on hardware a register
 * that was written once can be written again.
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
