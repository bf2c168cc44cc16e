// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the counters of all CPUs, for callers on any CPU
 *
 * A CPU can access its own registers only, so each access is a function call on the
 * CPU of the counter.
 *
 * Context: process, under the x86 lock (pmu_x86.c). The functions call_*() and
 * tprof_x86_host_*_here() run with interrupts off, on the CPU whose counters they access.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <asm/processor.h>

#include TPROF_ASM_CPUID_H

#include "base/ipi.h"
#include "base/params.h"
#include "pmu/nmi.h"
#include "x86/x86_dirty.h"
#include "x86/x86_fault.h"
#include "x86/x86_host.h"
#include "x86/x86_intruder.h"
#include "x86/x86_reserve.h"
#include "x86/x86_suspect.h"

/* How late an NMI can come after its overflow: see nmi.c. */
#define INTEL_LATE_US		200
#define AMD_LATE_US		(100 * USEC_PER_MSEC)

/**
 * struct counter_call - a function call on the CPU of a counter
 * @counter:	event to read
 * @row:	hardware counter to arm or disarm
 * @err:	result: 0 or -errno
 * @value:	result: count that was read
 */
struct counter_call {
	struct tprof_x86_counter	*counter;
	int				row;
	int				err;
	u64				value;
};

static const struct tprof_x86_ops *vendor;
static struct tprof_nmi_source source;
/* Capabilities of the CPU that loaded the module. */
static struct tprof_x86_caps loader_caps;

/**
 * tprof_x86_host_cpuid - execute CPUID on this CPU
 * @leaf:	EAX
 * @subleaf:	ECX
 * @regs:	result
 */
void tprof_x86_host_cpuid(u32 leaf, u32 subleaf, struct tprof_x86_regs *regs)
{
	cpuid_count(leaf, subleaf, &regs->eax, &regs->ebx, &regs->ecx,
		    &regs->edx);
}

static void call_fill(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	u64 capabilities;

	tprof_x86_caps_fill(&xcpu->caps, tprof_x86_host_cpuid);
	xcpu->source = &source;
	if (xcpu->caps.has_pdcm &&
	    !tprof_msr_read_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities))
		tprof_x86_caps_set_capabilities(&xcpu->caps, capabilities);
}

/** tprof_x86_host_watch - let this CPU call the NMI handler; interrupts off */
void tprof_x86_host_watch(void)
{
	tprof_nmi_watch(&source, smp_processor_id());
}

/**
 * tprof_x86_host_unwatch - undo tprof_x86_host_watch(), if no counter is armed
 *
 * The handler would do nothing. An NMI may still come, but tprof_nmi_expect() has
 * announced it.
 *
 * Context: interrupts off.
 */
void tprof_x86_host_unwatch(void)
{
	if (!this_cpu_ptr(tprof_x86_cpus)->armed)
		tprof_nmi_unwatch(&source, smp_processor_id());
}

/**
 * tprof_x86_host_end_yield - let events start again on a CPU that has yielded to an intruder
 * @cpu:	CPU, on which no event has a counter
 */
void tprof_x86_host_end_yield(int cpu)
{
	struct tprof_x86_cpu *xcpu = per_cpu_ptr(tprof_x86_cpus, cpu);

	WRITE_ONCE(xcpu->is_suspect, false);
	WRITE_ONCE(xcpu->has_yielded, false);
}

/* If the event has a gate, close that of its counter, before the counter can count. */
static void shut_gate(struct tprof_x86_cpu *xcpu, const struct tprof_x86_counter *counter, int row)
{
	if (counter->event->is_gated)
		tprof_x86_cpu_gate(xcpu, BIT_ULL(row), false);
}

static int arm_counter(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       const struct tprof_x86_select *select, int row)
{
	int err;

	tprof_x86_host_watch();
	err = tprof_x86_cpu_arm(xcpu, counter, select, row);
	/* Expect an NMI: the counter may have run for a moment before the failure. */
	if (err)
		tprof_nmi_expect(&source);
	tprof_x86_host_unwatch();
	return err;
}

/**
 * tprof_x86_host_arm_here - start a counter of this CPU
 * @counter:	event to count, with its width, count and period; its gate is closed
 * @select:	control values for the event
 * @row:	hardware counter, not armed and able to count the event
 *
 * Context: interrupts off, on the CPU.
 * Return: 0, -EBUSY or -EIO, as tprof_x86_cpu_arm().
 */
int tprof_x86_host_arm_here(struct tprof_x86_counter *counter,
			    const struct tprof_x86_select *select, int row)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	shut_gate(xcpu, counter, row);
	return arm_counter(xcpu, counter, select, row);
}

static void call_arm_again(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct counter_call *call = data;

	call->err = arm_counter(xcpu, xcpu->counters[call->row], xcpu->kinds[call->row],
				call->row);
}

/*
 * Expect an NMI twice: the counter may overflow until it is disarmed, and its
 * NMI may come during the disarming or later.
 */
static void disarm_here(struct tprof_x86_cpu *xcpu, int row)
{
	tprof_nmi_expect(&source);
	tprof_x86_cpu_disarm(xcpu, row);
	tprof_nmi_expect(&source);
	tprof_x86_host_unwatch();
}

static void call_disarm(void *data)
{
	const struct counter_call *call = data;

	disarm_here(this_cpu_ptr(tprof_x86_cpus), call->row);
}

static void call_read(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct counter_call *call = data;

	tprof_x86_intruder_is_here(xcpu);
	call->value = tprof_x86_cpu_has_seat(xcpu, call->counter, call->row) ?
			      tprof_x86_cpu_read(call->counter) :
			      call->counter->count;
}

/**
 * tprof_x86_host_caps - get the capabilities of a CPU's PMU
 * @cpu:	possible CPU
 *
 * Read the capabilities on the CPU if that has not been done yet and the CPU is online.
 *
 * Context: process; CPU hotplug locked and under the x86 lock, or at module load.
 * Return: capabilities; their vendor is TPROF_X86_NONE if they have not been read or
 * there is no PMU.
 */
const struct tprof_x86_caps *tprof_x86_host_caps(int cpu)
{
	struct tprof_x86_caps *caps = &per_cpu_ptr(tprof_x86_cpus, cpu)->caps;

	if (caps->vendor == TPROF_X86_NONE)
		tprof_ipi_call(cpu, call_fill, NULL);
	return caps;
}

/**
 * tprof_x86_host_presumed_caps - get or presume the capabilities of a CPU's PMU
 * @cpu:	possible CPU
 *
 * Context: same as tprof_x86_host_caps().
 * Return: capabilities of the CPU's PMU. If they have not been read, or if the
 * CPU has no PMU: the capabilities of the CPU that loaded the module.
 */
const struct tprof_x86_caps *tprof_x86_host_presumed_caps(int cpu)
{
	const struct tprof_x86_caps *caps = tprof_x86_host_caps(cpu);

	return caps->vendor == TPROF_X86_NONE ? &loader_caps : caps;
}

/**
 * tprof_x86_host_place_here - choose the event that a counter will count when it is armed
 * @counter:	event to count; its gate is closed
 * @select:	control values for the event
 * @row:	hardware counter of this CPU that is not armed
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_host_place_here(struct tprof_x86_counter *counter,
			       const struct tprof_x86_select *select, int row)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	shut_gate(xcpu, counter, row);
	tprof_x86_cpu_place(xcpu, counter, select, row);
}

/**
 * tprof_x86_host_arm_again - start a counter that was armed before
 * @cpu:	online CPU
 * @row:	hardware counter; it counts the event that tprof_x86_cpu_seat() or
 *		tprof_x86_cpu_place() has chosen last
 *
 * Return: 0, -EBUSY or -EIO, as tprof_x86_cpu_arm().
 */
int tprof_x86_host_arm_again(int cpu, int row)
{
	struct counter_call call = { .row = row };

	tprof_x86_dirty_clear_late(cpu);
	return tprof_ipi_call(cpu, call_arm_again, &call) ?: call.err;
}

/**
 * tprof_x86_host_disarm - stop a counter on a CPU
 * @cpu:	online CPU
 * @row:	hardware counter that is armed
 */
void tprof_x86_host_disarm(int cpu, int row)
{
	struct counter_call call = { .row = row };

	tprof_ipi_call(cpu, call_disarm, &call);
}

/**
 * tprof_x86_host_leave_here - let a counter of this CPU be as free as it was before its event
 * @leaving:	the counter
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_host_leave_here(const struct tprof_x86_leaving *leaving)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	if (leaving->is_armed)
		disarm_here(xcpu, leaving->row);
	if (leaving->is_gated)
		tprof_x86_cpu_gate(xcpu, BIT_ULL(leaving->row), true);
	if (leaving->is_stalling)
		tprof_x86_cpu_stall(xcpu, leaving->row, false);
}

/**
 * tprof_x86_host_read - read the count of an event on a CPU
 * @cpu:	online CPU
 * @counter:	event
 * @row:	its hardware counter, which may be counting another event now
 *
 * Return: events.
 */
u64 tprof_x86_host_read(int cpu, struct tprof_x86_counter *counter, int row)
{
	struct counter_call call = {
		.counter	= counter,
		.row		= row,
	};

	tprof_ipi_call(cpu, call_read, &call);
	return call.value;
}

/**
 * tprof_x86_host_loader - get the capabilities of the CPU that loaded the module
 *
 * They name the registers to reserve, because all CPUs have the same register numbers.
 *
 * Return: the capabilities.
 */
const struct tprof_x86_caps *tprof_x86_host_loader(void)
{
	return &loader_caps;
}

/**
 * tprof_x86_host_vendor - get the operations for this machine's counters
 *
 * Return: operations of the vendor, or NULL if the PMU is missing or not known.
 */
const struct tprof_x86_ops *tprof_x86_host_vendor(void)
{
	return vendor;
}

/**
 * tprof_x86_host_init - read the capabilities of all PMUs, before NMIs are handled
 *
 * The only PMU register that the function reads is MSR_IA32_PERF_CAPABILITIES.
 *
 * Return: 0 on success or if there is no PMU, else -ENOMEM.
 */
int tprof_x86_host_init(void)
{
	tprof_x86_msr_init();
	tprof_x86_caps_fill(&loader_caps, tprof_x86_host_cpuid);
	switch (loader_caps.vendor) {
	case TPROF_X86_INTEL:
		vendor = &tprof_x86_intel;
		source.late_us = INTEL_LATE_US;
		break;
	case TPROF_X86_AMD:
		vendor = loader_caps.masks_lvtpc ? &tprof_x86_amd_guest : &tprof_x86_amd;
		source.late_us = AMD_LATE_US;
		break;
	case TPROF_X86_NONE:
		return 0;
	}
	tprof_x86_cpus = __alloc_percpu(sizeof(*tprof_x86_cpus), __alignof__(*tprof_x86_cpus));
	if (!tprof_x86_cpus)
		return -ENOMEM;
	tprof_x86_fault_init();
	tprof_x86_reserve_init(&loader_caps);
	tprof_ipi_call_all(cpu_online_mask, call_fill, NULL);
	source.entry = vendor->entry;
	source.handle = vendor->handle;
	tprof_nmi_add(&source);
	return 0;
}

/** tprof_x86_host_uninit - free the state of all CPUs, after the last NMI */
void tprof_x86_host_uninit(void)
{
	tprof_x86_suspect_end();
	tprof_x86_reserve_uninit();
	tprof_x86_fault_uninit();
	free_percpu(tprof_x86_cpus);
}
