/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the rules of a part of the code of a binary
 *
 * libdw gives the call frame information, range by range, and rule.h turns each range into a
 * rule of <linux/tprof_lx.h>. Stubs of calls have known forms: see stubs.h. Padding of less
 * than 16 bytes keeps the rule before it; in a longer gap the frame pointer holds. The entry
 * point of the dynamic linker often has no rule: the table says that it is an outermost frame.
 * A rule that a table cannot express is a cut, counted by its reason (enum unwind_loss).
 *
 * libdw takes quadratic time for some damaged binaries, so a thread may take at most 20 s of
 * CPU time. It looks at the clock between two searches of libdw.
 */
#ifndef TPROF_UNWIND_PART_H
#define TPROF_UNWIND_PART_H

#include <stdatomic.h>
#include <time.h>

#include "unwind/call_frames.h"
#include "unwind/sframe.h"
#include "unwind/steps.h"
#include "unwind/stubs.h"

/**
 * struct unwind_image - a binary whose code has parts
 * @fd:		the binary
 * @bytes:	its contents
 * @size:	number of @bytes
 * @build_id:	its build-id
 * @entry:	address of its entry point
 * @is_unwanted: set by another thread if the table is not needed any more, or NULL
 */
struct unwind_image {
	int	fd;
	char	*bytes;
	size_t	size;
	struct build_id build_id;
	u64	entry;
	const atomic_bool *is_unwanted;
};

/**
 * struct unwind_part - the code from one file offset to another
 * @image:	the binary
 * @from:	first file offset
 * @to:		file offset after it
 * @steps:	the rules
 * @losses:	number of ranges by enum unwind_loss
 * @sources:	number of ranges by enum unwind_source
 * @text_bytes:	size of the code
 * @elf:	libelf's handle of the binary. No thread uses that of another thread
 * @frames:	call frame information of the binary, for this thread
 * @sframe:	.sframe of the binary, for this thread
 * @sframe_err:	why @sframe is empty: 0 if there is none, or the error of sframe_open()
 * @stubs:	stubs of the binary
 * @ahead:	the next range that @frames has
 * @to_offset:	difference of file offset and address, for the present segment
 * @until:	CPU time of this thread at which to give up, in seconds
 * @looked_at:	when @until was compared with the clock, in seconds
 * @is_late:	the time is over
 */
struct unwind_part {
	const struct unwind_image *image;
	u64	from;
	u64	to;
	struct unwind_steps steps;
	u32	losses[UNWIND_NR_LOSSES];
	u32	sources[UNWIND_NR_SOURCES];
	u64	text_bytes;
	Elf	*elf;
	struct call_frames frames;
	struct sframe sframe;
	int	sframe_err;
	struct stubs stubs;
	struct unwind_range ahead;
	u64	to_offset;
	time_t	until;
	time_t	looked_at;
	bool	is_late;
};

int unwind_part_open(struct unwind_part *part, const struct unwind_image *image, u64 from,
		     u64 to);
u64 unwind_part_middle(const struct unwind_part *part);
int unwind_part_read(struct unwind_part *part);
void unwind_part_close(struct unwind_part *part);

#endif /* TPROF_UNWIND_PART_H */
