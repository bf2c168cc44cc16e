/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what ends a recording or a count from outside: signals, time
 *
 * SIGINT from a terminal goes to the command as well: what is going on then
 * ends when the command does, or at the second SIGINT.
 */
#ifndef TPROF_ENDING_H
#define TPROF_ENDING_H

#include "types.h"

/**
 * struct ending - signals that are waited for
 * @fd:		readable when one has come
 * @interrupts:	SIGINTs that were left to the command
 */
struct ending {
	int	fd;
	u32	interrupts;
};

u64 monotonic_ns(void);
int ending_timeout(u64 until);
int ending_catch(struct ending *ending);
void ending_release(struct ending *ending);
bool ending_is_asked(struct ending *ending, bool has_command);

#endif /* TPROF_ENDING_H */
