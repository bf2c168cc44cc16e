// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - the server, and one request to it
 *
 * Redirects are not followed: another host must get neither the profile nor the token.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/say.h"
#include "push/server.h"

#define CONNECT_TIMEOUT	10L

/* A longer body of an answer is not read to its end. */
#define BODY_MAX	(64U << 10)

/* Return a part of the URL, empty if it is absent. It is valid until free(). */
static char *get_part(const struct server *server, CURLUPart part)
{
	char *text = NULL, *copy;

	server->curl->url_get(server->url, part, &text, 0);
	copy = strdup(text ? text : "");
	server->curl->free(text);
	return copy;
}

static bool has_part(const struct server *server, CURLUPart part)
{
	char *text = get_part(server, part);
	bool has = text && *text;

	free(text);
	return has;
}

static bool is_part(const struct server *server, CURLUPart part, const char *value)
{
	char *text = get_part(server, part);
	bool is = text && !strcmp(text, value);

	free(text);
	return is;
}

/* Does the server run on this machine, as far as the URL shows? */
static bool is_local(const struct server *server)
{
	return is_part(server, CURLUPART_HOST, "localhost") ||
	       is_part(server, CURLUPART_HOST, "127.0.0.1") ||
	       is_part(server, CURLUPART_HOST, "[::1]");
}

static int read_url(struct server *server)
{
	const struct push_options *opts = server->options;
	bool is_plain;

	if (server->curl->url_set(server->url, CURLUPART_URL, opts->url, 0))
		return say_usage("push: the argument is not a URL; give one such as https://HOST:PORT");
	if (has_part(server, CURLUPART_USER) || has_part(server, CURLUPART_PASSWORD) ||
	    strstr(opts->url, "password="))
		return say_usage("push: others can see a password in a URL; use --user and --token-file");
	is_plain = is_part(server, CURLUPART_SCHEME, "http");
	if (!is_plain && !is_part(server, CURLUPART_SCHEME, "https"))
		return say_usage("push: the URL is neither http nor https; give one such as https://HOST:PORT");
	if (has_part(server, CURLUPART_FRAGMENT))
		return say_usage("push: a URL of a server has no '#'; remove it");
	if (is_plain && opts->token_file && !is_local(server))
		return say_usage("push: http would send the token unencrypted; give an https URL");
	if (is_plain && opts->ca_file)
		return say_usage("push: http has no certificates; leave out --ca-file or give an https URL");
	shown_url(server->curl, opts->url, server->shown);
	return STATUS_OK;
}

/*
 * Check the command line's URL, and read the token. Return an exit status, after an error
 * was printed. Call server_free() even if this fails.
 */
int server_init(struct server *server, const struct push_options *opts)
{
	int status;

	*server = (struct server){ .options = opts, .curl = library_load() };
	if (!server->curl)
		return STATUS_FAILED;
	if (server->curl->global_init(CURL_GLOBAL_DEFAULT)) {
		server->curl = NULL;
		return say_error("libcurl cannot start");
	}
	server->url = server->curl->url();
	server->handle = server->curl->easy_init();
	if (!server->url || !server->handle)
		return say_error("out of memory");
	status = read_url(server);
	if (!status && opts->token_file)
		status = secret_read(&server->secret, opts->token_file);
	return status;
}

void server_free(struct server *server)
{
	secret_forget(&server->secret);
	if (!server->curl)
		return;
	server->curl->easy_cleanup(server->handle);
	server->curl->url_cleanup(server->url);
	server->curl->global_cleanup();
}

/**
 * struct request - a request being sent
 * @parcel:	what to send
 * @at:		how much of the body was sent
 * @answer:	the answer
 * @url:	the URL with path and query
 * @headers:	headers
 * @error:	libcurl's message
 */
struct request {
	const struct parcel *parcel;
	u64	at;
	struct answer *answer;
	char	*url;
	struct curl_slist *headers;
	char	error[CURL_ERROR_SIZE];
};

static size_t read_body(char *buf, size_t size, size_t nr, void *arg)
{
	struct request *request = arg;
	const struct parcel *parcel = request->parcel;
	u64 left = parcel->len - request->at;
	size_t want = size * nr < left ? size * nr : left;
	ssize_t got = pread(parcel->fd, buf, want, PARCEL_HEAD + request->at);

	if (got < 0 || (want && !got))
		return CURL_READFUNC_ABORT;
	request->at += got;
	return got;
}

/* libcurl goes back to the start if a connection that it kept was closed. */
static int seek_body(void *arg, curl_off_t offset, int origin)
{
	struct request *request = arg;

	if (origin != SEEK_SET || offset < 0 || (u64)offset > request->parcel->len)
		return CURL_SEEKFUNC_FAIL;
	request->at = offset;
	return CURL_SEEKFUNC_OK;
}

/* Keep the begin of the answer's body. */
static size_t take_text(char *data, size_t size, size_t nr, void *arg)
{
	struct request *request = arg;
	struct answer *answer = request->answer;
	size_t used = strlen(answer->text), len = size * nr;

	if (used + len > ANSWER_LEN)
		len = ANSWER_LEN - used;
	memcpy(answer->text + used, data, len);
	answer->text[used + len] = '\0';
	answer->nr += size * nr;
	return answer->nr > BODY_MAX ? 0 : size * nr;
}

/* Append @path to the path of the URL, and @query to its query. */
static bool make_url(const struct server *server, struct request *request)
{
	const struct curl_library *curl = server->curl;
	const struct parcel *parcel = request->parcel;
	char *path = get_part(server, CURLUPART_PATH), *whole = NULL, *text = NULL;
	CURLU *url = curl->url();
	size_t len = path ? strlen(path) : 0;
	bool is_made;

	while (len && path[len - 1] == '/')
		len--;
	is_made = path && url &&
		  asprintf(&whole, "%.*s%s", (int)len, path, parcel->engine->path) >= 0 &&
		  !curl->url_set(url, CURLUPART_URL, server->options->url, 0) &&
		  !curl->url_set(url, CURLUPART_PATH, whole, 0) &&
		  (!*parcel->query ||
		   !curl->url_set(url, CURLUPART_QUERY, parcel->query, CURLU_APPENDQUERY)) &&
		  !curl->url_get(url, CURLUPART_URL, &text, 0);
	request->url = is_made ? strdup(text) : NULL;
	curl->free(text);
	curl->url_cleanup(url);
	free(whole);
	free(path);
	return request->url;
}

/* Add a header, unless @value is NULL. Return false if there is no memory. */
static bool add_header(const struct curl_library *curl, struct request *request,
		       const char *name, const char *value)
{
	struct curl_slist *list;
	char *line;

	if (!value)
		return true;
	if (asprintf(&line, "%s: %s", name, value) < 0)
		return false;
	list = curl->slist_append(request->headers, line);
	if (list)
		request->headers = list;
	free(line);
	return list;
}

static bool add_headers(const struct server *server, struct request *request)
{
	const struct engine *engine = request->parcel->engine;

	return add_header(server->curl, request, "Content-Type", engine->type) &&
	       add_header(server->curl, request, "Content-Encoding", engine->encoding) &&
	       add_header(server->curl, request, "X-Scope-OrgID", server->options->tenant) &&
	       /* Do not wait for the server to ask for the body. */
	       add_header(server->curl, request, "Expect", "");
}

static CURLcode set_secret(const struct server *server)
{
	const struct push_options *opts = server->options;
	__typeof__(curl_easy_setopt) *set = server->curl->easy_setopt;
	CURL *handle = server->handle;

	if (!*server->secret.text)
		return CURLE_OK;
	/* A proxy of http could read the token, and may be on another host. */
	if (is_part(server, CURLUPART_SCHEME, "http") && set(handle, CURLOPT_PROXY, ""))
		return CURLE_OUT_OF_MEMORY;
	if (opts->user)
		return set(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) ?:
		       set(handle, CURLOPT_USERNAME, opts->user) ?:
		       set(handle, CURLOPT_PASSWORD, server->secret.text);
	return set(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) ?:
	       set(handle, CURLOPT_XOAUTH2_BEARER, server->secret.text);
}

static CURLcode set_body(const struct server *server, struct request *request)
{
	__typeof__(curl_easy_setopt) *set = server->curl->easy_setopt;
	CURL *handle = server->handle;

	return set(handle, CURLOPT_POST, 1L) ?:
	       set(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->parcel->len) ?:
	       set(handle, CURLOPT_READFUNCTION, read_body) ?:
	       set(handle, CURLOPT_READDATA, request) ?:
	       set(handle, CURLOPT_SEEKFUNCTION, seek_body) ?:
	       set(handle, CURLOPT_SEEKDATA, request) ?:
	       set(handle, CURLOPT_WRITEFUNCTION, take_text) ?:
	       set(handle, CURLOPT_WRITEDATA, request);
}

static CURLcode set_ca_file(const struct server *server)
{
	__typeof__(curl_easy_setopt) *set = server->curl->easy_setopt;

	if (!server->options->ca_file)
		return CURLE_OK;
	/* A library without support for a directory has none to leave out. */
	set(server->handle, CURLOPT_CAPATH, NULL);
	return set(server->handle, CURLOPT_CAINFO, server->options->ca_file);
}

static CURLcode set_options(const struct server *server, struct request *request)
{
	const struct push_options *opts = server->options;
	__typeof__(curl_easy_setopt) *set = server->curl->easy_setopt;
	CURL *handle = server->handle;

	return set(handle, CURLOPT_URL, request->url) ?:
	       set(handle, CURLOPT_PROTOCOLS_STR, "http,https") ?:
	       set(handle, CURLOPT_FOLLOWLOCATION, 0L) ?:
	       set(handle, CURLOPT_HTTPHEADER, request->headers) ?:
	       set(handle, CURLOPT_USERAGENT, "tprof-lx/" TPROF_LX_VERSION) ?:
	       set(handle, CURLOPT_ERRORBUFFER, request->error) ?:
	       set(handle, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT) ?:
	       set(handle, CURLOPT_TIMEOUT_MS, (long)(opts->timeout / NSEC_PER_MSEC)) ?:
	       set_body(server, request) ?: set_ca_file(server) ?: set_secret(server);
}

/*
 * Return the number of seconds in Retry-After, which is a number or a date. Do not ask libcurl
 * for it: some versions return at most six hours, others 0 if the number is too large.
 */
static u64 get_wait(const struct server *server)
{
	const struct curl_library *curl = server->curl;
	struct curl_header *header;
	time_t date, now = time(NULL);

	if (curl->easy_header(server->handle, "Retry-After", 0, CURLH_HEADER, -1, &header))
		return 0;
	if (!header->value[strspn(header->value, "0123456789")])
		return strtoull(header->value, NULL, 10);
	date = curl->getdate(header->value, NULL);
	return date > now ? date - now : 0;
}

static void take_answer(const struct server *server, struct request *request)
{
	__typeof__(curl_easy_getinfo) *get = server->curl->easy_getinfo;
	struct answer *answer = request->answer;
	char *location = NULL;

	get(server->handle, CURLINFO_RESPONSE_CODE, &answer->status);
	get(server->handle, CURLINFO_REDIRECT_URL, &location);
	answer->wait = get_wait(server);
	answer->is_begun = request->at;
	answer->is_sent = request->at == request->parcel->len;
	if (location)
		shown_url(server->curl, location, answer->location);
	if (!answer->status)
		snprintf(answer->text, sizeof(answer->text), "%.*s", ANSWER_LEN,
			 *request->error ? request->error :
					   server->curl->easy_strerror(answer->code));
}

/* Send @parcel once, and fill in @answer. */
void server_send(struct server *server, const struct parcel *parcel, struct answer *answer)
{
	struct request request = { .parcel = parcel, .answer = answer };

	*answer = (struct answer){ .code = CURLE_OUT_OF_MEMORY };
	server->curl->easy_reset(server->handle);
	if (make_url(server, &request) && add_headers(server, &request))
		answer->code = set_options(server, &request) ?:
			       server->curl->easy_perform(server->handle);
	take_answer(server, &request);
	server->curl->slist_free_all(request.headers);
	free(request.url);
}
