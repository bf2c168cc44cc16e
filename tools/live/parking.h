/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - parking the NMI watchdog, and putting it back whatever happens
 *
 * The kernel's NMI watchdog counts cycles by perf, and perf takes all counters
 * of a CPU for one event. Whoever wants a counter has to switch the watchdog
 * off for that time. It is switched on again by a guardian, a process that
 * does nothing but wait for our end, so that no way to kill us leaves the
 * machine without it.
 *
 *	we					the guardian
 *	flock(lock, SH)
 *	EVENT: EBUSY, the watchdog is on
 *	fork ---------------------------------> setsid, all signals blocked,
 *						files closed, privileges dropped
 *	read <--------------------------------- "ready"
 *	write 0 to nmi_watchdog			read ...
 *	EVENT, START, ...
 *	exit, or SIGKILL ---------------------> end of file
 *						flock(lock, EX): no other user
 *						of the counters is left
 *						INFO: nor an event of a session
 *						write 1 to nmi_watchdog
 *
 * The lock keeps us from taking counters between the guardian's look at INFO
 * and its write: a watchdog that is switched on while somebody has the
 * counters says that it is on, and is not.
 */
#ifndef TPROF_PARKING_H
#define TPROF_PARKING_H

#include <sys/types.h>

#include "base/types.h"

/**
 * struct parking_places - files and questions that tests replace
 * @watchdog:	the switch
 * @lock:	held shared by each user of counters
 * @are_free:	is no counter in use? Asked until it is so.
 */
struct parking_places {
	const char *watchdog;
	const char *lock;
	bool	(*are_free)(void);
};

/**
 * struct parking - our part in it
 * @places:	where
 * @lock:	the lock, or -1
 * @guardian:	its process, 0 when there is none
 * @wire:	closing it sets the guardian to work
 */
struct parking {
	const struct parking_places *places;
	int	lock;
	pid_t	guardian;
	int	wire;
};

extern const struct parking_places parking_system;

int parking_watchdog(const struct parking_places *places);
void parking_join(struct parking *parking, const struct parking_places *places);
int parking_park(struct parking *parking);
void parking_leave(struct parking *parking);

#endif /* TPROF_PARKING_H */
