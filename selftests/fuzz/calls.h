/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - random system calls on sessions
 *
 * Sessions are in slots: file descriptors that are always open. To open or close a
 * session, a thread replaces the file of a slot by dup3(), so it cannot close a file
 * descriptor that another thread has just opened.
 */
#ifndef TPROF_FUZZ_CALLS_H
#define TPROF_FUZZ_CALLS_H

#include <stdbool.h>

#include "fuzz/dice.h"

#define CALLS_NR_SLOTS	8
#define CALLS_SLOT	200	/* the first slot */

/* If true, calls may block: the program must interrupt its threads with signals. */
extern bool calls_may_wait;

/* If true, calls may unload the module, even while other threads use it. */
extern bool calls_may_unload;

/**
 * struct call - a kind of call
 * @weight:	frequency, relative to the other kinds
 * @may_die:	killing the process during the call has no lasting effects
 * @call:	function that makes the call and returns 0 or -errno
 */
struct call {
	unsigned int	weight;
	bool		may_die;
	int		(*call)(struct dice *dice);
};

/* Number of sessions that do_whole() has started, and number of unloads of the module. */
extern unsigned long calls_nr_whole, calls_nr_unloads;

int calls_setup(void);
int calls_nr_cpus(void);
const struct call *calls_roll(struct dice *dice);

#endif /* TPROF_FUZZ_CALLS_H */
