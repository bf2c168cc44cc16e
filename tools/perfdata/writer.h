/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - writer of perf.data, as a file or into a pipe
 */
#ifndef TPROF_WRITER_H
#define TPROF_WRITER_H

#include "perfdata/feature_set.h"
#include "perfdata/perfdata.h"

/**
 * struct write_hurry - how a writer that waits for a pipe sees that it is time to end
 * @fd:		readable when @is_asked may have another answer than before
 * @is_asked:	shall the recording end? NULL for a writer that waits for ever
 * @arg:	of @is_asked
 */
struct write_hurry {
	int	fd;
	bool	(*is_asked)(void *arg);
	void	*arg;
};

/**
 * struct writer - a perf.data being written
 * @fd:		where to
 * @pipe:	it cannot seek, so the pipe form is written
 * @nr_events:	events in the header
 * @data:	where the records begin
 * @end:	where they end now, always behind a whole record
 * @tail:	bytes to keep free for what follows the records
 * @allocated:	the disk has room up to here
 * @limit:	the file may not grow beyond this
 * @hurry:	whether a pipe that is not read may only be waited for some seconds
 * @pipe_err:	what writing to the pipe failed with: what came then would be
 *		taken for the rest of the record that is cut
 * @can_allocate: the file system can be asked for room
 * @sent:	features that are in the pipe already, as bits
 */
struct writer {
	int	fd;
	bool	pipe;
	u32	nr_events;
	u64	data;
	u64	end;
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
