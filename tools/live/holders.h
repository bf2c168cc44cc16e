/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - other users of the counters, found in /proc
 */
#ifndef TPROF_HOLDERS_H
#define TPROF_HOLDERS_H

#include "base/types.h"

/**
 * struct holders - the processes that holders_find() found
 * @text:	"NAME (process PID), ...", truncated if it does not fit
 * @nr:		number of processes
 * @perf:	id of the first process with a perf event but no virtual machine, or 0
 * @guests:	a process has a virtual machine open
 */
struct holders {
	char	text[256];
	u32	nr;
	s32	perf;
	bool	guests;
};

void holders_find(struct holders *holders, const char *proc);

#endif /* TPROF_HOLDERS_H */
