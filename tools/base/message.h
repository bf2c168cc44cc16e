/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a sentence about an error
 *
 * A library file prints nothing. Where -errno alone cannot say what is wrong,
 * it leaves the sentence in a struct message and a command prints it.
 */
#ifndef TPROF_MESSAGE_H
#define TPROF_MESSAGE_H

#include "base/types.h"

/**
 * struct message - one sentence, without the full stop
 * @text:	empty when there is nothing to say beyond the errno
 */
struct message {
	char	text[512];
};

int message_set(struct message *msg, int err, const char *format, ...) __printf(3, 4);

#endif /* TPROF_MESSAGE_H */
