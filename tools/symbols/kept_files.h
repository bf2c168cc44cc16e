/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - binaries that are kept open, as their paths may not lead to them any more
 */
#ifndef TPROF_KEPT_FILES_H
#define TPROF_KEPT_FILES_H

#include "perfdata/perfdata.h"

/* Maximum number of files. */
#define KEPT_FILES	256

/**
 * struct kept_files - open binaries; empty if all members are zero
 * @root:	tree of binaries by build-id, see tsearch(3)
 * @nr:		number of binaries
 */
struct kept_files {
	void	*root;
	u32	nr;
};

bool kept_files_add(struct kept_files *kept, const struct build_id *id, int fd);
int kept_files_find(const struct kept_files *kept, const struct build_id *id);
void kept_files_free(struct kept_files *kept);

#endif /* TPROF_KEPT_FILES_H */
