/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the functions of a profile, as texts for a screen
 */
#ifndef TPROF_ANNOTATED_H
#define TPROF_ANNOTATED_H

#include "annotate/annotate_format.h"

/**
 * struct annotated - functions with samples; set up by annotated_make()
 * @functions:	the functions
 * @disassembly: the disassembler
 * @annotation:	what the text is made of
 */
struct annotated {
	struct hot_functions functions;
	struct disassembly disassembly;
	struct annotation annotation;
};

/**
 * struct annotated_text - the text of a function
 * @text:	the text, from malloc(3)
 * @len:	its length
 * @marks:	a struct text_mark for each line below the head
 * @has_lines:	it has source lines
 */
struct annotated_text {
	char	*text;
	size_t	len;
	struct bytes marks;
	bool	has_lines;
};

int annotated_make(struct annotated *annotated, const struct gather *gather,
		   const struct reader *reader, struct objects *objects);
const struct hot_function *annotated_find(const struct annotated *annotated,
					  const struct symbol *symbol, const struct object *owner);
int annotated_text(struct annotated *annotated, const struct hot_function *function,
		   struct annotated_text *made);
void annotated_text_free(struct annotated_text *text);
void annotated_free(struct annotated *annotated);

#endif /* TPROF_ANNOTATED_H */
