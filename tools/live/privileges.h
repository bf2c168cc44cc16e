/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - drop capabilities phase by phase
 *
 * tprof-lx opens the device with all capabilities that it was started with.
 * Each later phase keeps only the capabilities that it needs. With @keep_kill,
 * a phase also keeps CAP_KILL, so that tprof-lx can end a command that runs as
 * another user. A dropped capability cannot be regained.
 */
#ifndef TPROF_PRIVILEGES_H
#define TPROF_PRIVILEGES_H

#include "base/types.h"

/**
 * enum privileges - phases, each with the capabilities that it needs
 * @PRIVILEGES_OUTPUT:	creates the output file; keeps what the other phases need, too
 * @PRIVILEGES_PROC:	reads /proc of other users' processes, the files that they
 *			map, and addresses of the kernel
 * @PRIVILEGES_FILES:	opens files that other users' processes map
 * @PRIVILEGES_NONE:	needs no capabilities
 * @PRIVILEGES_GUARD:	the guardian of parking.h, which must open the device again
 */
enum privileges {
	PRIVILEGES_OUTPUT,
	PRIVILEGES_PROC,
	PRIVILEGES_FILES,
	PRIVILEGES_NONE,
	PRIVILEGES_GUARD,
};

int privileges_drop(enum privileges keep, bool keep_kill);
int privileges_drop_all(void);

#endif /* TPROF_PRIVILEGES_H */
