/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - drop capabilities phase by phase
 *
 * The device is opened with all capabilities of the caller. Each later phase of a
 * recording keeps only those that it needs. Dropped capabilities cannot be regained.
 */
#ifndef TPROF_PRIVILEGES_H
#define TPROF_PRIVILEGES_H

#include "base/types.h"

/**
 * enum privileges - what to keep capabilities for
 * @PRIVILEGES_OUTPUT:	to create the output file, and PRIVILEGES_PROC
 * @PRIVILEGES_PROC:	to read /proc of other users' processes, the files that
 *			they map, and addresses of the kernel
 * @PRIVILEGES_NONE:	nothing
 * @PRIVILEGES_GUARD:	to open the device once more, and nothing else
 */
enum privileges {
	PRIVILEGES_OUTPUT,
	PRIVILEGES_PROC,
	PRIVILEGES_NONE,
	PRIVILEGES_GUARD,
};

int privileges_drop(enum privileges keep, bool keep_kill);

#endif /* TPROF_PRIVILEGES_H */
