/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - random calls: what a fuzzer does to sessions
 *
 * Sessions stand in slots, which are file descriptors that are never free: an
 * open replaces what is there, and so does a close. So several threads may open
 * and close the same ones at any moment, and none closes something else.
 */
#ifndef TPROF_FUZZ_CALLS_H
#define TPROF_FUZZ_CALLS_H

#include <stdbool.h>

#include "fuzz/dice.h"

#define CALLS_NR_SLOTS	8
#define CALLS_SLOT	200	/* the first of them */

/* May a call wait? Then somebody has to send signals. */
extern bool calls_may_wait;

/* May the module be taken out, whoever has it open? */
extern bool calls_may_unload;

/**
 * struct call - one kind of call
 * @weight:	how often it is done, beside the others
 * @may_die:	who is killed in the middle of it leaves nothing behind
 * @call:	does it; returns 0 or -errno
 */
struct call {
	unsigned int	weight;
	bool		may_die;
	int		(*call)(struct dice *dice);
};

/* Sessions that were made to run by one call, and modules that were taken out. */
extern unsigned long calls_nr_whole, calls_nr_unloads;

int calls_setup(void);
int calls_nr_cpus(void);
const struct call *calls_roll(struct dice *dice);

#endif /* TPROF_FUZZ_CALLS_H */
