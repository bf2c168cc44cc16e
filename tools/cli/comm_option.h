/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the option --comm, which names processes by a regular expression
 */
#ifndef TPROF_COMM_OPTION_H
#define TPROF_COMM_OPTION_H

#include "base/parse.h"

int comm_option_add(const char *command, const char *pattern, struct pid_list *pids);

#endif /* TPROF_COMM_OPTION_H */
