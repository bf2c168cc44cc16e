/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - how far samples are from the instructions that caused them
 */
#ifndef TPROF_SKID_H
#define TPROF_SKID_H

#include "perfdata/reader.h"

/**
 * struct skid - how far the samples of an event are from their causes
 * @word:	name in JSON
 * @text:	the end of a sentence about the samples, or NULL if there is nothing to say
 */
struct skid {
	const char *word;
	const char *text;
};

const struct skid *skid_of(const struct reader_event *event);

#endif /* TPROF_SKID_H */
