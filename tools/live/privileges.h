/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - capabilities, given up step by step
 *
 * The device is opened with all that the caller has. Afterwards each phase of
 * a recording keeps only what it needs and what is given up never comes back.
 */
#ifndef TPROF_PRIVILEGES_H
#define TPROF_PRIVILEGES_H

#include "base/types.h"

/**
 * enum privileges - how much to keep
 * @PRIVILEGES_OUTPUT:	to create the output file, and what comes after
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
