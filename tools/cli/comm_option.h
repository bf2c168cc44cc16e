/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the options --comm and --follow-new, which name processes by a regular expression
 */
#ifndef TPROF_COMM_OPTION_H
#define TPROF_COMM_OPTION_H

#include "base/parse.h"
#include "cli/claim.h"

/**
 * struct comm_option - the values of the options
 * @pattern:	--comm, or NULL
 * @follow:	--follow-new
 */
struct comm_option {
	const char *pattern;
	bool	follow;
};

int comm_option_add(const char *command, const struct comm_option *comm, struct pid_list *pids);
int comm_option_follow(const struct comm_option *comm, const struct claim *claim, bool is_alone);
void comm_option_note(const struct comm_option *comm, const struct claim *claim);

#endif /* TPROF_COMM_OPTION_H */
