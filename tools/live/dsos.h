/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the set of binaries in a recording, for the build-id table
 */
#ifndef TPROF_DSOS_H
#define TPROF_DSOS_H

#include "base/bytes.h"
#include "perfdata/perfdata.h"

/**
 * struct dso_set - a set of binaries; empty if all members are zero
 * @root:	tree of binaries, see tsearch(3)
 * @bytes:	number of bytes that dso_set_write() appends
 * @failed:	memory ran out; some binaries are missing
 */
struct dso_set {
	void	*root;
	size_t	bytes;
	bool	failed;
};

bool dso_set_add(struct dso_set *set, u16 misc, const char *name, const struct build_id *id);
void dso_set_write(const struct dso_set *set, struct bytes *out);
void dso_set_free(struct dso_set *set);

#endif /* TPROF_DSOS_H */
