/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - weigh the entries and call trees of profiles by latency
 *
 * Samples are grouped by their parallelism, too: by a key that the user has chosen, or by a hidden
 * one. Then the latency of a group is its period divided by one number, so nothing is lost by
 * rounding single samples. latency_merge() removes a hidden key, and joins the groups.
 *
 * Afterwards, tallies, call trees and profile.period have latencies. The periods are in
 * profile_entry.spent and profile.spent.
 */
#ifndef TPROF_LATENCY_H
#define TPROF_LATENCY_H

#include "profile/gather.h"

int latency_merge(struct gather *gather);

#endif /* TPROF_LATENCY_H */
