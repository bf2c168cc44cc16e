/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a regular expression as a graph
 *
 * An edge is passed by a byte of a set, at the begin or at the end of the name, or by nothing. A
 * name matches if a way leads from the first node to the last one.
 */
#ifndef TPROF_NAME_REGEX_H
#define TPROF_NAME_REGEX_H

#include <stddef.h>

#include "base/types.h"

#define REGEX_NODES	512

/* What passes the edges of a node. */
enum regex_edge {
	EDGE_NOTHING,
	EDGE_BYTE,
	EDGE_BEGIN,
	EDGE_END,
};

/**
 * struct regex_node - a node and its edges
 * @edge:	what passes them
 * @bytes:	bitmap of bytes, for EDGE_BYTE
 * @next:	nodes that they lead to, ~0 for none; the second one has EDGE_NOTHING only
 */
struct regex_node {
	enum regex_edge	edge;
	u64	bytes[4];
	u32	next[2];
};

/**
 * struct regex_graph - a regular expression
 * @nodes:	the nodes
 * @nr:		number of @nodes
 * @first:	where a name begins
 * @last:	where it has matched
 */
struct regex_graph {
	struct regex_node nodes[REGEX_NODES];
	u32	nr;
	u32	first;
	u32	last;
};

int regex_graph_make(struct regex_graph *graph, const char *pattern);

#endif /* TPROF_NAME_REGEX_H */
