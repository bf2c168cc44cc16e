/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - other users of the counters that /proc knows of
 */
#ifndef TPROF_HOLDERS_H
#define TPROF_HOLDERS_H

#include "base/types.h"

/**
 * struct holders - who was found
 * @text:	"NAME (process PID), ..."; what does not fit is left out
 * @nr:		how many
 * @perf:	process id of the first that has an event of perf, or 0
 * @guests:	some have a virtual machine
 */
struct holders {
	char	text[256];
	u32	nr;
	s32	perf;
	bool	guests;
};

void holders_find(struct holders *holders, const char *proc);

#endif /* TPROF_HOLDERS_H */
