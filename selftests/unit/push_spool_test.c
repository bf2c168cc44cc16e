// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - push: the spool, secrets, and what is refused before it is sent
 */
#include <dirent.h>
#include <sys/file.h>

#include "push_run.h"
#include "unit.h"

#define WORDS_MAX	20

/* Return the number of files in the spool with names that end with @end. */
static size_t nr_spooled(const char *end)
{
	DIR *dir = opendir(spool);
	struct dirent *entry;
	size_t nr = 0, len;

	while (dir && (entry = readdir(dir))) {
		len = strlen(entry->d_name);
		nr += len >= strlen(end) && !strcmp(entry->d_name + len - strlen(end), end);
	}
	if (dir)
		closedir(dir);
	return nr;
}

static void spool_file(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", spool, name);
	if (text)
		fill(path, text, 0600);
	else
		unlink(path);
}

static void spool_survives(void)
{
	sink_clear();
	sink_answers[0] = ANSWER("503 Busy");
	sink_answers[1] = ANSWER("401 No");
	unit_ok(PUSH("parca", "--spool", spool, "--retries", "0", recording) == 1 && sink_nr == 1 &&
		nr_spooled(".push") == 1 && strstr(said, "1 request waits in"),
		"a request stays in the spool until the server takes it");
	unit_ok(PUSH("parca", "--spool", spool, recording, recording) == 1 && sink_nr == 2 &&
		nr_spooled(".push") == 3 && strstr(said, "denies access"),
		"a wrong token stops at the first request and loses none");
	spool_file("new", "left by a killed process");
	unit_ok(!PUSH("parca", "--spool", spool) && sink_nr == 5 && !nr_spooled(".push"),
		"the next run sends what is in the spool");
	unit_ok(is_same_body(0, 2), "the request is the one of the first attempt");
}

/* Make a request with a body of @len zeros. */
static void spool_zeros(const char *name, size_t len)
{
	char path[128];

	spool_file(name, "tprof-lx parcel 1\nparca\n\n");
	snprintf(path, sizeof(path), "%s/%s", spool, name);
	if (truncate(path, PARCEL_HEAD + len))
		abort();
}

/* The body is larger than the buffers of a connection. */
static void early_success_is_none(void)
{
	sink_clear();
	sink_answers[0] = EARLY;
	spool_zeros("0000000000000001.push", 64 << 20);
	unit_ok(PUSH("parca", "--spool", spool, "--retries", "0") == 1 && sink_nr == 1 &&
		nr_spooled(".push") == 1 && strstr(said, "before the end of the request"),
		"a server that answers before it has all does not have the request");
	sink_go();
	spool_file("0000000000000001.push", NULL);
}

static void refused_is_kept(void)
{
	sink_clear();
	sink_answers[0] = ANSWER("400 Bad");
	unit_ok(PUSH("parca", "--spool", spool, recording, recording) == 1 && sink_nr == 2 &&
		nr_spooled(".refused") == 1 && !nr_spooled(".push") &&
		strstr(said, "0000000000000001.refused"),
		"a refused request is kept aside, and the next one is sent");
	unit_ok(PUSH("parca", "--spool", spool, "-q") == 1 && sink_nr == 2 &&
		strstr(said, "1 refused"),
		"a refused request is not sent again, but reported");
	spool_file("0000000000000001.refused", NULL);
	spool_file("0000000000000007.push", "tprof-lx parcel 1\nparca\n\n");
	unit_ok(PUSH("parca", "--spool", spool) == 1 && sink_nr == 2 &&
		nr_spooled("7.refused") == 1,
		"a damaged request is kept aside");
	spool_file("0000000000000007.refused", NULL);
}

/* The server fails at one request of three. */
static void failing_request_is_passed(void)
{
	sink_clear();
	sink_answers[0] = ANSWER("500 Oops");
	spool_zeros("0000000000000003.push", 10);
	spool_zeros("0000000000000004.push", 11);
	spool_zeros("0000000000000005.push", 12);
	unit_ok(PUSH("parca", "--spool", spool, "--retries", "0") == 1 && sink_nr == 3 &&
		nr_spooled(".push") == 1 && nr_spooled("3.push") == 1,
		"a request at which the server fails does not hold up the others");
	sink_clear();
	for (int i = 0; i < 4; i++)
		sink_answers[i] = ANSWER("502 Bad gateway");
	spool_zeros("0000000000000004.push", 11);
	spool_zeros("0000000000000005.push", 12);
	unit_ok(PUSH("parca", "--spool", spool, "--retries", "2") == 1 && sink_nr == 4 &&
		nr_spooled(".push") == 3,
		"a server that fails at the next request, too, gets no further one");
	PUSH("parca", "--spool", spool);
}

static void numbers_are_kept(void)
{
	sink_clear();
	spool_file("0000000000000002.refused", "old");
	spool_zeros("0000000000000002.push", 10);
	sink_answers[0] = ANSWER("400 Bad");
	PUSH("parca", "--spool", spool);
	unit_ok(nr_spooled("2.refused") == 1 && nr_spooled("3.refused") == 1 &&
		!nr_spooled(".push"),
		"a refused request replaces no other one");
	spool_file("0000000000000002.refused", NULL);
	spool_file("0000000000000003.refused", NULL);
	spool_file("9999999999999999.refused", "old");
	unit_ok(PUSH("parca", "--spool", spool, "--remove", recording) == 1 && sink_nr == 1 &&
		!access(recording, R_OK) && strstr(said, "highest number") && !nr_spooled("new"),
		"a request without a number is not added");
	spool_file("9999999999999999.refused", NULL);
}

static void spool_is_bounded(void)
{
	char room[32];

	sink_clear();
	sink_answers[0] = ANSWER("503 Busy");
	PUSH("parca", "--spool", spool, "--retries", "0", recording);
	sink_answers[1] = ANSWER("503 Busy");
	/* One byte less than the two requests need. */
	snprintf(room, sizeof(room), "%zu", 2 * (PARCEL_HEAD + sink_seen[0].len) - 1);
	unit_ok(PUSH("parca", "--spool", spool, "--retries", "0", "--spool-size", room, "--remove",
		     recording, recording) == 1 &&
		nr_spooled(".push") == 1 && !nr_spooled("new") &&
		strstr(said, "has no room for") && strstr(said, "1 further recordings") &&
		!access(recording, R_OK),
		"a full spool takes no request, and the recording stays");
	unit_ok(!PUSH("parca", "--spool", spool, "--spool-size", room, "--remove", recording) &&
		sink_nr == 4 && !nr_spooled(".push") && access(recording, R_OK),
		"a full spool is sent first, and makes room");
	make_dated();
}

static void spool_is_of_one(void)
{
	int dir = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	sink_clear();
	flock(dir, LOCK_EX);
	unit_ok(PUSH("parca", "--spool", spool, recording) == 1 && strstr(said, "another push") &&
		!sink_nr,
		"two processes do not use one spool");
	close(dir);
	sink_answers[0] = ANSWER("503 Busy");
	PUSH("parca", "--spool", spool, "--retries", "0", recording);
	unit_ok(PUSH("clickhouse", "--spool", spool) == 1 && strstr(said, "--to parca") &&
		nr_spooled(".push") == 1 && sink_nr == 1,
		"a request is not sent to another engine");
	PUSH("parca", "--spool", spool);
	chmod(spool, 0777);
	unit_ok(PUSH("parca", "--spool", spool) == 1 && strstr(said, "others can write"),
		"a spool that others can write to is refused");
	chmod(spool, 0700);
}

static void secrets_are_kept(void)
{
	sink_clear();
	fill(token, "s3cret", 0640);
	unit_ok(PUSH("parca", "--token-file", token, recording) == 1 && strstr(said, "chmod 600"),
		"a token that others can read is refused");
	fill(token, "a b\n", 0600);
	unit_ok(PUSH("parca", "--token-file", token, recording) == 1 && strstr(said, "blank"),
		"a token has no blanks");
	fill(token, "abcd\n", 0600);
	unit_ok(!truncate(token, 2) && !truncate(token, 4) &&
		PUSH("parca", "--token-file", token, recording) == 1,
		"a token has no zeros");
	fill(token, "\r\nX-Evil: 1\n", 0600);
	unit_ok(PUSH("parca", "--token-file", token, recording) == 1, "a token is not empty");
	unit_ok(PUSH("parca", "--tenant", "a\r\nX-Evil: 1", recording) == 2,
		"a tenant has no line breaks");
	unit_ok(!sink_nr, "nothing is sent then");
}

static bool is_usage(int status)
{
	const char *at = said;
	int words = 0;

	for (; *at; at++)
		words += *at != ' ' && *at != '\n' && (at == said || at[-1] == ' ');
	return status == 2 && words <= WORDS_MAX + 1;
}

/* Run push with up to three arguments. */
static int push_plain(char *first, char *second, char *third)
{
	char *argv[] = { "push", first, second, third, NULL };

	return push_run(!first ? 1 : !second ? 2 : !third ? 3 : 4, argv);
}

static void urls_are_checked(void)
{
	static char *const urls[] = { "host:4040", "ftp://host/", "https://a:b@host/", "file:///x",
				      "https://host/#x", "https://host/?password=x",
				      "ftp://me:pa55@host/", "me:pa55@host" };
	char option[128];
	bool are_refused = true;
	size_t i;

	unit_ok(is_usage(push_plain(NULL, NULL, NULL)) && strstr(said, "no URL"),
		"a URL is needed");
	for (i = 0; i < ARRAY_SIZE(urls); i++)
		are_refused &= is_usage(push_plain("--to=parca", urls[i], NULL)) &&
			       !strstr(said, "pa55");
	unit_ok(are_refused, "wrong URLs are refused");
	fill(token, "s3cret", 0600);
	snprintf(option, sizeof(option), "--token-file=%s", token);
	unit_ok(is_usage(push_plain("--to=parca", option, "http://host.example")) &&
		strstr(said, "unencrypted"),
		"a token is not sent unencrypted");
	unit_ok(is_usage(push_plain("--to=parca", "--ca-file=x", "http://host.example")),
		"http has no certificates");
}

static void options_are_checked(void)
{
	unit_ok(is_usage(push_plain("https://host", NULL, NULL)) && strstr(said, "no engine"),
		"an engine is needed");
	unit_ok(is_usage(push_plain("--to", "nonesuch", "https://host")), "an engine is known");
	unit_ok(is_usage(PUSH("clickhouse", "--table", "a;b", recording)) &&
		is_usage(PUSH("parca", "--name", "a{b", recording)) &&
		is_usage(PUSH("parca", "-I", "5", recording)) &&
		is_usage(PUSH("parca", "--table", "a", recording)) &&
		is_usage(PUSH("parca", "--spool-size", "1M", recording)) &&
		is_usage(PUSH("clickhouse", "--name", "web", recording)) &&
		is_usage(PUSH("parca", "--timeout", "3000000", recording)) &&
		is_usage(PUSH("parca", "--user", "me", recording)),
		"wrong values of options are refused");
}

static void poor_recordings_are_left(void)
{
	struct feature_set features = { 0 };

	sink_clear();
	make_empty_recording();
	unit_ok(!PUSH("parca", "--remove", recording) && !sink_nr && access(recording, R_OK),
		"nothing is sent of a recording without samples");
	begin_records(true);
	ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	end_records_with(&features, 2);
	unit_ok(PUSH("parca", "--remove", recording) == 1 && !sink_nr && !access(recording, R_OK) &&
		strstr(said, "no time of day"),
		"a recording without dates is not sent");
	make_dated();
	if (truncate(recording, 700))
		abort();
	unit_ok(PUSH("parca", "--spool", spool, "--remove", recording) == 1 && !sink_nr &&
		!access(recording, R_OK) && !nr_spooled(".push"),
		"a damaged recording is not sent");
}

static void replace_recording(void)
{
	char other[80];

	snprintf(other, sizeof(other), "%s.other", recording);
	fill(other, "a new recording", 0600);
	if (rename(other, recording))
		abort();
}

static void only_what_was_sent_is_removed(void)
{
	make_dated();
	sink_clear();
	unit_ok(is_usage(PUSH("parca", "--remove", "--comm", "nonesuch", recording)) &&
		is_usage(PUSH("parca", "--remove", "--time", "0,1", recording)) &&
		is_usage(PUSH("parca", "--remove", "--user-only", recording)) && !sink_nr &&
		!access(recording, R_OK),
		"a filter and --remove are not given together");
	sink_hook = replace_recording;
	unit_ok(PUSH("parca", "--remove", recording) == 1 && sink_nr == 1 &&
		!access(recording, R_OK) && strstr(said, "is kept"),
		"a recording that replaces the sent one is not removed");
	sink_hook = NULL;
	make_dated();
}

static void labels_leave_room(void)
{
	struct labels labels = { 0 };
	char text[16];
	int i, err = 0;

	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "l%d=x", i);
		err |= labels_parse(&labels, text);
	}
	unit_ok(!err && !labels_parse(&labels, "l0=y") &&
		labels_parse(&labels, "more=x") == -ERANGE,
		"labels of the user leave room for those of the recording");
}

int main(void)
{
	push_begin();
	spool_survives();
	early_success_is_none();
	refused_is_kept();
	failing_request_is_passed();
	numbers_are_kept();
	spool_is_bounded();
	spool_is_of_one();
	secrets_are_kept();
	urls_are_checked();
	options_are_checked();
	poor_recordings_are_left();
	only_what_was_sent_is_removed();
	labels_leave_room();
	push_end();
	return unit_exit();
}
