/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - park the NMI watchdog, and restore it in any case
 *
 * The kernel's NMI watchdog counts cycles by perf, and perf reserves all counters of
 * a CPU for one event. tprof-lx therefore switches the watchdog off while it uses
 * counters. A guardian process, which only waits for tprof-lx to end, switches it on
 * again, so that the watchdog is restored even after SIGKILL.
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
 *						INFO: nor an event of a session
 *						write 1 to nmi_watchdog
 *
 * The lock keeps other processes from taking counters between the guardian's INFO and
 * its write. A watchdog that is switched on while the counters are taken does not run,
 * but its file still reads 1.
 */
#ifndef TPROF_PARKING_H
#define TPROF_PARKING_H

#include <sys/types.h>

#include "base/types.h"

/**
 * struct parking_places - files and a check, which tests replace
 * @watchdog:	path of kernel.nmi_watchdog
 * @lock:	path of the lock, which each user of counters holds shared
 * @are_free:	is no counter in use? Called until it returns true
 */
struct parking_places {
	const char *watchdog;
	const char *lock;
	bool	(*are_free)(void);
};

/**
 * struct parking - the use of counters by this process
 * @places:	the files; NULL before parking_join()
 * @lock:	the lock, or -1
 * @guardian:	process id of the guardian, 0 without one
 * @wire:	socket to the guardian, which acts at end of file
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
