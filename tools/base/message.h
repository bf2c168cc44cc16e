/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a sentence about an error
 *
 * Library files print nothing. Where -errno alone does not explain an error, a library
 * function sets a struct message, which the command prints.
 */
#ifndef TPROF_MESSAGE_H
#define TPROF_MESSAGE_H

#include "base/types.h"

/**
 * struct message - one sentence, without the full stop
 * @text:	the sentence; empty if -errno alone explains the error
 */
struct message {
	char	text[512];
};

int message_set(struct message *msg, int err, const char *format, ...) __printf(3, 4);

#endif /* TPROF_MESSAGE_H */
