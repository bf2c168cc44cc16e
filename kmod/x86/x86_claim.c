// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the claim of the back end to the counters of all CPUs
 *
 * The back end holds the counters while it has an event. When it reserves them, it looks for
 * counters that run nevertheless, and leaves them to those that have started them. The first
 * time, it tests the counters (x86_selftest.c).
 *
 * Context: process, under the x86 lock (pmu_x86.c). The functions call_*() run with
 * interrupts off, on the CPU whose counters they access.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "base/ipi.h"
#include "base/params.h"
#include "x86/x86_claim.h"
#include "x86/x86_dirty.h"
#include "x86/x86_host.h"
#include "x86/x86_reserve.h"
#include "x86/x86_saved.h"
#include "x86/x86_selftest.h"

/* CPUID leaf with the name of the hypervisor. */
#define CPUID_HYPERVISOR	0x40000000

/* What the last selftest found wrong, or NULL. */
static const char *wrong;
static bool is_tested;
/* CPUs that tprof_x86_claim_foreign() has asked since the counters were reserved. */
static struct cpumask looked_at;

static void call_test(void *data)
{
	const char **result = data;

	tprof_x86_host_watch();
	*result = tprof_x86_selftest(this_cpu_ptr(tprof_x86_cpus));
	tprof_x86_host_unwatch();
}

/*
 * Test the counters, unless they have passed before. Log a failure unless it is
 * the same as before; INFO reports it in any case.
 */
static int run_selftest(void)
{
	const char *before = wrong;
	const char *result = NULL;

	if (is_tested)
		return 0;
	tprof_ipi_call(cpumask_first(cpu_online_mask), call_test, &result);
	wrong = result;
	is_tested = !wrong;
	if (wrong && wrong != before)
		pr_info("%s: %s\n", tprof_x86_host_vendor()->name, wrong);
	return wrong ? -EIO : 0;
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

/**
 * struct users - counters of a CPU that run while this module has armed none
 * @running:	mask of the counters
 * @silent:	mask of those that cannot be perf's
 */
struct users {
	u64	running;
	u64	silent;
};

static void call_find_users(void *data)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);
	struct users *users = data;

	users->running = tprof_x86_saved_running(xcpu);
	users->silent = users->running ? tprof_x86_saved_silent(xcpu) : 0;
}

/**
 * tprof_x86_claim_foreign - find the counters of a CPU that are not to be used
 * @cpu:	online CPU
 * @foreign:	result: mask of the counters
 *
 * The CPU is asked the first time after the counters were reserved. Counters that run although
 * they are reserved are those of firmware, or of a program that reserves nothing. If the
 * reservation does not keep perf away, they may be perf's, and then it would disturb all others.
 *
 * Return: 0; -EBUSY if none of the counters may be used.
 */
int tprof_x86_claim_foreign(int cpu, u64 *foreign)
{
	struct tprof_x86_cpu *xcpu = per_cpu_ptr(tprof_x86_cpus, cpu);
	struct users users = {};

	if (!cpumask_test_cpu(cpu, &looked_at)) {
		tprof_ipi_call(cpu, call_find_users, &users);
		xcpu->foreign = users.running;
		if (users.running & ~users.silent && xcpu->caps.has_aliases)
			return -EBUSY;
		cpumask_set_cpu(cpu, &looked_at);
		if (xcpu->foreign)
			pr_info("CPU %d: firmware or another program uses counters %#llx; they are left alone\n",
				cpu, xcpu->foreign);
	}
	*foreign = xcpu->foreign;
	return 0;
}

static int look_at_all(void)
{
	u64 foreign;
	int cpu, err;

	cpumask_clear(&looked_at);
	for_each_online_cpu(cpu) {
		err = tprof_x86_claim_foreign(cpu, &foreign);
		if (err)
			return err;
	}
	return 0;
}

/**
 * tprof_x86_claim - reserve the counters of all CPUs
 *
 * Context: a user's process, CPU hotplug locked.
 * Return: 0; -EBUSY if another user, such as perf, holds them; -EIO if they fail the
 * selftest: tprof_x86_claim_describe() reports why.
 */
int tprof_x86_claim(void)
{
	int err;

	err = tprof_x86_reserve(tprof_x86_host_loader(), most_general());
	if (err)
		return err;
	err = look_at_all();
	if (!err) {
		tprof_x86_dirty_begin();
		err = run_selftest();
	}
	if (err)
		tprof_x86_unreserve();
	return err;
}

/** tprof_x86_claim_end - release the counters of all CPUs; none is armed any more */
void tprof_x86_claim_end(void)
{
	tprof_x86_unreserve();
}

/*
 * Find the users of a CPU's counters but for this module. A counter that perf holds for a task
 * that sleeps is not found. What was found to run although the counters
 * were reserved is not perf's, unless the reservation does not keep perf away.
 */
static void find_users(int cpu, struct users *users)
{
	const struct tprof_x86_cpu *xcpu = per_cpu_ptr(tprof_x86_cpus, cpu);

	if (tprof_x86_is_reserved()) {
		users->running = xcpu->foreign;
		users->silent = xcpu->foreign;
		return;
	}
	tprof_ipi_call(cpu, call_find_users, users);
	if (!xcpu->caps.has_aliases)
		users->silent |= users->running & xcpu->foreign;
}

/**
 * tprof_x86_claim_look - find the counters of a CPU that firmware or another program runs
 * @cpu:	possible CPU
 *
 * If this module does not hold the counters, those are found that cannot be perf's.
 *
 * Return: mask of the counters; 0 for a CPU that is offline and was not asked before.
 */
u64 tprof_x86_claim_look(int cpu)
{
	struct users users = {};

	find_users(cpu, &users);
	return users.silent;
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

	tprof_x86_host_cpuid(CPUID_HYPERVISOR, 0, &regs);
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
	const char *name = tprof_x86_host_loader()->has_hypervisor ? hypervisor_name() : NULL;

	if (name)
		scnprintf(text, bytes, "%s (%s)", wrong, name);
	else
		scnprintf(text, bytes, "%s", wrong);
}

/* Return the capabilities of a CPU of a kind that has been online, or NULL. */
static const struct tprof_x86_caps *caps_of_kind(u32 core_type)
{
	const struct tprof_x86_caps *caps;
	int cpu;

	for_each_possible_cpu(cpu) {
		caps = &per_cpu_ptr(tprof_x86_cpus, cpu)->caps;
		if (caps->vendor == TPROF_X86_INTEL && caps->core_type == core_type)
			return caps;
	}
	return NULL;
}

static u32 nr_fixed(const struct tprof_x86_caps *caps)
{
	return hweight32(caps->counters >> TPROF_X86_FIXED);
}

/* Describe the kinds of cores if there are two. Return true if so. */
static bool describe_kinds(char *text, size_t bytes, u32 version)
{
	const struct tprof_x86_caps *large = caps_of_kind(TPROF_X86_CORE_LARGE);
	const struct tprof_x86_caps *small = caps_of_kind(TPROF_X86_CORE_SMALL);

	if (!large || !small)
		return false;
	scnprintf(text, bytes, "Intel perfmon v%u, cpu_core %u+%u, cpu_atom %u+%u", version,
		  hweight32((u32)large->counters), nr_fixed(large),
		  hweight32((u32)small->counters), nr_fixed(small));
	return true;
}

static void describe_caps(char *text, size_t bytes)
{
	const struct tprof_x86_caps *caps = tprof_x86_host_loader();
	static const char *const amd_versions[] = {
		[TPROF_X86_AMD_K7]	= "legacy",
		[TPROF_X86_AMD_CORE]	= "core extension",
		[TPROF_X86_AMD_V2]	= "PerfMonV2",
	};

	if (describe_kinds(text, bytes, caps->version))
		return;
	if (caps->vendor == TPROF_X86_AMD)
		scnprintf(text, bytes, "AMD %s, %u counters of %u bits",
			  amd_versions[caps->version],
			  hweight32((u32)caps->counters), caps->general_bits);
	else
		scnprintf(text, bytes,
			  "Intel perfmon v%u, %u general and %u fixed counters",
			  caps->version, hweight32((u32)caps->counters),
			  nr_fixed(caps));
}

/* Append how many counters of this CPU firmware or another program uses, if any. */
static void append_foreign(char *text, size_t bytes, u64 foreign)
{
	size_t length = strlen(text);

	if (foreign)
		scnprintf(text + length, bytes - length,
			  "; %u foreign", (u32)hweight64(foreign));
}

/**
 * tprof_x86_claim_describe - describe the counters in one line for people
 * @text:	to be filled
 * @bytes:	size of @text
 *
 * Return: true if the counters cannot be used now; @text says why.
 */
bool tprof_x86_claim_describe(char *text, size_t bytes)
{
	struct users users = {};

	if (wrong) {
		describe_wrong(text, bytes);
		return true;
	}
	find_users(raw_smp_processor_id(), &users);
	if (tprof_x86_is_held_by_perf() || users.running & ~users.silent) {
		strscpy(text, "counters held by perf or the NMI watchdog", bytes);
		return true;
	}
	describe_caps(text, bytes);
	append_foreign(text, bytes, users.silent);
	return false;
}
