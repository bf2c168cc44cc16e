/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - the events of recordings
 */
#ifndef TPROF_DIFF_EVENTS_H
#define TPROF_DIFF_EVENTS_H

#include "perfdata/reader.h"
#include "profile/gather_filter.h"

/**
 * struct recording - the events of a recording
 * @name:	the file
 * @reader:	the reader after it has read the file
 */
struct recording {
	const char *name;
	const struct reader *reader;
};

int events_check(const struct gather_filter *filter, const struct recording *recording,
		 const struct recording *other);
int events_say_missing(const char *file, const char *event, const char *other);

#endif /* TPROF_DIFF_EVENTS_H */
