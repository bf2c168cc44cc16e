/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - a recording to compare
 */
#ifndef TPROF_DIFF_SIDE_H
#define TPROF_DIFF_SIDE_H

#include "diff/binaries.h"
#include "diff/diff_options.h"
#include "diff/nameless.h"

/**
 * struct side - a recording to compare
 * @name:	its file name
 * @fd:		the file, or -1
 * @reader:	reads it
 * @gather:	its profiles
 * @dsos:	its binaries, by the names of column dso
 * @paths:	the same, by the names of column path
 * @nameless:	its functions without a symbol
 */
struct side {
	const char *name;
	int	fd;
	struct reader reader;
	struct gather gather;
	struct binaries dsos;
	struct binaries paths;
	struct nameless nameless;
};

int side_read(struct side *side, const char *name, const struct diff_options *opts);
int side_match(struct side *side, const struct side *old);
double side_seconds(const struct side *side);
const struct profile *side_profile(const struct side *side, const char *event);
void side_free(struct side *side);

#endif /* TPROF_DIFF_SIDE_H */
