// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the events behind a gate, by back end
 */
#include <linux/bitops.h>

#include "gate/gate_set.h"

/* Serve a back end that cannot count by thread, in a gate with a tally for other events. */
static void settle_nothing(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums)
{
}

/* Move the events of one back end from @mask to a new part of @set. */
static u32 add_part(struct tprof_gate_set *set, struct tprof_pmu_member *member, int cpu,
		    struct tprof_sampler *const *samplers, u32 mask)
{
	struct tprof_pmu_gate *part = &set->parts[set->nr_parts++];
	unsigned long bits = mask;
	struct tprof_pmu_event *event;
	u32 i;

	*part = (struct tprof_pmu_gate){
		.ops = samplers[__ffs(mask)]->pmu.ops,
		.swing = samplers[__ffs(mask)]->pmu.ops->gate,
		.settle = samplers[__ffs(mask)]->pmu.ops->settle ?: settle_nothing,
		.members = member,
	};
	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		event = &samplers[i]->pmu;
		if (event->ops != part->ops)
			continue;
		*member = (struct tprof_pmu_member){ .event = event, .index = i };
		part->nr_members++;
		set->has_pages |= !!event->page;
		set->is_counted |= !!(samplers[i]->sample_type & PERF_SAMPLE_WEIGHT);
		set->is_quiet &= !samplers[i]->tells_switches;
		if (part->ops->join)
			part->ops->join(part, member, cpu);
		member++;
		mask &= ~BIT(i);
	}
	return mask;
}

/**
 * tprof_gate_set_fill - put events behind a gate that is not used yet
 * @set:	result
 * @cpu:	CPU of the gate
 * @samplers:	events of the session
 * @mask:	mask of the events, all of them started on @cpu
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 */
void tprof_gate_set_fill(struct tprof_gate_set *set, int cpu,
			 struct tprof_sampler *const *samplers, u32 mask)
{
	u32 nr = 0;

	set->nr_parts = 0;
	set->has_pages = false;
	set->is_counted = false;
	set->is_quiet = true;
	while (mask) {
		mask = add_part(set, &set->members[nr], cpu, samplers, mask);
		nr += set->parts[set->nr_parts - 1].nr_members;
	}
	set->is_rich = set->has_pages || set->is_counted;
	set->is_single = set->nr_parts == 1 && !set->has_pages;
	set->is_plain = set->is_single && !set->is_counted;
	set->is_quiet &= set->nr_parts == 1;
}
