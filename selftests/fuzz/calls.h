/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - random system calls on sessions
 *
 * Sessions are in slots: file descriptors that are never free. Opening and closing
 * both replace the file in a slot by dup3(). So threads that share slots never close
 * a file descriptor that another thread has just got.
 */
#ifndef TPROF_FUZZ_CALLS_H
#define TPROF_FUZZ_CALLS_H

#include <stdbool.h>

#include "fuzz/dice.h"

#define CALLS_NR_SLOTS	8
#define CALLS_SLOT	200	/* the first slot */

/* Calls may block. The caller must then interrupt the threads by signals. */
extern bool calls_may_wait;

/* Calls may unload the module, even while other threads use it. */
extern bool calls_may_unload;

/**
 * struct call - a kind of call
 * @weight:	frequency, relative to the other kinds
 * @may_die:	a process can be killed during the call without lasting effects
 * @call:	makes the call; returns 0 or -errno
 */
struct call {
	unsigned int	weight;
	bool		may_die;
	int		(*call)(struct dice *dice);
};

/* Sessions that do_whole() has started, and times that the module was unloaded. */
extern unsigned long calls_nr_whole, calls_nr_unloads;

int calls_setup(void);
int calls_nr_cpus(void);
const struct call *calls_roll(struct dice *dice);

#endif /* TPROF_FUZZ_CALLS_H */
