// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - overflows of Intel's counters
 *
 * Architectural perfmon has a status register for overflows from version 2 on.
 * Version 1 has none, so there the counters themselves are read.
 *
 * The NMI of an overflow masks LVTPC. While LVTPC is masked, an overflow sets
 * its status bit but never sends an NMI. So either no counter can overflow until
 * LVTPC is unmasked, or the status is read again after that. No counter can if
 * all are stopped, or if all that are armed have just been served: they count
 * user mode only, and begin a new period after the handler. Version 1 unmasks
 * first: an overflow that comes before its counter is read then costs an NMI
 * that finds nothing to do.
 *
 * The status can miss an overflow of ours in two cases:
 *
 * - Another NMI served the overflow before the overflow's own NMI came, which
 *   has masked LVTPC all the same.
 * - perf's handler, which runs before ours, acknowledged all overflows and
 *   stopped all counters. It does so while Intel PT or BTS is in use, which
 *   reserve no counter.
 *
 * So if the status shows nothing, handle_silent() looks at LVTPC and at the
 * counters themselves.
 *
 * Counters that count user mode only stand still in this handler, so they need
 * not be stopped. If a counter counts kernel mode, all are stopped, or it would
 * count this handler.
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. Compiles
 * in user space, over a model of the registers.
 */
#include "x86/x86_cpu.h"

/* The status shows an overflow late: one more pass is needed, rarely two. */
#define MAX_PASSES	4

static void unmask_lvtpc(void)
{
	tprof_lvtpc_write(APIC_DM_NMI);
}

/* Could a counter have overflowed after the status was read? */
static bool may_be_more(const struct tprof_x86_cpu *xcpu, u64 status,
			bool is_stopped)
{
	return !is_stopped && READ_ONCE(xcpu->armed) & ~status;
}

static enum tprof_nmi_verdict handle_v1(struct tprof_x86_cpu *xcpu,
					struct pt_regs *regs)
{
	unmask_lvtpc();
	return tprof_x86_cpu_scan(xcpu, regs) ? tprof_x86_cpu_sampled(xcpu) :
						TPROF_NMI_FOREIGN;
}

static enum tprof_nmi_verdict
handle_silent(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	bool was_masked = tprof_lvtpc_read() & APIC_LVT_MASKED;

	/* As in version 1, unmask before the counters are read. */
	if (was_masked)
		unmask_lvtpc();
	tprof_msr_write(xcpu->caps.global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (tprof_x86_cpu_scan(xcpu, regs))
		return tprof_x86_cpu_sampled(xcpu);
	return was_masked ? TPROF_NMI_LATE : TPROF_NMI_FOREIGN;
}

/* Several counters are armed, or none of ours overflowed. */
static noinline enum tprof_nmi_verdict
handle_status(struct tprof_x86_cpu *xcpu, struct pt_regs *regs, u64 first,
	      bool is_stopped)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_served = false;
	int passes = 0;
	u64 status;

	for (status = first; status;
	     status = tprof_msr_read(caps->global_status) & caps->counters) {
		is_served |= tprof_x86_cpu_serve(xcpu, status, regs);
		/* Acknowledge first, or Haswell and later send it once more. */
		unmask_lvtpc();
		if (likely(!may_be_more(xcpu, status, is_stopped)) ||
		    ++passes == MAX_PASSES)
			break;
	}
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (likely(is_served))
		return tprof_x86_cpu_sampled(xcpu);
	return first ? tprof_x86_cpu_judge(xcpu, first) :
		       handle_silent(xcpu, regs);
}

static enum tprof_nmi_verdict intel_handle(struct tprof_x86_cpu *xcpu,
					   struct pt_regs *regs)
{
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served;
	u64 status;

	if (unlikely(!caps->global_status))
		return handle_v1(xcpu, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	status = tprof_msr_read(caps->global_status) & caps->counters;
	if (unlikely(!tprof_x86_cpu_is_sole(xcpu, status)))
		return handle_status(xcpu, regs, status, is_stopped);
	is_served = tprof_x86_cpu_serve_sole(xcpu, status, regs);
	/* As in handle_status(). */
	unmask_lvtpc();
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	return likely(is_served) ? tprof_x86_cpu_sampled(xcpu) :
				   tprof_x86_cpu_judge(xcpu, status);
}

const struct tprof_x86_ops tprof_x86_intel = {
	.name = "intel",
	.handle = intel_handle,
};
