/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - gated clocks: clocks that stand still while the gate of their event is closed
 */
#ifndef TPROF_GATED_H
#define TPROF_GATED_H

#include "clock/clock.h"

void tprof_gated_start(struct tprof_clock *clock);
void tprof_gated_stop(struct tprof_clock *clock);
void tprof_gated_swing(const struct tprof_pmu_gate *gate, bool is_open);

#endif /* TPROF_GATED_H */
