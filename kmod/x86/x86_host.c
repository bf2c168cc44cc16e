// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the counters of all CPUs, for callers on any CPU
 *
 * A CPU can access its own registers only, so each access is a function call on the
 * CPU of the counter.
 *
 * The kernel reserves all counters for the first user that asks for them. perf,
 * and with it the NMI watchdog, holds them while it has a hardware event. This
 * back end holds the counters while it has an event. It tests them when it
 * reserves them for the first time (x86_selftest.c).
 *
 * Context: process, under the x86 lock (pmu_x86.c). The functions call_*() and
 * tprof_x86_host_gate_here() run with interrupts off, on the CPU whose counters
 * they access.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <asm/nmi.h>
#include <asm/processor.h>

#include TPROF_ASM_CPUID_H

#include "base/params.h"
#include "pmu/nmi.h"
#include "x86/x86_dirty.h"
#include "x86/x86_fault.h"
#include "x86/x86_host.h"
#include "x86/x86_selftest.h"

/* How late an NMI can come after its overflow: see nmi.c. */
#define INTEL_LATE_US		200
#define AMD_LATE_US		(100 * USEC_PER_MSEC)

/* CPUID leaf with the name of the hypervisor. */
#define CPUID_HYPERVISOR	0x40000000

/**
 * struct call - a function call on the CPU of a counter
 * @counter:	event to count or to read
 * @select:	what to count
 * @row:	hardware counter to arm or disarm
 * @err:	result: 0 or -errno
 * @value:	result: count that was read
 * @wrong:	result: what the test found wrong, or NULL
 */
struct call {
	struct tprof_x86_counter	*counter;
	const struct tprof_x86_select	*select;
	int				row;
	int				err;
	u64				value;
	const char			*wrong;
};

static const struct tprof_x86_ops *vendor;
static struct tprof_nmi_source source;
/*
 * Capabilities of the CPU that loaded the module. They name the registers to
 * reserve, because all CPUs have the same register numbers.
 */
static struct tprof_x86_caps loader_caps;

/* What the last selftest found wrong, or NULL. */
static const char *wrong;
static bool is_tested;
/* Number of general counters that this back end holds. */
static u32 nr_reserved;

static void ask_cpuid(u32 leaf, u32 subleaf, struct tprof_x86_regs *regs)
{
	cpuid_count(leaf, subleaf, &regs->eax, &regs->ebx, &regs->ecx,
		    &regs->edx);
}

static void call_fill(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	u64 capabilities;

	tprof_x86_caps_fill(&xcpu->caps, ask_cpuid);
	xcpu->source = &source;
	if (xcpu->caps.has_pdcm &&
	    !tprof_msr_read_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities))
		tprof_x86_caps_set_capabilities(&xcpu->caps, capabilities);
}

static void watch_counters(void)
{
	tprof_nmi_watch(&source, smp_processor_id());
}

/*
 * If no counter is armed, the handler does nothing, so stop calling it. An NMI
 * may still come, but tprof_nmi_expect() has announced it.
 */
static void unwatch_if_unarmed(void)
{
	if (!this_cpu_ptr(tprof_x86_cpus)->armed)
		tprof_nmi_unwatch(&source, smp_processor_id());
}

static void call_arm(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct call *call = data;

	watch_counters();
	call->err = tprof_x86_cpu_arm(xcpu, call->counter ?: xcpu->counters[call->row],
				      call->select ?: xcpu->kinds[call->row], call->row);
	/* Expect an NMI: the counter may have run for a moment before the failure. */
	if (call->err)
		tprof_nmi_expect(&source);
	unwatch_if_unarmed();
}

/*
 * Expect an NMI twice: the counter may overflow until it is disarmed, and its
 * NMI may come during the disarming or later.
 */
static void call_disarm(void *data)
{
	struct call *call = data;

	tprof_nmi_expect(&source);
	tprof_x86_cpu_disarm(this_cpu_ptr(tprof_x86_cpus), call->row);
	tprof_nmi_expect(&source);
	unwatch_if_unarmed();
}

static void call_read(void *data)
{
	const struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct call *call = data;

	call->value = tprof_x86_cpu_has_seat(xcpu, call->counter, call->row) ?
			      tprof_x86_cpu_read(call->counter) :
			      call->counter->count;
}

static void call_test(void *data)
{
	struct call *call = data;

	watch_counters();
	call->wrong = tprof_x86_selftest(this_cpu_ptr(tprof_x86_cpus));
	unwatch_if_unarmed();
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
		smp_call_function_single(cpu, call_fill, NULL, 1);
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
 * tprof_x86_host_arm - start a counter on a CPU
 * @cpu:	online CPU
 * @counter:	event to count, with its width, count and period
 * @select:	control values for the event
 * @row:	hardware counter, not armed and able to count the event
 *
 * Return: 0 or -EIO.
 */
int tprof_x86_host_arm(int cpu, struct tprof_x86_counter *counter,
		       const struct tprof_x86_select *select, int row)
{
	struct call call = {
		.counter	= counter,
		.select		= select,
		.row		= row,
	};
	int err;

	tprof_x86_dirty_clear_late(cpu);
	err = smp_call_function_single(cpu, call_arm, &call, 1);
	if (err)
		return err;
	if (call.err)
		tprof_debug(TPROF_TOPIC_PMU, "CPU %d: register %#x faults\n",
			    cpu, per_cpu_ptr(tprof_x86_cpus, cpu)->fault);
	return call.err;
}

static void call_place(void *data)
{
	struct call *call = data;

	tprof_x86_cpu_place(this_cpu_ptr(tprof_x86_cpus), call->counter, call->select, call->row);
}

/**
 * tprof_x86_host_place - choose the event that a counter will count when it is armed
 * @cpu:	online CPU
 * @counter:	event to count
 * @select:	control values for the event
 * @row:	hardware counter that is not armed
 */
void tprof_x86_host_place(int cpu, struct tprof_x86_counter *counter,
			  const struct tprof_x86_select *select, int row)
{
	struct call call = {
		.counter	= counter,
		.select		= select,
		.row		= row,
	};

	smp_call_function_single(cpu, call_place, &call, 1);
}

/**
 * tprof_x86_host_arm_again - start a counter that was armed before
 * @cpu:	online CPU
 * @row:	hardware counter; it counts the event that tprof_x86_cpu_seat() or
 *		tprof_x86_cpu_place() has chosen last
 *
 * Return: 0 or -EIO.
 */
int tprof_x86_host_arm_again(int cpu, int row)
{
	return tprof_x86_host_arm(cpu, NULL, NULL, row);
}

/**
 * tprof_x86_host_disarm - stop a counter on a CPU
 * @cpu:	online CPU
 * @row:	hardware counter that is armed
 */
void tprof_x86_host_disarm(int cpu, int row)
{
	struct call call = { .row = row };

	smp_call_function_single(cpu, call_disarm, &call, 1);
}

/**
 * struct gate_call - arguments of tprof_x86_host_gate()
 * @rows:	mask of counters
 * @is_open:	let them count
 */
struct gate_call {
	u64	rows;
	bool	is_open;
};

static void call_gate(void *data)
{
	const struct gate_call *call = data;

	tprof_x86_cpu_gate(this_cpu_ptr(tprof_x86_cpus), call->rows, call->is_open);
}

/**
 * tprof_x86_host_gate - open or close the gates of counters of a CPU
 * @cpu:	online CPU
 * @rows:	mask of counters
 * @is_open:	let them count
 */
void tprof_x86_host_gate(int cpu, u64 rows, bool is_open)
{
	struct gate_call call = { .rows = rows, .is_open = is_open };

	smp_call_function_single(cpu, call_gate, &call, 1);
}

static void call_end_stall(void *data)
{
	const struct call *call = data;

	tprof_x86_cpu_stall(this_cpu_ptr(tprof_x86_cpus), call->row, false);
}

/**
 * tprof_x86_host_end_stall - end the stall of a counter of a CPU
 * @cpu:	online CPU
 * @row:	hardware counter
 */
void tprof_x86_host_end_stall(int cpu, int row)
{
	struct call call = { .row = row };

	smp_call_function_single(cpu, call_end_stall, &call, 1);
}

/**
 * tprof_x86_host_read - read the count of an event on a CPU
 * @cpu:	online CPU
 * @counter:	event
 * @row:	its hardware counter, which may be counting another event now
 *
 * Return: events.
 */
u64 tprof_x86_host_read(int cpu, const struct tprof_x86_counter *counter, int row)
{
	struct call call = {
		.counter	= (struct tprof_x86_counter *)counter,
		.row		= row,
	};

	smp_call_function_single(cpu, call_read, &call, 1);
	return call.value;
}

static void release_registers(u32 nr)
{
	const struct tprof_x86_caps *caps = &loader_caps;
	u32 i;

	for (i = 0; i < nr; i++) {
		release_perfctr_nmi(caps->reserve + i * caps->step);
		release_evntsel_nmi(caps->select + i * caps->step);
	}
}

static int reserve_registers(u32 nr)
{
	const struct tprof_x86_caps *caps = &loader_caps;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!reserve_perfctr_nmi(caps->reserve + i * caps->step))
			break;
		if (!reserve_evntsel_nmi(caps->select + i * caps->step)) {
			release_perfctr_nmi(caps->reserve + i * caps->step);
			break;
		}
	}
	if (i == nr)
		return 0;
	release_registers(i);
	return -EBUSY;
}

/* Return the number of general counters of the online CPU that has the most. */
static u32 most_general(void)
{
	u32 nr = 0;
	int cpu;

	for_each_online_cpu(cpu)
		nr = max(nr, tprof_x86_nr_general(tprof_x86_host_caps(cpu)));
	return nr;
}

/*
 * Test the counters, unless they have passed before. Log a failure unless it is
 * the same as before; INFO reports it in any case.
 */
static int run_selftest(void)
{
	const char *before = wrong;
	struct call call = {};

	if (is_tested)
		return 0;
	smp_call_function_single(cpumask_first(cpu_online_mask), call_test,
				 &call, 1);
	wrong = call.wrong;
	is_tested = !wrong;
	if (wrong && wrong != before)
		pr_info("%s: %s\n", vendor->name, wrong);
	return wrong ? -EIO : 0;
}

/**
 * tprof_x86_host_claim - reserve the counters of all CPUs
 *
 * Context: a user's process, CPU hotplug locked.
 * Return: 0; -EBUSY if another user, such as perf, holds them; -EIO if they fail the
 * selftest: tprof_x86_host_describe() reports why.
 */
int tprof_x86_host_claim(void)
{
	u32 nr = most_general();
	int err;

	err = reserve_registers(nr);
	if (err)
		return err;
	tprof_x86_dirty_begin();
	err = run_selftest();
	if (err) {
		release_registers(nr);
		return err;
	}
	nr_reserved = nr;
	return 0;
}

/** tprof_x86_host_release - release the counters of all CPUs; none is armed any more */
void tprof_x86_host_release(void)
{
	release_registers(nr_reserved);
	nr_reserved = 0;
}

/*
 * Return true if perf or another user holds the counters. The reservation of
 * one counter then fails. To try it is cheap: a reservation writes no register.
 */
static bool is_held_by_other(void)
{
	if (nr_reserved)
		return false;
	if (reserve_registers(1))
		return true;
	release_registers(1);
	return false;
}

/* Return the name of the hypervisor, or NULL if its signature in CPUID is not known. */
static const char *hypervisor_name(void)
{
	static const char *const known[][2] = {
		{ "KVMKVMKVM", "KVM" },
		{ "TCGTCGTCGTCG", "QEMU without KVM" },
		{ "VMwareVMware", "VMware" },
		{ "Microsoft Hv", "Hyper-V" },
		{ "XenVMMXenVMM", "Xen" },
		{ "VBoxVBoxVBox", "VirtualBox" },
	};
	struct tprof_x86_regs regs = {};
	char signature[13] = "";
	int i;

	ask_cpuid(CPUID_HYPERVISOR, 0, &regs);
	memcpy(signature, &regs.ebx, 4);
	memcpy(signature + 4, &regs.ecx, 4);
	memcpy(signature + 8, &regs.edx, 4);
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strcmp(signature, known[i][0]))
			return known[i][1];
	}
	return NULL;
}

static void describe_wrong(char *text, size_t bytes)
{
	const char *name = loader_caps.has_hypervisor ? hypervisor_name() : NULL;

	if (name)
		scnprintf(text, bytes, "%s (%s)", wrong, name);
	else
		scnprintf(text, bytes, "%s", wrong);
}

static void describe_caps(char *text, size_t bytes)
{
	const struct tprof_x86_caps *caps = &loader_caps;
	static const char *const amd_versions[] = {
		[TPROF_X86_AMD_K7]	= "legacy",
		[TPROF_X86_AMD_CORE]	= "core extension",
		[TPROF_X86_AMD_V2]	= "PerfMonV2",
	};

	if (caps->vendor == TPROF_X86_AMD)
		scnprintf(text, bytes, "AMD %s, %u counters of %u bits",
			  amd_versions[caps->version],
			  hweight32((u32)caps->counters), caps->general_bits);
	else
		scnprintf(text, bytes,
			  "Intel perfmon v%u, %u general and %u fixed counters",
			  caps->version, hweight32((u32)caps->counters),
			  hweight32(caps->counters >> TPROF_X86_FIXED));
}

/**
 * tprof_x86_host_describe - describe the counters in one line for people
 * @text:	to be filled
 * @bytes:	size of @text
 *
 * Return: true if the counters cannot be used now; @text says why.
 */
bool tprof_x86_host_describe(char *text, size_t bytes)
{
	if (wrong) {
		describe_wrong(text, bytes);
		return true;
	}
	if (is_held_by_other()) {
		strscpy(text, "counters held by perf or the NMI watchdog", bytes);
		return true;
	}
	describe_caps(text, bytes);
	return false;
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
	tprof_x86_caps_fill(&loader_caps, ask_cpuid);
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
	on_each_cpu(call_fill, NULL, 1);
	source.entry = vendor->entry;
	source.handle = vendor->handle;
	tprof_nmi_add(&source);
	return 0;
}

/** tprof_x86_host_uninit - free the state of all CPUs, after the last NMI */
void tprof_x86_host_uninit(void)
{
	tprof_x86_fault_uninit();
	free_percpu(tprof_x86_cpus);
}
