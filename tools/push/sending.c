// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - send a request, and again if the server cannot take it now
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/printable.h"
#include "cli/say.h"
#include "push/sending.h"

/* Wait this long before the second attempt, and twice as long before each further one. */
#define FIRST_WAIT	NSEC_PER_SEC
#define LONGEST_WAIT	(60 * NSEC_PER_SEC)

/* If the server wants a longer pause, leave it to the next run. */
#define LONGEST_PAUSE	(300 * NSEC_PER_SEC)

static void wait_ns(u64 ns)
{
	struct timespec left = { .tv_sec = ns / NSEC_PER_SEC, .tv_nsec = ns % NSEC_PER_SEC };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

void (*sending_wait)(u64 ns) = wait_ns;

/* Answers to the request itself, which would be the same for each further attempt. */
static bool is_refusal(long status)
{
	switch (status) {
	case 401: case 403: case 404: case 405: case 407: case 408: case 429:
		return false;
	default:
		return status >= 400 && status < 500;
	}
}

/*
 * Does the server have the whole request? It can answer before that, and close the
 * connection. CURLE_WRITE_ERROR only means that its answer was too long.
 */
static bool is_done(const struct answer *answer)
{
	return answer->status >= 200 && answer->status < 300 && answer->is_sent &&
	       (!answer->code || answer->code == CURLE_WRITE_ERROR);
}

/* Can the next attempt succeed, although nothing is changed at the server or here? */
static bool is_temporary(const struct answer *answer)
{
	switch (answer->code) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_URL_MALFORMAT:
	case CURLE_OUT_OF_MEMORY:
	case CURLE_NOT_BUILT_IN:
	case CURLE_UNKNOWN_OPTION:
	case CURLE_BAD_FUNCTION_ARGUMENT:
	case CURLE_ABORTED_BY_CALLBACK:
		return false;
	default:
		return answer->status < 300 || answer->status == 408 || answer->status == 429 ||
		       answer->status >= 500;
	}
}

/* Return how long to wait before attempt number @nr: a random part keeps hosts apart. */
static u64 pause_before(u64 nr, const struct answer *answer)
{
	u64 longest = FIRST_WAIT, random = 0, wait;

	while (--nr && longest < LONGEST_WAIT)
		longest *= 2;
	if (longest > LONGEST_WAIT)
		longest = LONGEST_WAIT;
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = 0;
	wait = longest / 2 + random % (longest / 2 + 1);
	if (answer->wait > LONGEST_PAUSE / NSEC_PER_SEC)
		return LONGEST_PAUSE + 1;
	return wait > answer->wait * NSEC_PER_SEC ? wait : answer->wait * NSEC_PER_SEC;
}

/* Describe a failure, in the words of the server if it has any. */
static void describe(const struct answer *answer, char *text, size_t room)
{
	char line[ANSWER_LEN + 1];

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(answer->text, "\r\n"), answer->text);
	if (!answer->status)
		snprintf(text, room, "%s", printable(line));
	else if (answer->status < 300)
		snprintf(text, room, "status %ld came before the end of %s", answer->status,
			 answer->is_sent ? "the answer" : "the request");
	else
		snprintf(text, room, "status %ld%s%s", answer->status, *line ? ": " : "",
			 printable(line));
}

static void say_failed(const struct server *server, const char *what, const struct answer *answer)
{
	const char *host = printable(server->shown);
	char text[4 * ANSWER_LEN + 64];

	describe(answer, text, sizeof(text));
	if (*answer->location)
		say_error("%s redirects to %s; give a URL there if you trust it", host,
			  printable(answer->location));
	else if (is_temporary(answer) && answer->wait > LONGEST_PAUSE / NSEC_PER_SEC)
		say_error("%s wants no request for %llu seconds; run push again then", host,
			  answer->wait);
	else if (answer->status == 401 || answer->status == 403)
		say_error("%s denies access (%s); check --token-file, --user and --tenant", host,
			  text);
	else if (answer->status == 404 || answer->status == 405)
		say_error("%s does not take profiles (%s); check URL, --to and --table", host,
			  text);
	else
		say_error("cannot send %s to %s: %s", printable(what), host, text);
}

static enum sending classify(const struct answer *answer)
{
	if (is_refusal(answer->status))
		return SENDING_REFUSED;
	if (!is_temporary(answer) || answer->status == 408 || answer->status == 429 ||
	    answer->wait > LONGEST_PAUSE / NSEC_PER_SEC)
		return SENDING_LATER;
	return answer->status || answer->is_begun ? SENDING_FAILED : SENDING_LATER;
}

/* The server took the request. Print an error if it rejected profiles in it. */
static enum sending check_taken(const struct server *server, const struct parcel *parcel,
				const struct answer *answer, const char *what)
{
	size_t len = answer->nr < ANSWER_LEN ? answer->nr : ANSWER_LEN;
	char why[ANSWER_LEN + 1];
	u64 nr = 0;

	if (parcel->engine->count_rejected)
		nr = parcel->engine->count_rejected(answer->text, len, why, sizeof(why));
	if (!nr)
		return SENDING_DONE;
	say_error("%s rejected %llu profiles of %s: %s", printable(server->shown), nr,
		  printable(what), *why ? printable(why) : "it gives no reason");
	return SENDING_REFUSED;
}

/*
 * Send @parcel, which is of the recording or file @what. If that fails, try again
 * @retries times if it can help, and print an error.
 */
enum sending sending_send(struct server *server, const struct parcel *parcel, u64 retries,
			  const char *what)
{
	struct answer answer;
	char text[4 * ANSWER_LEN + 64];
	u64 attempt, pause;

	for (attempt = 1;; attempt++) {
		server_send(server, parcel, &answer);
		if (is_done(&answer))
			return check_taken(server, parcel, &answer, what);
		pause = pause_before(attempt, &answer);
		if (!is_temporary(&answer) || attempt > retries ||
		    pause > LONGEST_PAUSE)
			break;
		describe(&answer, text, sizeof(text));
		say_detail("%s: attempt %llu failed (%s); waiting %llu ms", printable(what),
			   attempt, text, pause / NSEC_PER_MSEC);
		sending_wait(pause);
	}
	say_failed(server, what, &answer);
	return classify(&answer);
}
