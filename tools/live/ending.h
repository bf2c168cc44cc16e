/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what ends a recording or a count from outside: signals, time
 *
 * SIGINT from a terminal goes to the command as well: what is going on then
 * ends when the command does, or at the second SIGINT.
 */
#ifndef TPROF_ENDING_H
#define TPROF_ENDING_H

#include "base/types.h"

/**
 * struct ending - signals that are waited for
 * @fd:		readable when one has come
 * @has_command: a command runs, which gets what is typed on the terminal too
 * @interrupts:	SIGINTs that were left to it
 * @is_asked:	the end was asked for
 */
struct ending {
	int	fd;
	bool	has_command;
	u32	interrupts;
	bool	is_asked;
};

int ending_timeout(u64 until);
int ending_catch(struct ending *ending, bool has_command);
void ending_release(struct ending *ending);
bool ending_is_asked(struct ending *ending);

#endif /* TPROF_ENDING_H */
