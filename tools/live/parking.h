/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - park the NMI watchdog, and restore it however tprof-lx ends
 *
 * The kernel's NMI watchdog uses a perf event that counts cycles. Even for a single
 * event, perf reserves all counters of a CPU. tprof-lx therefore switches the watchdog
 * off while it uses counters. A guardian process waits for tprof-lx to end, then
 * switches the watchdog on again. So the watchdog is restored even if SIGKILL ends
 * tprof-lx.
 *
 *	tprof-lx				the guardian
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
 *						INFO: no event has a counter
 *						write 1 to nmi_watchdog
 *
 * The lock keeps other processes from taking counters between the guardian's INFO and
 * its write. If the watchdog were switched on while the counters are taken, it would not
 * run, although nmi_watchdog reads 1.
 */
#ifndef TPROF_PARKING_H
#define TPROF_PARKING_H

#include <sys/types.h>

#include "base/types.h"

/**
 * struct parking_places - paths of the watchdog and of the lock; tests use their own
 * @watchdog:	path of kernel.nmi_watchdog
 * @lock:	path of the lock file; each user of counters has a shared flock(2) on it
 * @are_free:	returns true if no counter is in use; the guardian calls it repeatedly
 */
struct parking_places {
	const char *watchdog;
	const char *lock;
	bool	(*are_free)(void);
};

/**
 * struct parking - state of a process that uses counters
 * @places:	the paths; NULL before parking_join()
 * @lock:	file descriptor of the lock, or -1
 * @guardian:	process id of the guardian, or 0
 * @wire:	socket to the guardian; closing it makes the guardian restore the watchdog
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
