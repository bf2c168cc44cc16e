/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a line of a screen, made of parts from left to right
 *
 * Text is UTF-8 and printable(). The line is cut at its width, in columns of a terminal;
 * setlocale(3) must have chosen UTF-8 for characters that take two columns.
 */
#ifndef TPROF_LINE_H
#define TPROF_LINE_H

#include "base/types.h"

/* A character has up to 4 bytes; combining characters beyond this room are cut. */
#define LINE_BYTES	4096

enum line_style {
	LINE_PLAIN,
	LINE_TITLE,	/* names the page */
	LINE_HEADING,	/* names the columns */
	LINE_CURSOR,
	LINE_FOOT,	/* a message, or what is being typed */
};

/* A line has at most this many parts with a colour. Others are drawn without one. */
#define LINE_PARTS	512

/**
 * struct line_part - a part of a line that has a colour
 * @from:	offset in line.text
 * @len:	its length in bytes
 * @heat:	a percentage that the colour shows
 * @is_cursor:	draw it as the cursor
 */
struct line_part {
	u32	from;
	u32	len;
	double	heat;
	bool	is_cursor;
};

/**
 * struct line - a line
 * @text:	the text, which ends with a NUL
 * @len:	its length in bytes
 * @columns:	its length in columns of a terminal
 * @width:	largest number of @columns
 * @skip:	number of columns to leave out at the left
 * @is_cut:	a character did not fit; none is appended after it
 * @style:	how to draw it
 * @parts:	parts with colours, from left to right
 * @nr_parts:	number of @parts
 */
struct line {
	char	text[LINE_BYTES];
	size_t	len;
	u32	columns;
	u32	width;
	u32	skip;
	bool	is_cut;
	enum line_style style;
	struct line_part parts[LINE_PARTS];
	u32	nr_parts;
};

void line_start(struct line *line, u32 width, u32 skip);
void line_put(struct line *line, const char *text);
void line_fill(struct line *line, u32 nr);
void line_heat(struct line *line, const char *text, double heat);
void line_box(struct line *line, const char *text, double heat, bool is_cursor);
void line_printf(struct line *line, const char *format, ...) __printf(2, 3);
u32 text_columns(const char *text);

#endif /* TPROF_LINE_H */
