/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the module tprof-lx-rogue: it programs counters without a reservation
 *
 * Only in the lab: on other machines, the registers may belong to firmware. As in common.h, a
 * function that can fail returns -errno, and no function prints.
 */
#ifndef TPROF_SELFTESTS_ROGUE_H
#define TPROF_SELFTESTS_ROGUE_H

#include "harness/common.h"

/**
 * struct rogue_numbers - numbers of the registers of the general counters
 * @select:	event select of the first one
 * @counter:	first counter
 * @step:	from the register of a counter to that of the next one
 * @global:	register that enables all counters; 0 if there is none
 */
struct rogue_numbers {
	__u32	select;
	__u32	counter;
	__u32	step;
	__u32	global;
};

struct rogue_numbers rogue_numbers(const char *mode);
int rogue_open(void);
void rogue_close(int rogue);
int rogue_write(int rogue, int cpu, __u32 msr, __u64 value);

#endif /* TPROF_SELFTESTS_ROGUE_H */
