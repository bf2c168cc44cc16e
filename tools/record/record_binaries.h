/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx record - start and end the threads that open binaries and make their unwind tables
 */
#ifndef TPROF_RECORD_BINARIES_H
#define TPROF_RECORD_BINARIES_H

#include "record/record_options.h"
#include "record/recording.h"

int record_begin_tables(struct recording *rec, const struct record_options *opts);
int record_begin_opener(struct recording *rec, const struct record_options *opts);
void record_expect_exec(struct recording *rec, const struct record_options *opts);
void record_wait_for_tables(struct recording *rec);
void record_end_binaries(struct recording *rec);

#endif /* TPROF_RECORD_BINARIES_H */
