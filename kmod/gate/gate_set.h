/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the events behind a gate, by back end
 */
#ifndef TPROF_GATE_SET_H
#define TPROF_GATE_SET_H

#include "pmu/pmu.h"
#include "sample/sampler.h"

/**
 * struct tprof_gate_set - the events behind a gate
 * @parts:	the events, by back end
 * @nr_parts:	number of @parts
 * @has_pages:	some of the events have count pages
 * @is_counted:	some of the events have TPROF_LX_EVENT_PARALLELISM
 * @is_rich:	@has_pages or @is_counted
 * @is_single:	the events have one back end, and no count page
 * @is_plain:	the same, and the set is not @is_counted
 * @is_quiet:	the events have one back end, and no READ records of switches
 * @members:	memory of the arrays in @parts
 */
struct tprof_gate_set {
	struct tprof_pmu_gate	parts[TPROF_LX_MAX_BACKENDS];
	u32			nr_parts;
	bool			has_pages;
	bool			is_counted;
	bool			is_rich;
	bool			is_single;
	bool			is_plain;
	bool			is_quiet;
	struct tprof_pmu_member	members[TPROF_LX_MAX_EVENTS];
};

void tprof_gate_set_fill(struct tprof_gate_set *set, int cpu,
			 struct tprof_sampler *const *samplers, u32 mask);

#endif /* TPROF_GATE_SET_H */
