/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx stat - the recording of --record
 *
 * It is opened after all events were accepted, so that a failed start does not replace an older
 * one. Each interval appends its counts.
 */
#ifndef TPROF_COUNT_FILE_H
#define TPROF_COUNT_FILE_H

#include "counts/counts_write.h"
#include "perfdata/writer.h"
#include "stat/stat_options.h"

/**
 * struct count_file - the recording of --record
 * @name:	name of the file, or NULL without --record
 * @fd:		the file, if @is_open
 * @is_open:	the file is open
 * @follows:	processes may come, so that the counts are not those of one process
 * @writer:	writes it
 * @features:	its features
 * @counts:	writes the counts
 */
struct count_file {
	const char *name;
	int	fd;
	bool	is_open;
	bool	follows;
	struct writer writer;
	struct feature_set features;
	struct counts_writer counts;
};

int count_file_open(struct count_file *file, const struct counting *counting,
		    const struct stat_options *opts);
int count_file_round(struct count_file *file, const struct pid_list *targets, u64 elapsed);
int count_file_close(struct count_file *file, bool has_failed);

#endif /* TPROF_COUNT_FILE_H */
