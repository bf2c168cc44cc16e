/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a row of .sframe: how to find the caller from some code of a function
 */
#ifndef TPROF_UNWIND_SFRAME_ROW_H
#define TPROF_UNWIND_SFRAME_ROW_H

#include "unwind/table.h"

/* The address of the frame, the return address and rbp, each with two words */
#define SFRAME_WORDS	6

/**
 * enum sframe_kind - what the words of a function's rows mean
 * @SFRAME_DEFAULT:	distances: of the frame's address from rsp or rbp, and of the caller's rbp
 *			from that
 * @SFRAME_FLEXIBLE:	a register and a distance each
 * @SFRAME_UNKNOWN:	a later version defines this
 */
enum sframe_kind {
	SFRAME_DEFAULT,
	SFRAME_FLEXIBLE,
	SFRAME_UNKNOWN,
};

/**
 * struct sframe_function - a function that a section describes
 * @begin:	its address
 * @end:	address after it
 * @rows:	where its rows begin
 * @nr_rows:	number of its rows
 * @block:	if not 0, the rows hold for each block of so many bytes
 * @offset_bytes: size of the offset that a row begins with
 * @kind:	what the words of the rows mean
 * @is_signal:	its caller was interrupted by a signal
 */
struct sframe_function {
	u64	begin;
	u64	end;
	u32	rows;
	u32	nr_rows;
	u8	block;
	u8	offset_bytes;
	u8	kind;
	bool	is_signal;
};

/**
 * struct sframe_row - a row
 * @offset:	where it holds from, counted from the beginning of the function or block
 * @end:	where the row after it begins in the section
 * @is_rsp:	the first word of SFRAME_DEFAULT is a distance from rsp, not from rbp
 * @nr:		number of @words; none if the function is an outermost frame
 * @words:	registers and distances
 */
struct sframe_row {
	u32	offset;
	size_t	end;
	bool	is_rsp;
	u32	nr;
	s32	words[SFRAME_WORDS];
};

bool sframe_row_read(const struct sframe_function *function, const u8 *rows, size_t len, size_t at,
		     struct sframe_row *row);
struct tprof_lx_unwind_rule sframe_rule(const struct sframe_function *function,
					const struct sframe_row *row, int rbp, u32 *losses);

#endif /* TPROF_UNWIND_SFRAME_ROW_H */
