/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which CPUs of a session have rings of which size
 */
#ifndef TPROF_CPU_RINGS_H
#define TPROF_CPU_RINGS_H

#include "session/crew.h"

unsigned long tprof_cpu_ring_bytes(const struct tprof_crew *crew, int cpu);
int tprof_cpu_choose_rings(struct tprof_crew *crew, bool is_shared);

#endif /* TPROF_CPU_RINGS_H */
