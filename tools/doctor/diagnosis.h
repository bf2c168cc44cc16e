/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find what prevents profiling on a machine, and how to fix it
 */
#ifndef TPROF_DIAGNOSIS_H
#define TPROF_DIAGNOSIS_H

#include "doctor/finding.h"
#include "doctor/machine.h"
#include "live/device.h"

/**
 * struct answer - results of calling the module's device
 * @err:	0, or -errno of opening the device
 * @why:	message that explains @err
 * @counters_err: 0, or -errno of adding an event of the hardware counters; -EIO if
 *		they do not work as CPUID describes them
 * @is_root:	doctor runs as root
 * @info:	result of INFO, if @err is 0
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
