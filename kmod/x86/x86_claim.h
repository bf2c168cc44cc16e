/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the claim of the back end to the counters of all CPUs
 */
#ifndef TPROF_X86_CLAIM_H
#define TPROF_X86_CLAIM_H

#include <linux/types.h>

u64 tprof_x86_claim_look(int cpu);
int tprof_x86_claim_foreign(int cpu, u64 *foreign);
int tprof_x86_claim(void);
void tprof_x86_claim_end(void);
bool tprof_x86_claim_describe(char *text, size_t bytes);

#endif /* TPROF_X86_CLAIM_H */
