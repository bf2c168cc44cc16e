/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the interface of the module tprof-lx-rogue
 *
 * /dev/tprof-lx-rogue programs the counters of a CPU although it has not reserved them, as
 * firmware and careless modules do. At a reboot, the module logs which
 * of Intel's counters run.
 */
#ifndef TPROF_LX_ROGUE_H
#define TPROF_LX_ROGUE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TPROF_LX_ROGUE_DEVICE	"/dev/tprof-lx-rogue"

/**
 * struct tprof_lx_rogue - argument of the ioctls: a register of a CPU
 * @cpu:	in: online CPU
 * @msr:	in: number of the register, from one of the ranges of the counters
 * @value:	WRITE: in: value; READ: out: value
 *
 * Return: 0. Errors: EINVAL for another register, EIO for one that faults, ENXIO for a CPU
 * that is offline.
 */
struct tprof_lx_rogue {
	__u32	cpu;
	__u32	msr;
	__u64	value;
};

#define TPROF_LX_ROGUE_IOC_WRITE	_IO(0xBA, 0x00)
#define TPROF_LX_ROGUE_IOC_READ		_IO(0xBA, 0x01)

#endif /* TPROF_LX_ROGUE_H */
