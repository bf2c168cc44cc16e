/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the type of option -F
 */
#ifndef TPROF_RATE_OPTION_H
#define TPROF_RATE_OPTION_H

#include "cli/command.h"

#define RATE_DEFAULT_HZ	1000

/**
 * struct rate - a sampling rate
 * @hz:		samples per second
 * @max:	ignore @hz and use the module's max_rate
 */
struct rate {
	u64	hz;
	bool	max;
};

extern const struct option_type option_rate;

#endif /* TPROF_RATE_OPTION_H */
