/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - open the file of a new recording
 *
 * A file that is there is renamed to FILE.old, and not overwritten.
 */
#ifndef TPROF_RECORDING_FILE_H
#define TPROF_RECORDING_FILE_H

#include "base/types.h"

#define DEFAULT_OUTPUT	"tprof.data"

int recording_file_open(const char *path, bool *pipe);
bool recording_file_is_regular(int fd);
void recording_file_leave_empty(int fd, const char *name);

#endif /* TPROF_RECORDING_FILE_H */
