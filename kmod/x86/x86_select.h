/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from what was asked for to what a counter is told
 *
 * Whatever a counter would not understand is refused here, before any register
 * is touched. Compiles in user space.
 */
#ifndef TPROF_X86_SELECT_H
#define TPROF_X86_SELECT_H

#include "x86/x86_caps.h"

/**
 * struct tprof_x86_select - an event, as the counters of a CPU take it
 * @general:	value of a general counter's control, enabled
 * @fixed:	value of a fixed counter's four bits of control
 * @rows:	mask of counters that can count it
 * @grain:	mask of low bits that must be clear in what they are given
 * @counts_kernel: it counts what the kernel does
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
