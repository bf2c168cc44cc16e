/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read files of a machine, below its root
 */
#ifndef TPROF_MACHINE_FILES_H
#define TPROF_MACHINE_FILES_H

#include "doctor/machine.h"

bool machine_has(const struct machine *machine, const char *format, ...) __printf(2, 3);
size_t machine_read(const struct machine *machine, const char *path, char *text, size_t len);
size_t machine_read_end(const struct machine *machine, const char *path, char *text, size_t len);

#endif /* TPROF_MACHINE_FILES_H */
