/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - add events to a session and start them, and park the NMI watchdog for them
 */
#ifndef TPROF_CLAIM_H
#define TPROF_CLAIM_H

#include "base/message.h"
#include "base/parse.h"
#include "events/event_spec.h"
#include "live/device.h"
#include "live/parking.h"

/**
 * struct claim - a session, and the state of parking the NMI watchdog
 * @device:	file descriptor of the session
 * @info:	result of INFO for @device
 * @cpus:	CPUs of the session; empty if it records all CPUs
 * @flags:	TPROF_LX_EVENT_* flags of all events; an event without user call chains has
 *		no TPROF_LX_EVENT_TABLES
 * @added:	flags that any of the added events has
 * @stack_bytes: @stack_bytes of EVENT, for events with TPROF_LX_EVENT_TABLES
 * @no_park:	do not park the NMI watchdog
 * @no_deferred:	do not complete truncated user chains on return to user mode
 * @parking:	state of the parking; all zero until the first event that uses a
 *		hardware counter is added
 */
struct claim {
	int	device;
	const struct device_info *info;
	const struct cpu_list *cpus;
	u32	flags;
	u32	added;
	u32	stack_bytes;
	bool	no_park;
	bool	no_deferred;
	struct parking parking;
};

/**
 * struct claim_scope - what a session observes; without targets, all processes
 * @targets:	the processes, or those of the threads
 * @has_threads: claim_threads() will limit the session to threads
 * @is_alone:	leave descendants of @targets out
 */
struct claim_scope {
	const struct pid_list *targets;
	bool	has_threads;
	bool	is_alone;
};

int claim_cpus(const struct claim *claim);
int claim_configure(const struct claim *claim, const struct claim_scope *scope,
		    struct tprof_lx_config *config);
int claim_threads(const struct claim *claim, const struct pid_list *tids);
int claim_event(struct claim *claim, const struct event_spec *spec,
		const struct tprof_lx_backend *backend, const struct perf_event_attr *attr,
		struct tprof_lx_event *added, struct message *msg);
int claim_start(struct claim *claim, u32 mask, u32 *degraded, struct message *msg);
void claim_release(struct claim *claim);

#endif /* TPROF_CLAIM_H */
