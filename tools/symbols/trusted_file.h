/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - open the perf map or jitdump file of a process, if it can be trusted
 */
#ifndef TPROF_TRUSTED_FILE_H
#define TPROF_TRUSTED_FILE_H

#include <stdio.h>

#include "symbols/symbol_file.h"

enum symbol_status trusted_file_open(const char *path, u64 ino, FILE **file);

#endif /* TPROF_TRUSTED_FILE_H */
