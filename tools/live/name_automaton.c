// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an automaton that accepts the names of processes that match a regular expression
 *
 * A state of the automaton is the set of nodes of the graph that the bytes so far lead to. A match
 * may begin at any byte, so each state has what the first node leads to. What follows a match does
 * not matter: then the last node is all that the state has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/name_automaton.h"
#include "live/name_regex.h"
#include "live/procfs.h"

/* A set of nodes. */
struct nodes {
	u64	bits[REGEX_NODES / 64];
};

/**
 * struct making - an automaton that is being made
 * @graph:	the regular expression
 * @sets:	for each state, its nodes
 * @depths:	for each state, the length of the shortest text that leads to it
 * @automaton:	the automaton
 */
struct making {
	struct regex_graph graph;
	struct nodes sets[TPROF_LX_MAX_NAME_STATES];
	u32	depths[TPROF_LX_MAX_NAME_STATES];
	struct name_automaton *automaton;
};

static bool has_node(const struct nodes *set, u32 node)
{
	return set->bits[node / 64] & 1ULL << node % 64;
}

static bool may_pass(enum regex_edge edge, bool is_begin, bool is_end)
{
	return edge == EDGE_NOTHING || (edge == EDGE_BEGIN && is_begin) ||
	       (edge == EDGE_END && is_end);
}

/* Add a node, and the nodes that it leads to without a byte. */
static void add_node(const struct regex_graph *graph, struct nodes *set, u32 node, bool is_begin,
		     bool is_end)
{
	u32 list[REGEX_NODES], nr = 0, i;

	if (has_node(set, node))
		return;
	set->bits[node / 64] |= 1ULL << node % 64;
	for (list[nr++] = node; nr;) {
		const struct regex_node *from = &graph->nodes[list[--nr]];

		for (i = 0; i < 2 && may_pass(from->edge, is_begin, is_end); i++) {
			node = from->next[i];
			if (node >= graph->nr || has_node(set, node))
				continue;
			set->bits[node / 64] |= 1ULL << node % 64;
			list[nr++] = node;
		}
	}
}

/* Return true if a name that ends in a state is accepted. */
static bool is_accepted(const struct regex_graph *graph, const struct nodes *from, bool is_begin)
{
	struct nodes set = { 0 };
	u32 node;

	for (node = 0; node < graph->nr; node++) {
		if (has_node(from, node))
			add_node(graph, &set, node, is_begin, true);
	}
	return has_node(&set, graph->last);
}

static struct nodes follow_byte(const struct regex_graph *graph, const struct nodes *from, u8 byte)
{
	struct nodes set = { 0 };
	u32 node;

	if (has_node(from, graph->last))
		return *from;
	for (node = 0; node < graph->nr; node++) {
		const struct regex_node *at = &graph->nodes[node];

		if (has_node(from, node) && at->edge == EDGE_BYTE &&
		    at->bytes[byte / 64] & 1ULL << byte % 64)
			add_node(graph, &set, at->next[0], false, false);
	}
	add_node(graph, &set, graph->first, false, false);
	if (has_node(&set, graph->last)) {
		set = (struct nodes){ 0 };
		set.bits[graph->last / 64] |= 1ULL << graph->last % 64;
	}
	return set;
}

/* Return the state with the nodes in @set, which may be new; or -E2BIG. */
static int find_state(struct making *making, const struct nodes *set, u32 depth)
{
	u32 *nr = &making->automaton->nr, state;

	/* In state 0 alone, a name begins. */
	for (state = 1; state < *nr; state++) {
		if (!memcmp(&making->sets[state], set, sizeof(*set)))
			return state;
	}
	if (*nr == TPROF_LX_MAX_NAME_STATES)
		return -E2BIG;
	making->sets[*nr] = *set;
	making->depths[*nr] = depth;
	return (*nr)++;
}

/* Fill in the next states of @state. No name is longer than COMM_LEN - 1. */
static int fill_state(struct making *making, u32 state)
{
	u8 *next = making->automaton->states[state];
	u32 byte, depth = making->depths[state];
	struct nodes set;
	int found;

	memset(next, 0, sizeof(making->automaton->states[state]));
	next[0] = is_accepted(&making->graph, &making->sets[state], !state);
	for (byte = 1; byte < 256 && depth < COMM_LEN - 1; byte++) {
		set = follow_byte(&making->graph, &making->sets[state], byte);
		found = find_state(making, &set, depth + 1);
		if (found < 0)
			return found;
		next[byte] = found;
	}
	return 0;
}

static int make(struct making *making, const char *pattern)
{
	struct name_automaton *automaton = making->automaton;
	int err = regex_graph_make(&making->graph, pattern);
	u32 state;

	if (err)
		return err;
	add_node(&making->graph, &making->sets[0], making->graph.first, true, false);
	automaton->nr = 1;
	for (state = 0; state < automaton->nr && !err; state++)
		err = fill_state(making, state);
	return err;
}

/*
 * Make an automaton for @pattern, which regcomp(3) accepts with REG_EXTENDED. Return 0; -EINVAL if
 * an automaton cannot decide it, such as a back reference; -E2BIG if it would be too large; or
 * -ENOMEM.
 */
int name_automaton_make(struct name_automaton *automaton, const char *pattern)
{
	struct making *making = calloc(1, sizeof(*making));
	int err;

	if (!making)
		return -ENOMEM;
	making->automaton = automaton;
	err = make(making, pattern);
	free(making);
	return err;
}
