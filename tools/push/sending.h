/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - send a request, and again if the server cannot take it now
 *
 * The answer decides whether to try again, to keep the request aside, to try the next one or
 * to stop.
 */
#ifndef TPROF_PUSH_SENDING_H
#define TPROF_PUSH_SENDING_H

#include "push/server.h"

/* What became of a request. */
enum sending {
	SENDING_DONE,		/* the server has it */
	SENDING_REFUSED,	/* the server will never take it */
	SENDING_FAILED,		/* the server failed, perhaps because of the request */
	SENDING_LATER,		/* the server takes none at present */
};

/* Waits; tests replace it. */
extern void (*sending_wait)(u64 ns);

enum sending sending_send(struct server *server, const struct parcel *parcel, u64 retries,
			  const char *what);

#endif /* TPROF_PUSH_SENDING_H */
