// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - overflows of AMD's counters
 *
 * PerfMonV2 has a status register for overflows, and a register that stops all
 * counters. On older PMUs, which have neither, the handler reads the counters
 * themselves, and each counter runs until the handler writes its next start value.
 *
 * AMD processors do not mask LVTPC, so each overflow sends an NMI of its own.
 * If two counters overflow together, the first NMI serves both, and the second
 * finds nothing to do. The second can come much later than on other processors
 * (nmi.c).
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. The unit
 * tests compile this file in user space, over a model of the registers.
 */
#include "x86/x86_cpu.h"

static enum tprof_nmi_verdict handle_v2(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served = false;
	u64 status;

	/* Stop the counters, or they would count this handler. */
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	status = tprof_msr_read(caps->global_status) & caps->counters;
	if (status)
		is_served = tprof_x86_cpu_serve(xcpu, status, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (likely(is_served))
		return TPROF_NMI_SAMPLED;
	return status ? tprof_x86_cpu_judge(xcpu, status) : TPROF_NMI_FOREIGN;
}

/* Some hypervisors mask LVTPC. */
static __always_inline void unmask_if_masked(const struct tprof_x86_cpu *xcpu)
{
	if (unlikely(xcpu->caps.masks_lvtpc))
		tprof_lvtpc_write(APIC_DM_NMI);
}

/*
 * Serve any overflows. While no counter is armed, the registers are not ours, so they are
 * not accessed. Unmask LVTPC before looking for overflows.
 */
static noinline enum tprof_nmi_verdict amd_handle(struct pt_regs *regs)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	if (unlikely(!READ_ONCE(xcpu->armed)))
		return TPROF_NMI_FOREIGN;
	unmask_if_masked(xcpu);
	if (xcpu->caps.global_status)
		return handle_v2(xcpu, regs);
	return tprof_x86_cpu_scan(xcpu, regs) ? TPROF_NMI_SAMPLED :
						TPROF_NMI_FOREIGN;
}

/* Serve the only armed counter if its period is not fixed or takes several laps. */
static noinline int serve_amd_sole(struct tprof_x86_counter *sole, u64 now, struct pt_regs *regs)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	bool is_served = tprof_x86_cpu_overflow_general(xcpu, sole, now, regs);

	unmask_if_masked(xcpu);
	return tprof_nmi_end(regs, likely(is_served) ? TPROF_NMI_SAMPLED :
				   tprof_x86_cpu_judge(xcpu, READ_ONCE(xcpu->armed)));
}

static int amd_nmi(unsigned int type, struct pt_regs *regs)
{
	struct tprof_x86_counter *sole;
	u64 now;

	if (unlikely(!tprof_nmi_is_usual()))
		return tprof_nmi_serve_all(type, regs);
	sole = tprof_x86_cpu_find_sole(this_cpu_ptr(tprof_x86_cpus));
	if (unlikely(!sole))
		return tprof_nmi_end(regs, amd_handle(regs));
	now = tprof_pmc_read(sole->pmc);
	if (unlikely(!tprof_x86_counter_is_plain(sole, now)))
		return serve_amd_sole(sole, now, regs);
	tprof_nmi_note_sampled(regs);
	tprof_x86_cpu_serve_plain(sole, now);
	tprof_pmu_overflow(sole->event, regs, sole->next, 0);
	unmask_if_masked(this_cpu_ptr(tprof_x86_cpus));
	return NMI_HANDLED;
}

const struct tprof_x86_ops tprof_x86_amd = {
	.name = "amd",
	.entry = amd_nmi,
	.handle = amd_handle,
};
