/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the unwind table of an object: from each file offset to the rule that finds
 * the caller
 *
 * The module walks call chains by such tables; <linux/tprof_lx.h> describes rows and rules.
 */
#ifndef TPROF_UNWIND_TABLE_H
#define TPROF_UNWIND_TABLE_H

#include <linux/tprof_lx.h>

#include "base/hash_table.h"
#include "perfdata/perfdata.h"

/**
 * enum unwind_loss - what a table cannot express
 * @UNWIND_NO_CFA:	no rule, or a damaged one, for the address of the frame
 * @UNWIND_EXPRESSION:	the address of the frame is an expression that has no rule
 * @UNWIND_OFFSET:	an offset is too large
 * @UNWIND_RETURN:	the return address is not below the address of the frame
 * @UNWIND_RSP:		the stack pointer of the caller is not the address of the frame
 * @UNWIND_SIGNAL:	a signal frame of an unknown layout
 * @UNWIND_RULES:	the object has more different rules than a table
 * @UNWIND_RBP:		only the frame pointer of the caller is lost
 * @UNWIND_SFRAME_UNKNOWN: the object has an .sframe of an unknown version
 * @UNWIND_SFRAME_DAMAGED: the object has a damaged .sframe
 * @UNWIND_NR_LOSSES:	number of reasons
 */
enum unwind_loss {
	UNWIND_NO_CFA,
	UNWIND_EXPRESSION,
	UNWIND_OFFSET,
	UNWIND_RETURN,
	UNWIND_RSP,
	UNWIND_SIGNAL,
	UNWIND_RULES,
	UNWIND_RBP,
	UNWIND_SFRAME_UNKNOWN,
	UNWIND_SFRAME_DAMAGED,
	UNWIND_NR_LOSSES,
};

/**
 * enum unwind_source - what describes code, in the order of preference
 * @UNWIND_EH_FRAME:	.eh_frame
 * @UNWIND_DEBUG_FRAME:	.debug_frame
 * @UNWIND_SFRAME:	.sframe
 * @UNWIND_STUBS:	nothing; it is a section of stubs, which have known forms
 * @UNWIND_NR_SOURCES:	number of sources
 */
enum unwind_source {
	UNWIND_EH_FRAME,
	UNWIND_DEBUG_FRAME,
	UNWIND_SFRAME,
	UNWIND_STUBS,
	UNWIND_NR_SOURCES,
};

/**
 * struct unwind_table - a table, empty if all members are zero
 * @build_id:	build-id of the object
 * @page0:	the table begins at file offset @page0 * UNWIND_PAGE
 * @nr_pages:	number of pages
 * @nr_rows:	number of @rows
 * @nr_rules:	number of @rules
 * @pages:	index of the first row of each page, and last @nr_rows
 * @rows:	rows, sorted within each page
 * @rules:	the different rules
 * @losses:	number of ranges of code of the object by enum unwind_loss
 * @sources:	number of ranges of code of the object by enum unwind_source
 * @text_bytes:	size of the object's code
 */
struct unwind_table {
	struct build_id build_id;
	u32	page0;
	u32	nr_pages;
	u32	nr_rows;
	u32	nr_rules;
	u32	*pages;
	struct tprof_lx_unwind_row *rows;
	struct tprof_lx_unwind_rule *rules;
	u32	losses[UNWIND_NR_LOSSES];
	u32	sources[UNWIND_NR_SOURCES];
	u64	text_bytes;
};

/* Limits of the module for the offset of a frame's address, and of a struct ucontext. */
#define UNWIND_MAX_OFFSET	(1 << 24)
#define UNWIND_MAX_CONTEXT	4096

#define UNWIND_PAGE_BITS	16
#define UNWIND_PAGE		(1U << UNWIND_PAGE_BITS)

/**
 * struct table_builder - a table that is being made
 * @table:	the table so far; its last page is not closed
 * @has_page:	the table has a page
 * @page:	number of the last page, counted from file offset 0
 * @last:	rule of the last row
 * @room_pages:	capacity of table.pages
 * @room_rows:	capacity of table.rows
 * @room_rules:	capacity of table.rules
 * @by_rule:	index of each rule
 */
struct table_builder {
	struct unwind_table table;
	bool	has_page;
	u64	page;
	u16	last;
	size_t	room_pages;
	size_t	room_rows;
	size_t	room_rules;
	struct hash_table by_rule;
};

int builder_add(struct table_builder *builder, u64 offset,
		const struct tprof_lx_unwind_rule *rule);
int builder_end(struct table_builder *builder, u64 offset);
void builder_free(struct table_builder *builder);

bool unwind_table_is_valid(const struct unwind_table *table);
const struct tprof_lx_unwind_rule *unwind_table_find(const struct unwind_table *table, u64 offset);
size_t unwind_table_bytes(const struct unwind_table *table);
const char *unwind_loss_text(enum unwind_loss loss);
const char *unwind_source_text(enum unwind_source source);
void unwind_table_free(struct unwind_table *table);

#endif /* TPROF_UNWIND_TABLE_H */
