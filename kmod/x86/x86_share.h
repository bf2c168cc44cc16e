/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counters that several events share
 *
 * A counter is free, or used by one event of all processes, or by any number of events of
 * processes whose sessions have no target in common. So hundreds of processes can count
 * themselves at the same time. The gate that opens gives its events their counters: the last
 * event of the counter is read, and the count and the rest of the period of the next one are
 * loaded (tprof_x86_cpu_seat()). That writes two registers of the counter, or one if both
 * events are of the same kind, and none if the event had the counter last. If a gate opens
 * before the last one closes, it stops the other event first; the other gate then does not
 * touch the counter.
 *
 * A gate without shared counters does not look for this: when a counter is shared for the
 * first time, swing() and settle() of struct tprof_pmu_gate are replaced in the gates of its
 * events, until they share no counter any more. The stall of an event is kept with it while it
 * has no counter. A sample that was waiting for its NMI is taken when the event is back.
 * During suspend, events take their turns without registers, and the counters are armed for
 * the events that had them last. When a CPU comes online, the events of all processes get
 * their counters before those of processes, since only the latter can share. In which order
 * the sessions were started does not matter then.
 */
#ifndef TPROF_X86_SHARE_H
#define TPROF_X86_SHARE_H

#include "x86/x86_run_types.h"

int tprof_x86_share_begin(struct tprof_x86_run *run);
void tprof_x86_share_end(struct tprof_x86_run *run);
void tprof_x86_share_check(struct tprof_pmu_gate *gate);
void tprof_x86_share_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate);
u64 tprof_x86_share_count(struct tprof_x86_run *run);
void tprof_x86_share_settle(const struct tprof_pmu_gate *gate, u64 *marks, u64 *sums);
bool tprof_x86_share_collides(const struct tprof_x86_run *run, const struct tprof_tasks *tasks);

/* Return true if an event shares its counter with others. */
static inline bool tprof_x86_is_shared(const struct tprof_x86_run *run)
{
	return run->rows->seats[run->seat.row]->next;
}

#endif /* TPROF_X86_SHARE_H */
