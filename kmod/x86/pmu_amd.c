// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - overflows of AMD's counters
 *
 * PerfMonV2 has a status register for overflows. Older PMUs have none, so the
 * counters themselves are read, and each continues to count until its next
 * period is written.
 *
 * AMD processors do not mask LVTPC, so each overflow sends an NMI of its own.
 * If two counters overflow together, the first NMI serves both, and the second
 * finds nothing to do. The second can come much later than on other processors
 * (nmi.c).
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. Compiles
 * in user space, over a model of the registers.
 */
#include "x86/x86_cpu.h"

static enum tprof_nmi_verdict handle_v2(struct tprof_x86_cpu *xcpu,
					struct pt_regs *regs)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served = false;
	u64 status;

	/* Stop the counters, or they would count this handler. */
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	status = tprof_msr_read(caps->global_status) & caps->counters;
	if (likely(tprof_x86_cpu_is_sole(xcpu, status)))
		is_served = tprof_x86_cpu_serve_sole(xcpu, status, regs);
	else if (status)
		is_served = tprof_x86_cpu_serve(xcpu, status, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (likely(is_served))
		return tprof_x86_cpu_sampled(xcpu);
	return status ? tprof_x86_cpu_judge(xcpu, status) : TPROF_NMI_FOREIGN;
}

static enum tprof_nmi_verdict amd_handle(struct tprof_x86_cpu *xcpu,
					 struct pt_regs *regs)
{
	/* Some hypervisors mask LVTPC: unmask it before we look. */
	if (unlikely(xcpu->caps.masks_lvtpc))
		tprof_lvtpc_write(APIC_DM_NMI);
	if (xcpu->caps.global_status)
		return handle_v2(xcpu, regs);
	return tprof_x86_cpu_scan(xcpu, regs) ? tprof_x86_cpu_sampled(xcpu) :
						TPROF_NMI_FOREIGN;
}

const struct tprof_x86_ops tprof_x86_amd = {
	.name = "amd",
	.handle = amd_handle,
};
