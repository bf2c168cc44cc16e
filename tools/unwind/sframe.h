/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - .sframe, a section that describes frames, of versions 1 to 3
 *
 * The section has an entry for each function, and rows for each entry. A row describes the code
 * from its beginning up to the next row.
 */
#ifndef TPROF_UNWIND_SFRAME_H
#define TPROF_UNWIND_SFRAME_H

#include "unwind/range.h"
#include "unwind/sframe_row.h"

/* Type of the segment that has the section; older <elf.h> do not name it. */
#define SFRAME_SEGMENT		0x6474e554

/**
 * struct sframe - a section, empty if all members are zero
 * @rows:	the rows of all functions
 * @rows_len:	number of bytes of @rows
 * @rbp:	distance of the caller's rbp from the frame's address, or 0 if the rows have it
 * @functions:	the functions, by address
 * @nr:		number of @functions
 * @at:		the function that was read last, or @nr
 * @row:	the row that was read last
 * @next:	the row after it
 * @nr_rows:	number of rows of the function that were read
 */
struct sframe {
	const u8 *rows;
	size_t	rows_len;
	int	rbp;
	struct sframe_function *functions;
	u32	nr;
	u32	at;
	struct sframe_row row;
	struct sframe_row next;
	u32	nr_rows;
};

int sframe_open(struct sframe *sframe, const u8 *bytes, size_t len, u64 addr);
bool sframe_find(struct sframe *sframe, u64 from, u64 to, struct unwind_range *range,
		 u32 *losses);
void sframe_close(struct sframe *sframe);

#endif /* TPROF_UNWIND_SFRAME_H */
