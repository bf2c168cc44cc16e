/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the interface of the module tprof-lx-burn
 *
 * /dev/tprof-lx-burn makes the kernel spend time on the caller's CPU. Each context
 * spends it in its own function, which a test can find in a profile:
 * tprof_lx_burn_task, tprof_lx_burn_irqs_off, tprof_lx_burn_softirq or
 * tprof_lx_burn_hardirq.
 */
#ifndef TPROF_LX_BURN_H
#define TPROF_LX_BURN_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TPROF_LX_BURN_DEVICE	"/dev/tprof-lx-burn"
#define TPROF_LX_BURN_MAX_USECS	20000

enum tprof_lx_burn_context {
	TPROF_LX_BURN_TASK,
	TPROF_LX_BURN_IRQS_OFF,
	TPROF_LX_BURN_SOFTIRQ,
	TPROF_LX_BURN_HARDIRQ,
	TPROF_LX_BURN_CONTEXTS,
};

/**
 * struct tprof_lx_burn - argument of TPROF_LX_BURN_IOC_BURN: spend time in a context
 * @context:	in: enum tprof_lx_burn_context
 * @usecs:	in: microseconds to spend, at most TPROF_LX_BURN_MAX_USECS
 * @spent_ns:	out: nanoseconds that were spent
 *
 * Return: 0. Errors: EINVAL.
 */
struct tprof_lx_burn {
	__u32	context;
	__u32	usecs;
	__u64	spent_ns;
};

#define TPROF_LX_BURN_IOC_BURN	_IO(0xB9, 0x00)
/* Send an NMI that no handler claims. The argument is the number of the receiving CPU. */
#define TPROF_LX_BURN_IOC_NMI	_IO(0xB9, 0x01)
/* Return the LVTPC entry of a CPU's local APIC. The argument is the number of the CPU. */
#define TPROF_LX_BURN_IOC_LVTPC	_IO(0xB9, 0x02)

/*
 * Keep the caller's CPU in an NMI for the milliseconds in the argument, at most
 * TPROF_LX_BURN_MAX_STALL_MSECS. The caller must be pinned to the CPU.
 */
#define TPROF_LX_BURN_IOC_STALL	_IO(0xB9, 0x03)
#define TPROF_LX_BURN_MAX_STALL_MSECS	5000
/* Return the CPU that TPROF_LX_BURN_IOC_STALL keeps in an NMI, or fail with ENOENT. */
#define TPROF_LX_BURN_IOC_STALLED	_IO(0xB9, 0x04)

#endif /* TPROF_LX_BURN_H */
