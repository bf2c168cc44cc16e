// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - overflows of Intel's counters
 *
 * Architectural perfmon from version 2 on tells by a register which counters
 * overflowed. Version 1 has none, so there the counters themselves are asked.
 *
 * The NMI of an overflow masks LVTPC. While it is masked, an overflow sets its
 * bit of the status and sends nothing, ever. So either no counter can overflow
 * before we unmask it, because all are stopped, or the status is read again
 * after that. Version 1 unmasks first: an overflow that comes before we look
 * at its counter then costs an NMI that finds nothing to do.
 *
 * The status can be silent about an overflow of ours. Another NMI served it
 * before its own came, which has masked LVTPC all the same. Or perf's handler,
 * which is asked before us, has acknowledged everything and stopped all
 * counters: it does so while Intel PT or BTS is in use, which reserve no
 * counter. So an NMI of which the status knows nothing is held against LVTPC
 * and against the counters themselves.
 *
 * Counters that count the user only stand still while we are here, so they
 * need not be stopped; those that count the kernel would count ourselves.
 *
 * Context: NMI. No locks; loops are bounded by the number of counters.
 * Compiles in user space, over a model of the registers.
 */
#include "x86/x86_cpu.h"

/* An overflow is seen a little later than it is: one more pass, rarely two. */
#define MAX_PASSES	4

static void unmask_lvtpc(void)
{
	tprof_lvtpc_write(APIC_DM_NMI);
}

static enum tprof_nmi_verdict handle_v1(struct tprof_x86_cpu *xcpu,
					struct pt_regs *regs)
{
	unmask_lvtpc();
	return tprof_x86_cpu_scan(xcpu, regs) ? TPROF_NMI_SAMPLED :
						TPROF_NMI_FOREIGN;
}

static enum tprof_nmi_verdict
handle_silent(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	bool was_masked = tprof_lvtpc_read() & APIC_LVT_MASKED;

	/* First, as in version 1. */
	if (was_masked)
		unmask_lvtpc();
	tprof_msr_write(xcpu->caps.global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (tprof_x86_cpu_scan(xcpu, regs))
		return TPROF_NMI_SAMPLED;
	return was_masked ? TPROF_NMI_LATE : TPROF_NMI_FOREIGN;
}

static enum tprof_nmi_verdict intel_handle(struct tprof_x86_cpu *xcpu,
					   struct pt_regs *regs)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served = false;
	u64 status, first;
	int passes = 0;

	if (unlikely(!caps->global_status))
		return handle_v1(xcpu, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	first = tprof_msr_read(caps->global_status) & caps->counters;
	for (status = first; status;
	     status = tprof_msr_read(caps->global_status) & caps->counters) {
		is_served |= tprof_x86_cpu_serve(xcpu, status, regs);
		/* After the acknowledgment: from Haswell on, it would come again. */
		unmask_lvtpc();
		if (is_stopped || ++passes == MAX_PASSES)
			break;
	}
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (likely(is_served))
		return TPROF_NMI_SAMPLED;
	return first ? tprof_x86_cpu_judge(xcpu, first) :
		       handle_silent(xcpu, regs);
}

const struct tprof_x86_ops tprof_x86_intel = {
	.name = "intel",
	.handle = intel_handle,
};
