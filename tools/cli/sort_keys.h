/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - option --sort of the commands that group samples
 */
#ifndef TPROF_SORT_KEYS_H
#define TPROF_SORT_KEYS_H

#include "profile/profile.h"

int sort_keys_add(struct profile_keys *keys, const struct column *column);
bool sort_keys_have(const struct profile_keys *keys, const char *word);
int sort_keys_choose(const char *command, const char *list, struct profile_keys *keys);
void sort_keys_print(void);

#endif /* TPROF_SORT_KEYS_H */
