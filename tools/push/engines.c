// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - the engines, and what each wants to be sent
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "cli/say.h"
#include "base/base64.h"
#include "export/gzip.h"
#include "push/engines.h"
#include "push/otlp_answer.h"

/* The name by which engines know profiles of CPU time. */
#define PROFILE_NAME	"process_cpu"

static int say_no_memory(const struct body *body)
{
	return say_failure(-ENOMEM, body->export->options->input);
}

static int write_pprof(const struct body *body)
{
	return export_pprof.write(body->export);
}

/* Write the profile as a string of JSON. */
static int write_pprof_text(const struct body *body)
{
	struct export export = *body->export;
	struct base64 base64;
	int status;

	if (base64_begin(&base64, export.out))
		return say_no_memory(body);
	putc('"', export.out);
	export.out = base64.plain;
	status = export_pprof.write(&export);
	base64_end(&base64);
	putc('"', base64.out);
	return status;
}

static void write_label(struct json *json, const char *name, const char *value)
{
	json_begin(json, NULL, '{');
	json_string(json, "name", name);
	json_string(json, "value", value);
	json_end(json, '}');
}

static void write_labels(const struct body *body, struct json *json)
{
	const struct labels *labels = &body->labels;
	size_t i;

	json_begin(json, "labels", '[');
	write_label(json, "__name__", PROFILE_NAME);
	write_label(json, "service_name", body->options->name);
	for (i = 0; i < labels->nr; i++)
		write_label(json, labels->list[i].name, labels->list[i].value);
	json_end(json, ']');
}

/* Write the identifier of what is written so far. */
static void write_id(const struct body *body, struct json *json)
{
	char id[DIGEST_TEXT];

	fflush(json->out);
	digest_text(body->digest, id);
	json_string(json, "ID", id);
}

/* Both APIs take a list of series. A series has labels and a list of profiles. */
static void begin_series(struct json *json)
{
	json_begin(json, NULL, '{');
	json_begin(json, "series", '[');
	json_begin(json, NULL, '{');
}

/* Write the list of profiles, which has one, as member @name. End the series. */
static int write_samples(const struct body *body, struct json *json, const char *name,
			 bool has_id)
{
	int status;

	json_begin(json, "samples", '[');
	json_begin(json, NULL, '{');
	fprintf(json->out, "\"%s\":", name);
	status = write_pprof_text(body);
	json->first = false;
	if (has_id)
		write_id(body, json);
	json_end(json, '}');
	json_end(json, ']');
	json_end(json, '}');
	json_end(json, ']');
	return status;
}

static int write_push(const struct body *body)
{
	struct json json = { .out = body->export->out, .first = true };
	int status;

	begin_series(&json);
	write_labels(body, &json);
	status = write_samples(body, &json, "rawProfile", true);
	json_end(&json, '}');
	return status;
}

static int write_parca(const struct body *body)
{
	struct json json = { .out = body->export->out, .first = true };
	int status;

	begin_series(&json);
	json_begin(&json, "labels", '{');
	write_labels(body, &json);
	json_end(&json, '}');
	status = write_samples(body, &json, "raw_profile", false);
	json_bool(&json, "normalized", false);
	json_end(&json, '}');
	return status;
}

/* Write a format that has labels, compressed. */
static int write_compressed(const struct body *body, const struct export_format *format)
{
	struct export export = *body->export;
	struct gzip gzip;
	int status;

	if (gzip_begin(&gzip, export.out, GZIP_DEFAULT))
		return say_no_memory(body);
	export.out = gzip_stream(&gzip);
	export.service = body->options->name;
	export.labels = body->labels.list;
	export.nr_labels = body->labels.nr;
	status = export.out ? format->write(&export) : say_no_memory(body);
	if (export.out)
		fclose(export.out);
	gzip_end(&gzip);
	return status;
}

static int write_rows(const struct body *body)
{
	return write_compressed(body, &export_rows_format);
}

static int write_otlp(const struct body *body)
{
	return write_compressed(body, &export_otlp);
}

/* Write @text as a part of a query, with the small letters that libcurl would make. */
static void write_escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			putc(*text, out);
		else
			fprintf(out, "%%%02x", (unsigned char)*text);
	}
}

/* In the name of an application, these end a label. There is no escape for them. */
static void write_value(const char *text, FILE *out)
{
	char letter[2] = "";

	for (; *text; text++) {
		*letter = strchr(",{}=\"", *text) ? '_' : *text;
		write_escaped(letter, out);
	}
}

/* Write NAME{LABEL=VALUE,...}, and the times in seconds: the first and one after the last. */
static void write_ingest_query(const struct body *body, FILE *out)
{
	const struct labels *labels = &body->labels;
	size_t i;

	fputs("name=", out);
	write_escaped(body->options->name, out);
	for (i = 0; i < labels->nr; i++) {
		fputs(i ? "%2c" : "%7b", out);
		fprintf(out, "%s%%3d", labels->list[i].name);
		write_value(labels->list[i].value, out);
	}
	if (labels->nr)
		fputs("%7d", out);
	fprintf(out, "&from=%llu&until=%llu&format=pprof", body->span.first / NSEC_PER_SEC,
		body->span.last / NSEC_PER_SEC + 1);
}

/* A server that got these rows before recognises them by the token. */
static void write_insert_query(const struct body *body, FILE *out)
{
	char id[DIGEST_TEXT];

	digest_text(body->digest, id);
	fputs("query=INSERT%20INTO%20", out);
	write_escaped(body->options->table, out);
	fprintf(out, "%%20FORMAT%%20JSONEachRow&insert_deduplication_token=%s", id);
}

static void write_no_query(const struct body *body, FILE *out)
{
	(void)body;
	(void)out;
}

static const struct engine engines[] = {
	{ "pyroscope", "/ingest", "application/octet-stream", NULL, false, write_pprof,
	  write_ingest_query, NULL },
	{ "pyroscope-push", "/push.v1.PusherService/Push", "application/json", NULL, false,
	  write_push, write_no_query, NULL },
	{ "parca", "/api/profiles/writeraw", "application/json", NULL, false, write_parca,
	  write_no_query, NULL },
	{ "otlp", "/v1development/profiles", "application/x-protobuf", "gzip", false, write_otlp,
	  write_no_query, otlp_rejected },
	{ "openobserve", "/v1/profiles", "application/x-protobuf", "gzip", false, write_otlp,
	  write_no_query, otlp_rejected },
	{ "clickhouse", "/", "application/x-ndjson", "gzip", true, write_rows,
	  write_insert_query, NULL },
};

/* Return the engine, or NULL if there is none of this name. */
const struct engine *engine_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	}
	return NULL;
}
