/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a sentence about an error
 *
 * A library file prints nothing. Where -errno alone does not say what is wrong, it
 * leaves a sentence in a struct message, which the command prints.
 */
#ifndef TPROF_MESSAGE_H
#define TPROF_MESSAGE_H

#include "base/types.h"

/**
 * struct message - one sentence, without the full stop
 * @text:	the sentence; empty if the errno says it all
 */
struct message {
	char	text[512];
};

int message_set(struct message *msg, int err, const char *format, ...) __printf(3, 4);

#endif /* TPROF_MESSAGE_H */
