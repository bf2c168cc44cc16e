/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - other users of the counters, found in /proc
 */
#ifndef TPROF_HOLDERS_H
#define TPROF_HOLDERS_H

#include "base/types.h"

/**
 * struct holders - the processes found
 * @text:	"NAME (process PID), ...", cut if it does not fit
 * @nr:		number of processes
 * @perf:	process id of the first one with an event of perf only, or 0
 * @guests:	at least one has a virtual machine
 */
struct holders {
	char	text[256];
	u32	nr;
	s32	perf;
	bool	guests;
};

void holders_find(struct holders *holders, const char *proc);

#endif /* TPROF_HOLDERS_H */
