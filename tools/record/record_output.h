/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx record - open the output and write its header
 */
#ifndef TPROF_RECORD_OUTPUT_H
#define TPROF_RECORD_OUTPUT_H

#include "record/recording.h"

int record_begin_output(struct recording *rec, const char *path, int argc, char **argv);
bool record_has_file(const struct recording *rec);
void record_leave_empty(const struct recording *rec);

#endif /* TPROF_RECORD_OUTPUT_H */
