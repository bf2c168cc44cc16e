/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - labels of a recording: those that the user gave, and its host and kernel
 */
#ifndef TPROF_PUSH_LABELS_H
#define TPROF_PUSH_LABELS_H

#include "export/export.h"

/*
 * Pyroscope takes 30 labels by default; engine and server add some. The user gives up to
 * LABELS_GIVEN, so that there is room for those of the recording.
 */
#define LABELS_MAX	24
#define LABELS_GIVEN	(LABELS_MAX - 4)

/**
 * struct labels - a set of labels
 * @list:	the labels, each with another name
 * @nr:		number of labels
 */
struct labels {
	struct export_label list[LABELS_MAX];
	size_t	nr;
};

int labels_parse(struct labels *labels, const char *text);
void labels_add_recording(struct labels *labels, const struct feature_set *features);

#endif /* TPROF_PUSH_LABELS_H */
