/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which owners of files are trusted
 */
#ifndef TPROF_OWNER_H
#define TPROF_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

bool owner_is_trusted(uid_t uid);
bool owner_of_file_is_trusted(int fd);

#endif /* TPROF_OWNER_H */
