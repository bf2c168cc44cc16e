/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - which records of a truncated recording must be read
 *
 * The expected records are computed from the record sizes in the whole image,
 * without the reader.
 */
#ifndef TPROF_CUT_RECORDING_H
#define TPROF_CUT_RECORDING_H

#include <string.h>

#include "perfdata/perfdata.h"
#include "read_recording.h"

/**
 * struct cut_walk - a walk over the complete records before the cut
 * @image:	the whole recording
 * @pipe:	@image has the format for pipes
 * @whole:	the only size at which the reader must accept a file without an error
 * @begin:	offset of the first record
 * @at:		offset of the next record
 * @end:	offset of the end of the last record
 * @due:	the records before @at, which the reader must return
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
 * Begin a walk over a file. If @ended is false, the recorder was killed: the records
 * extend to the end of the file, but the header covers only those before the last
 * checkpoint.
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

/*
 * Add to @walk->due the records that are complete in the first @cut bytes. @cut must not
 * decrease from call to call.
 */
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
 * @fd has the first @cut bytes of the recording. Return true if the reader returns all
 * complete records of @fd, and returns an error only if it must. It must return an error
 * unless a pipe is cut at the end of a record, or a file has exactly @walk->whole bytes.
 */
static inline bool cut_is_right(struct cut_walk *walk, size_t cut, int fd)
{
	struct delivery came;
	bool is_told = read_delivery(fd, &came);

	cut_walk_to(walk, cut);
	/* The reader must refuse a file that ends before the first record. */
	if (cut < walk->begin)
		return came.nr == -1 && is_told;
	return came.nr == walk->due.nr && came.sum == walk->due.sum &&
	       is_told == (cut != (walk->pipe ? walk->at : walk->whole));
}

#endif /* TPROF_CUT_RECORDING_H */
