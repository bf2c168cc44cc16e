/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - perf.data writer, for files and pipes
 */
#ifndef TPROF_WRITER_H
#define TPROF_WRITER_H

#include "perfdata/feature_set.h"
#include "perfdata/perfdata.h"

/**
 * struct write_hurry - how a writer that waits for a full pipe notices that the
 *			recording must end
 * @fd:		readable if the result of @is_asked may have changed
 * @is_asked:	returns true if the end of the recording was requested; NULL to wait
 *		without limit
 * @arg:	argument of @is_asked
 */
struct write_hurry {
	int	fd;
	bool	(*is_asked)(void *arg);
	void	*arg;
};

/**
 * struct writer - a perf.data file or pipe being written
 * @fd:		the file or pipe
 * @pipe:	write the pipe format, which needs no seek
 * @nr_events:	number of events in the header
 * @attrs:	offset of the table of events
 * @data:	offset of the first record
 * @end:	offset after the last whole record
 * @last:	offset of the records that were appended last
 * @tail:	bytes of disk space to reserve for ledger and features
 * @allocated:	disk space is reserved up to this offset
 * @limit:	RLIMIT_FSIZE
 * @hurry:	limits the wait while the pipe is full
 * @pipe_err:	first error of writing to the pipe. After an error, write nothing more.
 *		The last record may be truncated, and a reader would read new records as
 *		its rest.
 * @can_allocate: the file system supports fallocate(2)
 * @sent:	mask of the features written to the pipe
 */
struct writer {
	int	fd;
	bool	pipe;
	u32	nr_events;
	u64	attrs;
	u64	data;
	u64	end;
	u64	last;
	u64	tail;
	u64	allocated;
	u64	limit;
	struct write_hurry hurry;
	int	pipe_err;
	bool	can_allocate;
	u32	sent;
};

int writer_begin(struct writer *writer, int fd, bool pipe,
		 const struct perfdata_event *events, u32 nr,
		 const struct feature_set *features);
int writer_append(struct writer *writer, const void *records, size_t len,
		  size_t *written);
int writer_checkpoint(struct writer *writer);
int writer_end(struct writer *writer, const struct feature_set *features);

#endif /* TPROF_WRITER_H */
