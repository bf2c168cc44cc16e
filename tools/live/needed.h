/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the files that a command maps at its start
 */
#ifndef TPROF_NEEDED_H
#define TPROF_NEEDED_H

#include "base/types.h"

/* Maximum number of files. */
#define NEEDED_FILES	256

/**
 * struct needed - the files that a command maps at its start; empty if all members are zero
 * @paths:	their paths, without symbolic links
 * @nr:		number of @paths
 */
struct needed {
	char	*paths[NEEDED_FILES];
	u32	nr;
};

void needed_find(struct needed *needed, const char *command);
void needed_free(struct needed *needed);

#endif /* TPROF_NEEDED_H */
