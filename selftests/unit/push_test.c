// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - push, to a server in this program
 *
 * A request must be the expected one byte for byte. The bodies are compared with the output
 * of export.
 */
#include <ctype.h>
#include <zlib.h>

#include "export_json.h"
#include "push_run.h"
#include "unit.h"

#define LABEL(name, value) "{\"name\":\"" name "\",\"value\":\"" value "\"}"
#define LABELS		LABEL("__name__", "process_cpu") "," LABEL("service_name", "web") "," \
			LABEL("env", "a,b") "," LABEL("host", "host-a") "," \
			LABEL("kernel", "6.12.0") "," LABEL("build", BUILD)
#define QUERY_LABELS	"env%3da_b%2chost%3dhost-a%2ckernel%3d6.12.0%2cbuild%3d" BUILD
#define ROW_LABELS	",\"labels\":{\"env\":\"a,b\",\"host\":\"host-a\"," \
			"\"kernel\":\"6.12.0\",\"build\":\"" BUILD "\"}}\n"
#define ID		"00000000-0000-0000-0000-000000000000"
#define TIMES		"&from=1700000000&until=1700000001&format=pprof"
#define INGEST		"/ingest?name=web%7b" QUERY_LABELS "%7d" TIMES
#define ROWS_QUERY	"query=INSERT%20INTO%20prof.rows%20FORMAT%20JSONEachRow"
#define INSERT		"/?" ROWS_QUERY "&insert_deduplication_token=000000000000000000000000000000000000"
#define HEAD		"POST /base%s HTTP/1.1\r\n" \
			"Host: localhost:%d\r\n" \
			"%s" \
			"User-Agent: tprof-lx/" TPROF_LX_VERSION "\r\n" \
			"Accept: */*\r\n" \
			"%s" \
			"Content-Length: %zu\r\n\r\n"

/*
 * Is the head of request @nr this one? The lines of headers @before and @after are those
 * around the ones that all requests have.
 */
static bool is_head(size_t nr, const char *target, const char *before, const char *after)
{
	char wanted[4096];

	snprintf(wanted, sizeof(wanted), HEAD, target, sink_port, before, after,
		 sink_seen[nr].len);
	if (nr < sink_nr && !strcmp(sink_seen[nr].head, wanted))
		return true;
	printf("# got %s# wanted %s", sink_seen[nr].head, wanted);
	return false;
}

static void ingest_is_exact(void)
{
	int status;

	sink_clear();
	fill(token, "s3cret\nrest\n", 0600);
	status = PUSH("pyroscope", "--tenant", "team-1", "--token-file", token, recording);
	unit_ok(!status && sink_nr == 1, "a profile is sent to Pyroscope");
	unit_ok(is_head(0, INGEST, "Authorization: Bearer s3cret\r\n",
			"Content-Type: application/octet-stream\r\nX-Scope-OrgID: team-1\r\n"),
		"the request has name, labels, times, token and tenant");
	run_export("pprof", NULL, NULL);
	unit_ok(got_len && sink_seen[0].len == got_len && !memcmp(sink_seen[0].body, got, got_len),
		"the body is the profile");
}

static u32 digit(char letter)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	return strchr(digits, letter) - digits;
}

/* Is the base64 at @text, up to a quote, the same as @got? */
static bool is_coded(const char *text)
{
	size_t nr = strcspn(text, "\""), len = 0, i;
	u32 bits = 0;

	for (i = 0; i < nr && text[i] != '='; i++) {
		bits = bits << 6 | digit(text[i]);
		if (i % 4 && (len >= got_len || (u8)(bits >> (6 - i % 4 * 2)) != got[len++]))
			return false;
	}
	return !(nr % 4) && len == got_len;
}

/* Check the body of request 0: @before, the profile in base64, @after. */
static void body_is(const char *before, const char *after, const char *name)
{
	char *body = sink_seen[0].body ?: "";

	run_export("pprof", NULL, NULL);
	unit_ok(json_is_valid(body) && !strncmp(body, before, strlen(before)) &&
		is_coded(body + strlen(before)) &&
		!strcmp(strchr(body + strlen(before), '"'), after),
		name);
}

/* Replace the identifier of the profile, which is a hash, by zeros. */
static bool clear_id(void)
{
	char *id = strstr(sink_seen[0].body ?: "", "\"ID\":\"");
	int i;

	for (i = 6; id && i < 42; i++) {
		if (id[i] != '-' && !isxdigit((unsigned char)id[i]))
			return false;
		id[i] = id[i] == '-' ? '-' : '0';
	}
	return id;
}

static void apis_are_exact(void)
{
	static const char type[] = "Content-Type: application/json\r\n";

	sink_clear();
	unit_ok(!PUSH("pyroscope-push", recording) &&
		is_head(0, "/push.v1.PusherService/Push", "", type),
		"a profile is sent to Pyroscope's API");
	unit_ok(clear_id(), "a profile has an identifier");
	body_is("{\"series\":[{\"labels\":[" LABELS "],\"samples\":[{\"rawProfile\":\"",
		"\",\"ID\":\"" ID "\"}]}]}\n", "the body is a series with labels and the profile");
	sink_clear();
	unit_ok(!PUSH("parca", recording) && is_head(0, "/api/profiles/writeraw", "", type),
		"a profile is sent to Parca");
	body_is("{\"series\":[{\"labels\":{\"labels\":[" LABELS "]},\"samples\":[{\"raw_profile\":\"",
		"\"}]}],\"normalized\":false}\n", "Parca's body is a series with labels and the profile");
}

/* Decompress the body of request 0 into @text. Return its length, or 0 if it is damaged. */
static size_t inflate_body(char *text, size_t room)
{
	z_stream stream = { .next_in = (u8 *)sink_seen[0].body, .avail_in = sink_seen[0].len,
			    .next_out = (u8 *)text, .avail_out = room - 1 };
	bool is_whole;

	if (inflateInit2(&stream, 15 + 16) != Z_OK)
		abort();
	is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && !stream.avail_in;
	text[stream.total_out] = '\0';
	inflateEnd(&stream);
	return is_whole ? stream.total_out : 0;
}

/* Are the rows those of export, with labels? */
static bool are_rows(const char *text)
{
	static const char labels[] = ROW_LABELS;
	const char *at = (const char *)got, *end;

	for (; (end = strstr(at, "}\n")); at = end + 2) {
		if (strncmp(text, at, end - at))
			return false;
		text += end - at;
		if (strncmp(text, labels, strlen(labels)))
			return false;
		text += strlen(labels);
	}
	return at > (const char *)got && !*text;
}

/* Does request @nr have the token @text? */
static bool is_same_token(const char *text, size_t nr)
{
	const char *token = strstr(sink_seen[nr].head, "token=");

	return token && *text && !strncmp(token, text, strlen(text));
}

static void rows_are_exact(void)
{
	static char text[1 << 16];
	char old[43] = "", *id;
	int status;

	sink_clear();
	fill(token, "s3cret", 0600);
	status = PUSH("clickhouse", "--user", "me", "--token-file", token, "--table", "prof.rows",
		      recording);
	unit_ok(!status && sink_nr == 1, "rows are sent to ClickHouse");
	id = strstr(sink_seen[0].head, "token=");
	if (id)
		snprintf(old, sizeof(old), "%s", id);
	if (id)
		memset(id + 6, '0', strcspn(id + 6, " "));
	unit_ok(is_head(0, INSERT, "Authorization: Basic bWU6czNjcmV0\r\n",
			"Content-Type: application/x-ndjson\r\nContent-Encoding: gzip\r\n"),
		"the request has query and login");
	unit_ok(!PUSH("clickhouse", "--table", "prof.rows", recording) &&
		!PUSH("clickhouse", "--table", "prof.rows", "--label", "env=b", recording) &&
		id && sink_nr == 3 && is_same_token(old, 1) && !is_same_token(old, 2),
		"the same rows have the same token, and other ones another token");
	run_export("rows", NULL, NULL);
	unit_ok(inflate_body(text, sizeof(text)) && json_is_valid(text) && are_rows(text),
		"the body is compressed rows with labels");
}

/* Return true if the @len bytes at @body have an attribute of a resource. */
static bool has_attribute(const char *body, size_t len, const char *key, const char *value)
{
	char wanted[256];
	size_t key_len = strlen(key), value_len = strlen(value);
	int nr = snprintf(wanted, sizeof(wanted), "\n%c%s\x12%c\n%c%s", (char)key_len, key,
			  (char)(value_len + 2), (char)value_len, value);

	return memmem(body, len, wanted, nr);
}

/* The message ends with the dictionary, which does not depend on labels. */
static void otlp_is_exact(void)
{
	const char *type = "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\n";
	const char *answer = "\n\t\b\2\x12\5bad\x1b!";
	static char body[1 << 16];
	size_t len, dictionary = 256;
	int status;

	sink_clear();
	status = PUSH("otlp", recording);
	unit_ok(!status && is_head(0, "/v1development/profiles", "", type),
		"profiles are sent by OTLP");
	len = inflate_body(body, sizeof(body));
	run_export("otlp", NULL, NULL);
	unit_ok(len > got_len && got_len > dictionary &&
		!memcmp(body + len - dictionary, got + got_len - dictionary, dictionary),
		"the body is a message of OTLP");
	unit_ok(has_attribute(body, len, "service.name", "web") &&
		has_attribute(body, len, "host.name", "host-a") &&
		has_attribute(body, len, "os.version", "6.12.0") &&
		has_attribute(body, len, "env", "a,b"),
		"the resource has name, host, kernel and labels");
	sink_clear();
	unit_ok(!PUSH("openobserve", recording) &&
		!strncmp(sink_seen[0].head, "POST /base/v1/profiles ", 23),
		"OpenObserve has another path");
	sink_clear();
	snprintf(body, sizeof(body), ANSWER_WITH("200 OK", "", "%s"), answer);
	sink_answers[0] = body;
	unit_ok(PUSH("otlp", recording) == 1 && sink_nr == 1 &&
		strstr(said, "rejected 2 profiles") && strstr(said, "bad\\x1b!"),
		"profiles that the server rejects are an error");
	sink_clear();
	sink_answers[0] = ANSWER_WITH("200 OK", "", "\n\177cut");
	unit_ok(!PUSH("otlp", recording) && sink_nr == 1, "a damaged answer rejects nothing");
}

/* A label is of all samples, so it cannot have the host of a sample. */
static void hosts_stay_apart(void)
{
	static char text[1 << 16];
	size_t len;

	make_hosts();
	sink_clear();
	unit_ok(!PUSH("pyroscope", recording) &&
		!strncmp(sink_seen[0].head, "POST /base/ingest?name=web%7benv%3da_b%7d&", 42),
		"a profile of several hosts has no label of one");
	run_export("pprof", NULL, NULL);
	unit_ok(sink_seen[0].len == got_len && !memcmp(sink_seen[0].body, got, got_len),
		"its samples have the labels of export");
	sink_clear();
	PUSH("clickhouse", recording);
	inflate_body(text, sizeof(text));
	unit_ok(strstr(text, "\"host\":\"host-a\"") && strstr(text, "\"host\":\"host-b\"") &&
		strstr(text, "\"labels\":{\"env\":\"a,b\"}}"), "rows have the hosts of their samples");
	sink_clear();
	PUSH("otlp", recording);
	len = inflate_body(text, sizeof(text));
	unit_ok(has_attribute(text, len, "host", "host-a") &&
		has_attribute(text, len, "host", "host-b") &&
		!memmem(text, len, "host-a,host-b", 13), "a resource of OTLP has the label host");
	sink_clear();
	PUSH("otlp", "--label", "host=mine", recording);
	len = inflate_body(text, sizeof(text));
	unit_ok(has_attribute(text, len, "host", "mine") &&
		!has_attribute(text, len, "host", "host-a") &&
		has_attribute(text, len, "host.name", "host-a"), "a label of the user stays");
	make_dated();
}

/* The URL may have a path and a query of its own. */
static void url_is_kept(void)
{
	snprintf(url, sizeof(url), "http://localhost:%d?database=a%%20b", sink_port);
	sink_clear();
	PUSH("clickhouse", recording);
	unit_ok(!strncmp(sink_seen[0].head, "POST /?database=a%20b&query=INSERT%20INTO%20", 44),
		"the query is appended to that of the URL");
	snprintf(url, sizeof(url), "http://localhost:%d/base/", sink_port);
}

static void failures_are_retried(void)
{
	sink_clear();
	sink_answers[0] = ANSWER_WITH("503 Busy", "Retry-After: 7\r\n", "");
	sink_answers[1] = DROP;
	sink_answers[2] = ANSWER("429 Slow down");
	unit_ok(!PUSH("pyroscope", recording) && sink_nr == 4 && nr_waits == 3,
		"503, a dropped connection and 429 are tried again");
	unit_ok(is_same_body(0, 3), "the last attempt sends all again");
	unit_ok(waits[0] == 7 * NSEC_PER_SEC, "Retry-After is waited for");
	unit_ok(waits[1] >= NSEC_PER_SEC && waits[1] <= 2 * NSEC_PER_SEC &&
		waits[2] >= 2 * NSEC_PER_SEC && waits[2] <= 4 * NSEC_PER_SEC,
		"each pause is twice as long");

	sink_clear();
	for (int i = 0; i < 4; i++)
		sink_answers[i] = ANSWER("500 Oops");
	unit_ok(PUSH("pyroscope", "--retries", "2", recording) == 1 && sink_nr == 3,
		"the number of attempts is bounded");
	sink_clear();
	sink_answers[0] = ANSWER_WITH("400 Bad", "Retry-After: 4000\r\n", "too old");
	unit_ok(PUSH("pyroscope", recording) == 1 && strstr(said, "status 400: too old"),
		"the reason of a refusal is printed, whatever its pause");
	sink_clear();
	sink_answers[0] = SILENT;
	unit_ok(PUSH("pyroscope", "--retries", "0", "--timeout", "0.1", recording) == 1 &&
		strstr(said, "cannot send"),
		"a server that does not answer is given up");
	sink_await_end();
}

/* Return how many seconds the server wants no request, as the last message says, or 0. */
static u64 said_pause(void)
{
	const char *at = strstr(said, "wants no request for ");

	return at ? strtoull(at + strlen("wants no request for "), NULL, 10) : 0;
}

/* Push a recording to a server that answers once with header Retry-After: @pause. */
static int push_with_pause(const char *pause)
{
	static char answer[256];

	snprintf(answer, sizeof(answer),
		 ANSWER_WITH("429 Wait", "Retry-After: %s\r\n", ""), pause);
	sink_clear();
	sink_answers[0] = answer;
	return PUSH("pyroscope", recording);
}

static void pauses_may_be_long(void)
{
	u64 left = 4000000000 - time(NULL);

	unit_ok(push_with_pause("86400") == 1 && sink_nr == 1 && !nr_waits &&
		said_pause() == 86400,
		"a pause that is too long is left to the next run");
	unit_ok(push_with_pause("99999999999999999999") == 1 && sink_nr == 1 && !nr_waits,
		"a pause that no number can hold is too long");
	unit_ok(push_with_pause("Tue, 02 Oct 2096 07:06:40 GMT") == 1 && sink_nr == 1 &&
		!nr_waits && said_pause() <= left && said_pause() > left - 600,
		"a pause to a date that is too far is left to the next run");
	unit_ok(!push_with_pause("Sun, 09 Sep 2001 01:46:40 GMT") && sink_nr == 2 &&
		nr_waits == 1 && waits[0] <= NSEC_PER_SEC &&
		!push_with_pause("later") && sink_nr == 2 && nr_waits == 1 &&
		waits[0] <= NSEC_PER_SEC,
		"a pause to a date in the past is none, nor is one without a date");
}

static void answers_are_hostile(void)
{
	sink_clear();
	sink_answers[0] = ANSWER_WITH("400 Bad", "", "no \x1b[31mred\xff\nsecond line");
	unit_ok(PUSH("pyroscope", recording) == 1 && sink_nr == 1 &&
		strstr(said, "status 400: no \\x1b[31mred\\xff\n") &&
		!strstr(said, "second"),
		"an answer is escaped and cut");
	sink_clear();
	sink_padding = 64 << 20;
	sink_answers[0] = ANSWER_WITH("400 Bad", "", "");
	unit_ok(PUSH("pyroscope", recording) == 1 && sink_nr == 1,
		"an answer without end ends the request");
	sink_rest();
	unit_ok(sink_padded < sink_padding,
		"an answer without end is not read to its end");

	sink_clear();
	fill(token, "s3cret", 0600);
	sink_answers[0] = ANSWER_WITH("302 Found", "Location: http://me:pa55@localhost:1/?key=x\r\n", "");
	unit_ok(PUSH("pyroscope", "--token-file", token, recording) == 1 && sink_nr == 1 &&
		strstr(said, "redirects to http://localhost:1;"),
		"a redirect is not followed");
	unit_ok(!strstr(said, "s3cret") && !strstr(said, "pa55") && !strstr(said, "key") &&
		!strchr(said, 0x1b),
		"no message has a secret");
}

/* The proxy is the sink. */
static void proxy_gets_no_token(void)
{
	char proxy[64];
	int status;

	sink_clear();
	fill(token, "s3cret", 0600);
	snprintf(proxy, sizeof(proxy), "http://localhost:%d", sink_port);
	setenv("http_proxy", proxy, 1);
	snprintf(url, sizeof(url), "http://localhost:1");
	unit_ok(!PUSH("pyroscope", "--retries", "0", recording) && sink_nr == 1,
		"a request without a token goes through the proxy");
	status = PUSH("pyroscope", "--retries", "0", "--token-file", token, recording);
	unit_ok(status == 1 && sink_nr == 1, "a token is not sent to a proxy of http");
	unsetenv("http_proxy");
	snprintf(url, sizeof(url), "http://localhost:%d/base/", sink_port);
}

int main(void)
{
	push_begin();
	ingest_is_exact();
	apis_are_exact();
	rows_are_exact();
	otlp_is_exact();
	hosts_stay_apart();
	url_is_kept();
	failures_are_retried();
	pauses_may_be_long();
	answers_are_hostile();
	proxy_gets_no_token();
	push_end();
	return unit_exit();
}
