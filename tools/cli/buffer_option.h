/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the type of option -m
 */
#ifndef TPROF_BUFFER_OPTION_H
#define TPROF_BUFFER_OPTION_H

#include "cli/command.h"

/**
 * struct buffer_sizes - value of -m
 * @ring:	bytes of each CPU's ring, 0 for the module's default
 * @fifo:	bytes of the queue from the module to tprof-lx, 0 for the module's default
 */
struct buffer_sizes {
	u64	ring;
	u64	fifo;
};

extern const struct option_type option_sizes;

#endif /* TPROF_BUFFER_OPTION_H */
