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
 * With PerfMonV2, a counter of user mode that is armed alone takes a shorter way:
 * tprof_x86_overflow_nmi(). amd_handle() serves all others. Some hypervisors mask LVTPC,
 * so on any hypervisor the handler is amd_guest_nmi(), which unmasks it.
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. The unit
 * tests compile this file in user space, over a model of the registers.
 */
#include "x86/x86_overflow.h"

static enum tprof_nmi_verdict handle_v2(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served = false;
	u64 status;

	/* Stop the counters, or they would count this handler. */
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	status = tprof_msr_read(caps->global_status) & xcpu->own;
	if (status)
		is_served = tprof_x86_overflow_status(xcpu, status, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (likely(is_served))
		return TPROF_NMI_SAMPLED;
	return status ? tprof_x86_overflow_judge(xcpu, status) : TPROF_NMI_FOREIGN;
}

static void unmask_if_masked(const struct tprof_x86_cpu *xcpu)
{
	if (unlikely(xcpu->caps.masks_lvtpc))
		tprof_x86_overflow_unmask();
}

/*
 * Serve any overflows. While no counter is armed, the registers are not ours, so they are
 * not accessed. Unmask LVTPC before looking for overflows.
 */
static noinline enum tprof_nmi_verdict amd_serve(struct pt_regs *regs)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	if (unlikely(!READ_ONCE(xcpu->armed)))
		return TPROF_NMI_FOREIGN;
	unmask_if_masked(xcpu);
	if (xcpu->caps.global_status)
		return handle_v2(xcpu, regs);
	return tprof_x86_overflow_scan(xcpu, regs) ? TPROF_NMI_SAMPLED :
						TPROF_NMI_FOREIGN;
}

static noinline enum tprof_nmi_verdict amd_measure(struct pt_regs *regs)
{
	return tprof_x86_overflow_measure(regs, amd_serve);
}

static noinline enum tprof_nmi_verdict amd_handle(struct pt_regs *regs)
{
	return unlikely(tprof_x86_overflow_is_measured()) ? amd_measure(regs) : amd_serve(regs);
}

static noinline int amd_any(struct pt_regs *regs)
{
	return tprof_nmi_end(regs, amd_handle(regs));
}

static noinline int amd_none(struct pt_regs *regs)
{
	unmask_if_masked(this_cpu_ptr(tprof_x86_cpus));
	return tprof_x86_overflow_none(regs);
}

static __always_inline void leave_unmasked(void)
{
}

static int amd_nmi(unsigned int type, struct pt_regs *regs)
{
	static const struct tprof_x86_vendor_nmi amd = {
		.any	= amd_any,
		.none	= amd_none,
		.unmask	= leave_unmasked,
	};

	return tprof_x86_overflow_nmi(type, regs, &amd);
}

static int amd_guest_nmi(unsigned int type, struct pt_regs *regs)
{
	static const struct tprof_x86_vendor_nmi amd_guest = {
		.any	= amd_any,
		.none	= amd_none,
		.unmask	= tprof_x86_overflow_unmask,
	};

	return tprof_x86_overflow_nmi(type, regs, &amd_guest);
}

const struct tprof_x86_ops tprof_x86_amd = {
	.name = "amd",
	.entry = amd_nmi,
	.handle = amd_handle,
};

const struct tprof_x86_ops tprof_x86_amd_guest = {
	.name = "amd",
	.entry = amd_guest_nmi,
	.handle = amd_handle,
};
