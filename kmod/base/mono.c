// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - CLOCK_MONOTONIC, computed inline in any context
 *
 * Context: the timekeeper calls mono_update() under its raw lock with interrupts
 * off; tprof_mono_clock() runs in any context, NMI included; everything else in
 * process context.
 */
#include <linux/clocksource.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "base/mono.h"

struct tprof_mono tprof_mono;

static int mono_update(struct notifier_block *block, unsigned long was_set,
		       void *data)
{
	const struct timekeeper *keeper = data;
	const struct tk_read_base *read = &keeper->tkr_mono;
	bool is_tsc = read->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC;
	const struct tprof_mono_base base = {
		.last		= read->cycle_last,
		.valid		= is_tsc ? read->clock->max_cycles : 0,
		.shifted	= read->xtime_nsec,
		.base		= ktime_to_ns(read->base),
		.mult		= read->mult,
		.shift		= read->shift,
	};

	/*
	 * Barrier N, pairs with tprof_mono_at(): a reader uses the copy that is not
	 * being replaced.
	 */
	raw_write_seqcount_latch(&tprof_mono.seq);
	tprof_mono.bases[0] = base;
	raw_write_seqcount_latch(&tprof_mono.seq);
	tprof_mono.bases[1] = base;
	return NOTIFY_OK;
}

static struct notifier_block mono_block = { .notifier_call = mono_update };

/**
 * tprof_mono_clock - read CLOCK_MONOTONIC
 *
 * This is tprof_mono_ns() as a function with an address: tprof_attr_clock() returns a
 * pointer to it.
 *
 * Context: any, NMI included.
 * Return: nanoseconds.
 */
u64 tprof_mono_clock(void)
{
	return tprof_mono_ns();
}

/**
 * tprof_mono_init - start copying the timekeeper's values, at module load
 *
 * Return: 0 or -errno.
 */
int tprof_mono_init(void)
{
	seqcount_latch_init(&tprof_mono.seq);
	/* The registration calls mono_update(), which copies the present values. */
	return pvclock_gtod_register_notifier(&mono_block);
}

/** tprof_mono_uninit - stop copying the timekeeper's values, after the last event */
void tprof_mono_uninit(void)
{
	pvclock_gtod_unregister_notifier(&mono_block);
}
