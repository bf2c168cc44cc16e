/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - the engines, which store profiles, and what each wants to be sent
 */
#ifndef TPROF_PUSH_ENGINES_H
#define TPROF_PUSH_ENGINES_H

#include <stdio.h>

#include "push/digest.h"
#include "push/labels.h"
#include "push/push.h"

/* The names of all engines, for messages. */
#define ENGINES		"pyroscope, pyroscope-push, parca, otlp, openobserve or clickhouse"

/**
 * struct body - the body of a request being written
 * @options:	the command line
 * @export:	the recording, with the output for the body
 * @labels:	labels of the recording
 * @span:	times of its samples, since 1970
 * @digest:	what export.out got so far, without bytes that its buffer has
 */
struct body {
	const struct push_options *options;
	const struct export *export;
	struct labels labels;
	struct export_span span;
	const struct digest *digest;
};

/**
 * struct engine - an engine
 * @name:	its name on the command line
 * @path:	what to append to the path of the URL
 * @type:	media type of the body
 * @encoding:	encoding of the body, or NULL
 * @has_table:	--interval and --table apply, and --name does not
 * @write_body:	writes the body; prints errors except those of export.out; returns an
 *		exit status
 * @write_query: writes the query of the URL, after @write_body
 * @count_rejected: returns how many profiles the server rejected although its status is 200, and
 *		copies its reason; NULL if that cannot be
 */
struct engine {
	const char *name;
	const char *path;
	const char *type;
	const char *encoding;
	bool	has_table;
	int	(*write_body)(const struct body *body);
	void	(*write_query)(const struct body *body, FILE *out);
	u64	(*count_rejected)(const char *body, size_t len, char *why, size_t room);
};

const struct engine *engine_find(const char *name);

#endif /* TPROF_PUSH_ENGINES_H */
