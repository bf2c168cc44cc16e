/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the functions of a recording, as texts for a screen
 *
 * The samples of each address are counted when the first function is wanted, by reading
 * the recording again.
 */
#ifndef TPROF_ANNOTATED_H
#define TPROF_ANNOTATED_H

#include "annotate/annotate_format.h"

/**
 * struct annotated - a recording; set up by annotated_open()
 * @options:	which samples are counted
 * @fd:		the file
 * @reader:	the recording
 * @gather:	its samples
 * @functions:	its functions
 * @disassembly: the disassembler
 * @annotation:	what the text is made of
 */
struct annotated {
	struct gather_options options;
	int	fd;
	struct reader reader;
	struct gather gather;
	struct hot_functions functions;
	struct disassembly disassembly;
	struct annotation annotation;
};

int annotated_open(struct annotated *annotated, const char *input,
		   const struct gather_filter *filter, const struct symbol_options *symbols);
const struct hot_function *annotated_find(const struct annotated *annotated, const char *name,
					  const char *binary);
int annotated_text(struct annotated *annotated, const struct hot_function *function, char **text,
		   size_t *len);
void annotated_free(struct annotated *annotated);

#endif /* TPROF_ANNOTATED_H */
