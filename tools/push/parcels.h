/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - a request in a file, so that it can be sent again, even after a restart
 *
 * The file has a head of fixed size and the body. The head has the engine and the query of
 * the URL; the server and secrets are not in it. The head is written last.
 */
#ifndef TPROF_PUSH_PARCELS_H
#define TPROF_PUSH_PARCELS_H

#include <sys/stat.h>

#include "push/engines.h"

/* Servers commonly take URLs of 8 KiB. */
#define PARCEL_HEAD	8192

/**
 * struct parcel - a request
 * @fd:		the file
 * @len:	length of the body in bytes
 * @engine:	the engine
 * @query:	query of the URL, escaped; may be empty
 * @head:	text that @query is in
 */
struct parcel {
	int	fd;
	u64	len;
	const struct engine *engine;
	const char *query;
	char	head[PARCEL_HEAD + 1];
};

/**
 * struct source - the recording that a request was made of
 * @is_empty:	it has no samples, so there is no request
 * @st:		the file as it was opened
 */
struct source {
	bool	is_empty;
	struct stat st;
};

/* parcel_make() returns this if the file would become too large. */
#define PARCEL_TOO_LARGE	(-1)

int parcel_make(const struct push_options *opts, const char *input, int fd, u64 max,
		struct source *source);
bool parcel_read(struct parcel *parcel, int fd);

#endif /* TPROF_PUSH_PARCELS_H */
