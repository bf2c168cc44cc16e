/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx record - add the events of the command line
 */
#ifndef TPROF_RECORD_EVENTS_H
#define TPROF_RECORD_EVENTS_H

#include "record/record_options.h"
#include "record/recording.h"

int record_add_events(struct recording *rec, const struct record_options *opts);

#endif /* TPROF_RECORD_EVENTS_H */
