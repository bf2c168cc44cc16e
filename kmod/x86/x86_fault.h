/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - makes accesses to counters' registers fail, on kernels for testing
 *
 * With CONFIG_FAULT_INJECTION_DEBUG_FS every Nth access fails. N is read from
 * /sys/kernel/debug/tprof_lx/fail_msr_every; 0 lets none fail. Only accesses
 * that set up a counter fail, not those that restore registers: a register that
 * was written once can be written again.
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
