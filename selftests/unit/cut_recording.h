/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - what is to come of a recording that is cut off somewhere
 *
 * By the sizes of the records in the whole image alone, without the reader.
 */
#ifndef TPROF_CUT_RECORDING_H
#define TPROF_CUT_RECORDING_H

#include <string.h>

#include "perfdata/perfdata.h"
#include "read_recording.h"

/**
 * struct cut_walk - along the records, as far as the cut lets
 * @image:	the whole
 * @pipe:	in the form for pipes
 * @whole:	with how many bytes nothing is missing that its header speaks of
 * @begin:	where its records begin
 * @at:		where the next one does
 * @end:	where they end
 * @due:	what is to come
 */
struct cut_walk {
	const char *image;
	bool	pipe;
	size_t	whole;
	size_t	begin;
	size_t	at;
	size_t	end;
	struct delivery due;
};

static inline struct cut_walk cut_walk_pipe(const char *image, size_t len)
{
	size_t begin = sizeof(struct perfdata_pipe_header);

	return (struct cut_walk){
		.image = image, .pipe = true, .whole = len,
		.begin = begin, .at = begin, .end = len,
	};
}

/*
 * One that was not @ended has records up to its last byte; its header speaks of those
 * that were there when it was written.
 */
static inline struct cut_walk cut_walk_file(const char *image, size_t len, bool ended)
{
	struct perfdata_header header;
	size_t begin, end;

	memcpy(&header, image, sizeof(header));
	begin = header.data.offset;
	end = begin + header.data.size;
	return (struct cut_walk){
		.image = image, .whole = ended ? len : end,
		.begin = begin, .at = begin, .end = ended ? end : len,
	};
}

static inline struct cut_walk cut_walk_begin(const char *image, size_t len, bool pipe)
{
	return pipe ? cut_walk_pipe(image, len) : cut_walk_file(image, len, true);
}

/* There are @cut bytes of it, never fewer than the last time. */
static inline void cut_walk_to(struct cut_walk *walk, size_t cut)
{
	size_t limit = cut < walk->end ? cut : walk->end;
	struct perf_event_header header;

	while (walk->at + sizeof(header) <= limit) {
		memcpy(&header, walk->image + walk->at, sizeof(header));
		if (header.size < sizeof(header) || header.size > limit - walk->at)
			break;
		delivery_add(&walk->due, walk->at, walk->image + walk->at, header.size);
		walk->at += header.size;
	}
}

/*
 * Did just what is due come of the first @cut bytes, and did it end as it had to? Of a
 * pipe nobody can tell that it ends between two records, and of a file anybody can.
 */
static inline bool cut_is_right(struct cut_walk *walk, size_t cut, int fd)
{
	struct delivery came;
	bool is_told = read_delivery(fd, &came);

	cut_walk_to(walk, cut);
	/* Without all that precedes its records it is not opened. */
	if (cut < walk->begin)
		return came.nr == -1 && is_told;
	return came.nr == walk->due.nr && came.sum == walk->due.sum &&
	       is_told == (cut != (walk->pipe ? walk->at : walk->whole));
}

#endif /* TPROF_CUT_RECORDING_H */
