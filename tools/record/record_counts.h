/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx record - counts beside the samples
 */
#ifndef TPROF_RECORD_COUNTS_H
#define TPROF_RECORD_COUNTS_H

#include "record/record_options.h"
#include "record/recording.h"

int record_add_counts(struct recording *rec, const struct record_options *opts,
		      const struct event_defaults *defaults);

#endif /* TPROF_RECORD_COUNTS_H */
