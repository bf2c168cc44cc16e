// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of processes that become targets
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/gfp.h"
#include "target/names.h"

/* Return true if each byte of a name leads to one of the states. */
static bool are_valid(const struct tprof_names *names)
{
	u32 state, byte;

	for (state = 0; state < names->nr_states; state++) {
		for (byte = 1; byte < ARRAY_SIZE(names->states[state]); byte++) {
			if (names->states[state][byte] >= names->nr_states)
				return false;
		}
	}
	return true;
}

/**
 * tprof_names_make - make a set of names
 * @states:	states from user space
 * @nr_states:	their number, at least 1
 * @is_alone:	descendants of the processes do not become targets
 *
 * Context: process, may sleep.
 * Return: names to be freed by kvfree(), or ERR_PTR() of -ENOMEM or -EINVAL.
 */
struct tprof_names *tprof_names_make(const u8 *states, u32 nr_states, bool is_alone)
{
	struct tprof_names *names;

	names = kvzalloc(struct_size(names, states, nr_states), TPROF_GFP);
	if (!names)
		return ERR_PTR(-ENOMEM);
	names->is_alone = is_alone;
	names->nr_states = nr_states;
	memcpy(names->states, states, nr_states * sizeof(*names->states));
	if (are_valid(names))
		return names;
	kvfree(names);
	return ERR_PTR(-EINVAL);
}

/**
 * tprof_names_accept - report whether a name is one of a set
 * @names:	valid names, or NULL for none
 * @comm:	name of a process
 *
 * Context: any but NMI.
 * Return: true if it is.
 */
bool tprof_names_accept(const struct tprof_names *names, const char *comm)
{
	u32 i, state = 0;
	u8 byte;

	if (!names)
		return false;
	for (i = 0; i < TASK_COMM_LEN - 1; i++) {
		byte = READ_ONCE(comm[i]);
		if (!byte)
			break;
		state = names->states[state][byte];
	}
	return names->states[state][0];
}
