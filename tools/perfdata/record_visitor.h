/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - give all records of a recording to functions
 *
 * Samples that follow each other are taken many at a time. Where a sample waits for its
 * deferred call chain (stitch.h), it and the records after it are taken one by one. Each
 * sample is the same either way.
 */
#ifndef TPROF_RECORD_VISITOR_H
#define TPROF_RECORD_VISITOR_H

#include "perfdata/reader.h"

/* Maximum number of samples that are taken at a time. */
#define VISITOR_BATCH	64

/**
 * struct record_visitor - what takes the records of a recording
 * @take_samples: takes complete samples, at most VISITOR_BATCH
 * @take_record: takes any record, also a sample
 * @progress:	called every few ms of work; may be NULL
 * @arg:	first argument of @take_samples and @take_record
 * @records:	number of records that were read
 * @nr_continued: number of samples that deferred call chains have completed
 */
struct record_visitor {
	int	(*take_samples)(void *arg, const struct lent_sample *samples, size_t nr);
	int	(*take_record)(void *arg, const struct record *record);
	void	(*progress)(const struct reader *reader);
	void	*arg;
	u64	records;
	u64	nr_continued;
};

int visit_records(struct record_visitor *visitor, struct reader *reader);

#endif /* TPROF_RECORD_VISITOR_H */
