/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - the parsed command line
 *
 * A request is made of each recording by the code of `export` (engines.h, labels.h). It is a
 * file (parcels.h), in the spool (spool.h) or without a name, so that it can be sent again.
 * sending.h sends it, server.h makes one request by libcurl, which library.h loads.
 */
#ifndef TPROF_PUSH_H
#define TPROF_PUSH_H

#include "export/export.h"
#include "push/labels.h"

struct engine;

/**
 * struct push_options - the parsed command line
 * @engine:	--to
 * @url:	the server
 * @files:	recordings
 * @nr_files:	number of @files
 * @to:		--to as given
 * @name:	--name
 * @table:	--table
 * @labels:	--label
 * @tenant:	--tenant, or NULL
 * @user:	--user, or NULL
 * @token_file:	--token-file, or NULL
 * @ca_file:	--ca-file, or NULL
 * @spool:	--spool, or NULL
 * @spool_size:	--spool-size
 * @retries:	--retries
 * @timeout:	--timeout in ns
 * @remove:	--remove
 * @interval:	-I in ns, or NOT_GIVEN
 * @time:	--time, or NULL
 * @filter:	which samples to take
 * @symbols:	sources of symbols
 */
struct push_options {
	const struct engine *engine;
	const char *url;
	char	**files;
	int	nr_files;
	const char *to;
	const char *name;
	const char *table;
	struct labels labels;
	const char *tenant;
	const char *user;
	const char *token_file;
	const char *ca_file;
	const char *spool;
	u64	spool_size;
	u64	retries;
	u64	timeout;
	bool	remove;
	u64	interval;
	const char *time;
	struct gather_filter filter;
	struct symbol_options symbols;
};

extern const struct option_row push_rows[];

int push_options_read(struct push_options *opts, const struct command *self, int argc,
		      char **argv);

#endif /* TPROF_PUSH_H */
