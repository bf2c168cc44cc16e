/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - turns an attr into the control value of a counter
 *
 * An event that the counters cannot count is refused here, before any register
 * is touched. The file also compiles in user space, for the unit tests.
 */
#ifndef TPROF_X86_SELECT_H
#define TPROF_X86_SELECT_H

#include "x86/x86_caps.h"

/**
 * struct tprof_x86_select - control values with which a CPU's counters count an event
 * @general:	control value for a general counter, enabled
 * @fixed:	four control bits for a fixed counter
 * @rows:	mask of counters that can count it
 * @grain:	mask of low bits that must be clear in a start value
 * @counts_kernel: the counter may count while the NMI handler runs
 */
struct tprof_x86_select {
	u64	general;
	u64	fixed;
	u64	rows;
	u64	grain;
	bool	counts_kernel;
};

int tprof_x86_select(const struct perf_event_attr *attr,
		     const struct tprof_x86_caps *caps,
		     struct tprof_x86_select *select);

#endif /* TPROF_X86_SELECT_H */
