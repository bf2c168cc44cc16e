// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a sentence about an error
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"

/* Set the text of @msg. Return @err, so that the caller can return it in the same statement. */
int message_set(struct message *msg, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(msg->text, sizeof(msg->text), format, args);
	va_end(args);
	return err;
}
