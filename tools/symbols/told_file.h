/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - files in which a process tells of the functions that it made
 */
#ifndef TPROF_TOLD_FILE_H
#define TPROF_TOLD_FILE_H

#include <stdio.h>

#include "symbols/symbol_file.h"

enum symbol_status told_file_open(const char *path, u64 ino, FILE **file);

#endif /* TPROF_TOLD_FILE_H */
