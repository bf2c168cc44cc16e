/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - the server, and one request to it
 */
#ifndef TPROF_PUSH_SERVER_H
#define TPROF_PUSH_SERVER_H

#include "push/library.h"
#include "push/parcels.h"
#include "push/secret.h"
#include "push/shown_url.h"

/* Length of what is kept of the body of an answer. */
#define ANSWER_LEN	160

/**
 * struct server - the server
 * @options:	the command line
 * @curl:	libcurl
 * @secret:	the token
 * @url:	the URL of the command line
 * @shown:	the URL for messages; not escaped
 * @handle:	keeps the connection between requests
 */
struct server {
	const struct push_options *options;
	const struct curl_library *curl;
	struct secret secret;
	CURLU	*url;
	char	shown[SHOWN_URL];
	CURL	*handle;
};

/**
 * struct answer - what became of a request
 * @code:	0, or why there is no answer or only a part of one
 * @status:	status of HTTP, 0 if there is no answer
 * @wait:	number of seconds after which the server wants the next request, or 0
 * @text:	begin of the body, or of libcurl's message without an answer; not escaped
 * @location:	where the server redirects to, for messages, or empty; not escaped
 * @nr:		number of bytes in the body
 * @is_begun:	a part of the request was sent
 * @is_sent:	the whole request was sent
 */
struct answer {
	CURLcode code;
	long	status;
	u64	wait;
	char	text[ANSWER_LEN + 1];
	char	location[SHOWN_URL];
	u64	nr;
	bool	is_begun;
	bool	is_sent;
};

int server_init(struct server *server, const struct push_options *opts);
void server_free(struct server *server);
void server_send(struct server *server, const struct parcel *parcel, struct answer *answer);

#endif /* TPROF_PUSH_SERVER_H */
