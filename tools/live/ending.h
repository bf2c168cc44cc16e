/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - end a recording or a count on a signal or after a time
 *
 * Ctrl-C in a terminal sends SIGINT to tprof-lx and to the command. The recording then
 * ends when the command ends, or at the second SIGINT. SIGUSR1 may ask for the counts so far.
 */
#ifndef TPROF_ENDING_H
#define TPROF_ENDING_H

#include "base/types.h"

/**
 * struct ending - the signals that end a recording
 * @fd:		signalfd
 * @has_command: a command runs, which also receives the terminal's signals
 * @interrupts:	number of SIGINTs from the terminal so far, if a command runs
 * @has_counts:	SIGUSR1 asks for the counts so far; set it before ending_catch()
 * @is_asked:	a signal requested the end
 * @is_count_asked: SIGUSR1 has arrived; cleared by the owner
 */
struct ending {
	int	fd;
	bool	has_command;
	bool	has_counts;
	bool	is_count_asked;
	u32	interrupts;
	bool	is_asked;
};

int ending_timeout(u64 until);
int ending_catch(struct ending *ending, bool has_command);
void ending_release(struct ending *ending);
bool ending_is_asked(struct ending *ending);

#endif /* TPROF_ENDING_H */
