/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the functions of a recording, which is read again for them
 */
#ifndef TPROF_ANNOTATED_RECORDING_H
#define TPROF_ANNOTATED_RECORDING_H

#include "annotate/annotated.h"
#include "cli/gather_input.h"

/**
 * struct annotated_recording - a recording; set up by annotated_recording_open()
 * @options:	which samples are counted
 * @gathered:	its samples
 * @annotated:	its functions
 */
struct annotated_recording {
	struct gather_options options;
	struct gathered gathered;
	struct annotated annotated;
};

int annotated_recording_open(struct annotated_recording *recording, const char *input,
			     const struct gather_filter *filter,
			     const struct symbol_options *symbols);
void annotated_recording_free(struct annotated_recording *recording);

#endif /* TPROF_ANNOTATED_RECORDING_H */
