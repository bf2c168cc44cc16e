/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - getting events from the module, with the watchdog out of the way
 */
#ifndef TPROF_CLAIM_H
#define TPROF_CLAIM_H

#include "base/message.h"
#include "base/parse.h"
#include "events/event_spec.h"
#include "live/device.h"
#include "live/parking.h"

/**
 * struct claim - what a session has a claim to
 * @device:	the session
 * @info:	what its module said
 * @cpus:	where it runs; empty for everywhere
 * @no_park:	the watchdog stays on
 * @no_deferred:	call chains that end at memory that is not present stay so
 * @parking:	our part in switching it off; all zeroes before counters are
 *		asked for
 */
struct claim {
	int	device;
	const struct device_info *info;
	const struct cpu_list *cpus;
	bool	no_park;
	bool	no_deferred;
	struct parking parking;
};

int claim_cpus(const struct claim *claim);
int claim_event(struct claim *claim, const struct event_spec *spec,
		const struct tprof_lx_backend *backend, const struct perf_event_attr *attr,
		struct tprof_lx_event *added, struct message *msg);
int claim_start(struct claim *claim, u32 mask, u32 *degraded, struct message *msg);
void claim_release(struct claim *claim);

#endif /* TPROF_CLAIM_H */
