/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what keeps a machine from being profiled, and what mends it
 */
#ifndef TPROF_DIAGNOSIS_H
#define TPROF_DIAGNOSIS_H

#include "doctor/finding.h"
#include "doctor/machine.h"
#include "live/device.h"

/**
 * struct answer - what came of asking the module
 * @err:	-errno of opening the device; 0 if that worked
 * @why:	what that means
 * @counters_err: of an event of the counters: 0, -EBUSY, or -EIO if they do not do
 *		what the processor says
 * @is_root:	who asked
 * @info:	what the module says, if it worked
 */
struct answer {
	int	err;
	const char *why;
	int	counters_err;
	bool	is_root;
	struct device_info info;
};

void diagnosis_make(struct diagnosis *diagnosis, const struct machine *machine,
		    const struct answer *answer);

#endif /* TPROF_DIAGNOSIS_H */
