/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - gather the samples of the recording that a command reads
 */
#ifndef TPROF_GATHER_INPUT_H
#define TPROF_GATHER_INPUT_H

#include "profile/gather.h"

/**
 * struct gathered - a recording and its samples; set up by gathered_open()
 * @fd:		the file
 * @reader:	the recording
 * @gather:	its samples
 */
struct gathered {
	int	fd;
	struct reader reader;
	struct gather gather;
};

int gather_input(struct gather *gather, const struct gather_options *options,
		 const struct symbol_options *symbols, struct reader *reader, const char *name);
int gathered_open(struct gathered *gathered, const struct gather_options *options,
		  const struct symbol_options *symbols, const char *name);
void gathered_close(struct gathered *gathered);

#endif /* TPROF_GATHER_INPUT_H */
