// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the reservation of the counters, which keeps perf away
 *
 * The kernel reserves all counters for the first user that asks for them. perf,
 * and with it the NMI watchdog, holds them while it has a hardware event.
 *
 * From perfmon version 6 on, the registers have further numbers, the aliases, and perf
 * accesses the counters by these. The kernel's reservation knows the old numbers only: it
 * grants an alias to each user. So there, reserve_perfctr_nmi() is probed. While this module
 * holds the counters, the function returns for an alias what it returns for an old number
 * that is reserved, and perf_event_open(2) fails with EBUSY. While perf holds them, this
 * module cannot reserve them. The probes run only when perf adds its first event and
 * frees its last.
 *
 * The comparisons of x86_intruder.c cannot take the place of the probe: they notice perf only when
 * it has overwritten counters, and until then an NMI handler of this module, which writes the
 * register that enables all counters, stops those of perf.
 *
 * The probes do not know what perf held before the module was loaded. Its counters that
 * run then are found by tprof_x86_saved_running().
 *
 * Context: process, under the x86 lock; the probes in any process.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <asm/nmi.h>

#include "x86/x86_reserve.h"

/* Registers from the alias of the first general counter to that of the last fixed one. */
#define ALIAS_FIRST	0x1900
#define ALIAS_LAST	0x19ff

/* Values of @holder. */
enum {
	NOBODY,
	THIS_MODULE_HOLDS,
	PERF_HOLDS,
};

/* Holder of the aliases, as far as it is known. */
static atomic_t holder;
static bool is_probed;

/* What was reserved: number of general counters, and their registers. */
static u32 nr_reserved;
static const struct tprof_x86_caps *reserved;

static bool is_alias(unsigned long msr)
{
	return msr >= ALIAS_FIRST && msr <= ALIAS_LAST;
}

static int note_register(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	unsigned long msr = regs_get_kernel_argument(regs, 0);

	*(unsigned long *)instance->data = msr;
	/* Call refuse_register() for an alias only. */
	return is_alias(msr) ? 0 : 1;
}

static int refuse_register(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	unsigned long msr = *(unsigned long *)instance->data;

	if (msr == ALIAS_FIRST)
		atomic_cmpxchg(&holder, NOBODY, PERF_HOLDS);
	if (atomic_read(&holder) == THIS_MODULE_HOLDS)
		regs_set_return_value(regs, 0);
	return 0;
}

static int note_release(struct kprobe *probe, struct pt_regs *regs)
{
	if (regs_get_kernel_argument(regs, 0) == ALIAS_FIRST)
		atomic_cmpxchg(&holder, PERF_HOLDS, NOBODY);
	return 0;
}

static struct kretprobe reserve_probe = {
	.kp.symbol_name	= "reserve_perfctr_nmi",
	.entry_handler	= note_register,
	.handler	= refuse_register,
	.data_size	= sizeof(unsigned long),
};

static struct kprobe release_probe = {
	.symbol_name	= "release_perfctr_nmi",
	.pre_handler	= note_release,
};

static void release_registers(const struct tprof_x86_caps *caps, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		release_perfctr_nmi(caps->reserve + i * caps->step);
		release_evntsel_nmi(caps->select + i * caps->step);
	}
}

static int reserve_registers(const struct tprof_x86_caps *caps, u32 nr)
{
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
	release_registers(caps, i);
	return -EBUSY;
}

/**
 * tprof_x86_reserve - reserve the counters of all CPUs
 * @caps:	capabilities with the numbers of the registers; constant
 * @nr:		number of general counters
 *
 * Return: 0; or -EBUSY if another user holds them.
 */
int tprof_x86_reserve(const struct tprof_x86_caps *caps, u32 nr)
{
	int err;

	err = reserve_registers(caps, nr);
	if (err)
		return err;
	if (atomic_cmpxchg(&holder, NOBODY, THIS_MODULE_HOLDS) != NOBODY) {
		release_registers(caps, nr);
		return -EBUSY;
	}
	nr_reserved = nr;
	reserved = caps;
	return 0;
}

/** tprof_x86_unreserve - undo tprof_x86_reserve() */
void tprof_x86_unreserve(void)
{
	atomic_set(&holder, NOBODY);
	release_registers(reserved, nr_reserved);
	nr_reserved = 0;
}

/** tprof_x86_is_reserved - return true if this module holds the counters */
bool tprof_x86_is_reserved(void)
{
	return nr_reserved;
}

/**
 * tprof_x86_is_held_by_perf - report whether perf is known to hold the counters
 *
 * The kernel does not name the holder of a register. A reservation on trial would make those fail
 * that another task needs at the same time.
 *
 * Return: true if the probes have seen it. Without aliases, there are no probes.
 */
bool tprof_x86_is_held_by_perf(void)
{
	return atomic_read(&holder) == PERF_HOLDS;
}

/**
 * tprof_x86_reserve_init - keep perf away by the aliases, where there are some
 * @caps:	capabilities of the CPU that loads the module
 *
 * If the probes fail, perf is noticed only by counters that run.
 */
void tprof_x86_reserve_init(const struct tprof_x86_caps *caps)
{
	int err;

	if (!caps->has_aliases)
		return;
	err = register_kretprobe(&reserve_probe);
	if (err) {
		pr_info("perf can use counters while this module does: no probe (%d)\n", err);
		return;
	}
	err = register_kprobe(&release_probe);
	if (err) {
		pr_info("perf can use counters while this module does: no probe (%d)\n", err);
		unregister_kretprobe(&reserve_probe);
		return;
	}
	is_probed = true;
}

/** tprof_x86_reserve_uninit - undo tprof_x86_reserve_init(), at module exit */
void tprof_x86_reserve_uninit(void)
{
	if (!is_probed)
		return;
	unregister_kprobe(&release_probe);
	unregister_kretprobe(&reserve_probe);
	is_probed = false;
}
