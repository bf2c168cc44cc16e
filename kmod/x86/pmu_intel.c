// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - overflows of Intel's counters
 *
 * Architectural perfmon has a status register for overflows from version 2 on.
 * Version 1 has none, so there the counters themselves are read.
 *
 * The NMI of an overflow masks LVTPC. While LVTPC is masked, an overflow sets
 * its status bit but never sends an NMI. So if a counter may have overflowed since
 * the status was read (may_overflow_unseen()), the handler reads the status again
 * after it has unmasked LVTPC. In version 1, the handler unmasks LVTPC before it
 * reads the counters. If a counter overflows in between, the handler serves the
 * overflow, and the overflow's own NMI finds nothing to do.
 *
 * The status can miss an overflow of ours in two cases:
 *
 * - Another NMI served the overflow first. The overflow's own NMI still comes,
 *   and masks LVTPC.
 * - perf's handler, which runs before ours, acknowledged all overflows and
 *   stopped all counters. It does so while perf uses Intel PT or BTS. These
 *   need no counter, so perf can use them although we reserved all counters.
 *
 * So if the status shows nothing, handle_silent() looks at LVTPC and at the
 * counters themselves.
 *
 * A counter that counts only user mode stands still in this handler and need
 * not be stopped. If any counter counts kernel mode, the handler stops all
 * counters, so that none counts the handler.
 *
 * From version 2 on, a counter of user mode that is armed alone takes a shorter way:
 * tprof_x86_overflow_nmi(). intel_handle() serves all others.
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. The unit
 * tests compile this file in user space, over a model of the registers.
 */
#include "x86/x86_overflow.h"
#include "x86/x86_saved.h"

/*
 * Maximum number of passes that serve what the status shows. The second pass serves
 * overflows that the status did not show in the first; a third is rarely needed.
 */
#define MAX_PASSES	4

static u64 read_status(const struct tprof_x86_cpu *xcpu)
{
	return tprof_msr_read(xcpu->caps.global_status) & xcpu->own;
}

/*
 * Return true if a counter may have overflowed after the status was read. The caller
 * has found that no armed counter counts kernel mode. Counters in @status have been
 * restarted. They stand still in this handler, so they cannot have overflowed again.
 * All other armed counters may have overflowed too late for the status to show it. If
 * the status shows a counter that is no longer armed, the result may be true without
 * need, and the status is read once more.
 */
static bool may_overflow_unseen(const struct tprof_x86_cpu *xcpu, u64 status)
{
	return READ_ONCE(xcpu->armed) != status;
}

static enum tprof_nmi_verdict handle_v1(struct tprof_x86_cpu *xcpu,
					struct pt_regs *regs)
{
	tprof_x86_overflow_unmask();
	return tprof_x86_overflow_scan(xcpu, regs) ? TPROF_NMI_SAMPLED :
						TPROF_NMI_FOREIGN;
}

/*
 * Return true if perf uses a counter of this CPU, as it can if the register aliases keep it
 * away from none: its handler, which runs before ours, has enabled its counters.
 */
static bool is_perfs(struct tprof_x86_cpu *xcpu)
{
	return xcpu->caps.has_aliases && !tprof_x86_global_is_ours(xcpu) &&
	       tprof_x86_saved_running(xcpu) & xcpu->own & ~READ_ONCE(xcpu->armed);
}

static noinline enum tprof_nmi_verdict
handle_silent(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	bool was_masked = tprof_lvtpc_read() & APIC_LVT_MASKED;

	if (unlikely(is_perfs(xcpu))) {
		tprof_x86_suspect();
		return TPROF_NMI_FOREIGN;
	}

	/* As in version 1, unmask LVTPC before reading the counters. */
	if (was_masked)
		tprof_x86_overflow_unmask();
	tprof_msr_write(xcpu->caps.global_ctrl, READ_ONCE(xcpu->global_ctrl));
	if (tprof_x86_overflow_scan(xcpu, regs))
		return TPROF_NMI_SAMPLED;
	return was_masked ? TPROF_NMI_LATE : TPROF_NMI_FOREIGN;
}

/*
 * Unmask only after acknowledging the overflow: otherwise Haswell and later processors
 * send the NMI of the overflow again.
 */
static __always_inline bool serve_and_unmask(struct tprof_x86_cpu *xcpu, u64 status,
					     struct pt_regs *regs)
{
	bool is_served = tprof_x86_overflow_status(xcpu, status, regs);

	tprof_x86_overflow_unmask();
	return is_served;
}

/* Serve overflows that the status did not show in the first pass. The counters run. */
static noinline bool serve_more(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	bool is_served = false;
	u64 status;
	int passes;

	for (passes = 1; passes < MAX_PASSES; passes++) {
		status = read_status(xcpu);
		if (!status)
			break;
		is_served |= serve_and_unmask(xcpu, status, regs);
		if (!may_overflow_unseen(xcpu, status))
			break;
	}
	return is_served;
}

/*
 * Serve any overflows. While no counter is armed, the registers are not ours, so they are
 * not accessed.
 */
static noinline enum tprof_nmi_verdict intel_serve(struct pt_regs *regs)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	const struct tprof_x86_caps *caps = &xcpu->caps;
	bool is_stopped = READ_ONCE(xcpu->kernel);
	bool is_served;
	u64 status;

	if (unlikely(!READ_ONCE(xcpu->armed)))
		return TPROF_NMI_FOREIGN;
	if (unlikely(!caps->global_status))
		return handle_v1(xcpu, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, 0);
	status = read_status(xcpu);
	/* handle_silent() also starts the counters again. */
	if (unlikely(!status))
		return handle_silent(xcpu, regs);
	is_served = serve_and_unmask(xcpu, status, regs);
	if (is_stopped)
		tprof_msr_write(caps->global_ctrl, READ_ONCE(xcpu->global_ctrl));
	else if (unlikely(may_overflow_unseen(xcpu, status)))
		is_served |= serve_more(xcpu, regs);
	return likely(is_served) ? TPROF_NMI_SAMPLED :
				   tprof_x86_overflow_judge(xcpu, status);
}

static noinline enum tprof_nmi_verdict intel_measure(struct pt_regs *regs)
{
	return tprof_x86_overflow_measure(regs, intel_serve);
}

static noinline enum tprof_nmi_verdict intel_handle(struct pt_regs *regs)
{
	return unlikely(tprof_x86_overflow_is_measured()) ? intel_measure(regs) : intel_serve(regs);
}

static noinline int intel_any(struct pt_regs *regs)
{
	return tprof_nmi_end(regs, intel_handle(regs));
}

static noinline int intel_none(struct pt_regs *regs)
{
	tprof_x86_overflow_unmask();
	return tprof_x86_overflow_none(regs);
}

static int intel_nmi(unsigned int type, struct pt_regs *regs)
{
	static const struct tprof_x86_vendor_nmi intel = {
		.any	= intel_any,
		.none	= intel_none,
		.unmask	= tprof_x86_overflow_unmask,
	};

	return tprof_x86_overflow_nmi(type, regs, &intel);
}

const struct tprof_x86_ops tprof_x86_intel = {
	.name = "intel",
	.entry = intel_nmi,
	.handle = intel_handle,
};
