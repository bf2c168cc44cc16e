/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find processes by name
 */
#ifndef TPROF_NAMED_H
#define TPROF_NAMED_H

#include <regex.h>
#include <stddef.h>

#include "base/parse.h"

int named_find(const regex_t *pattern, struct pid_list *pids, char *text, size_t len);

#endif /* TPROF_NAMED_H */
