/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an automaton that accepts the names of processes that match a regular expression
 *
 * The module follows processes by it: see struct tprof_lx_follow.
 */
#ifndef TPROF_NAME_AUTOMATON_H
#define TPROF_NAME_AUTOMATON_H

#include <linux/tprof_lx.h>

#include "base/types.h"

/**
 * struct name_automaton - an automaton
 * @nr:		number of states
 * @states:	for each state, the next one for each byte, and whether the name is accepted if it
 *		ends there
 */
struct name_automaton {
	u32	nr;
	u8	states[TPROF_LX_MAX_NAME_STATES][TPROF_LX_NAME_STATE_BYTES];
};

int name_automaton_make(struct name_automaton *automaton, const char *pattern);

#endif /* TPROF_NAME_AUTOMATON_H */
