/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names of processes that become targets
 *
 * The names are those that an automaton of user space accepts: see struct tprof_lx_follow. A name
 * has at most 15 bytes, so that each decision takes at most 16 loads.
 */
#ifndef TPROF_NAMES_H
#define TPROF_NAMES_H

#include <linux/tprof_lx.h>
#include <linux/types.h>

/**
 * struct tprof_names - a set of names
 * @is_alone:	descendants of the processes do not become targets
 * @nr_followed: number of processes that became targets; under the lock of the target
 * @nr_states:	number of states
 * @states:	for each state, the next state for each byte
 */
struct tprof_names {
	bool	is_alone;
	u64	nr_followed;
	u32	nr_states;
	u8	states[][TPROF_LX_NAME_STATE_BYTES];
};

struct tprof_names *tprof_names_make(const u8 *states, u32 nr_states, bool is_alone);
bool tprof_names_accept(const struct tprof_names *names, const char *comm);

#endif /* TPROF_NAMES_H */
