/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - gather the samples of the recording that a command reads
 */
#ifndef TPROF_GATHER_INPUT_H
#define TPROF_GATHER_INPUT_H

#include "profile/gather.h"

int gather_input(struct gather *gather, const struct gather_options *options,
		 const struct symbol_options *symbols, struct reader *reader, const char *name);

#endif /* TPROF_GATHER_INPUT_H */
