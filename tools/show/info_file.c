// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info - describe a recording
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/tprof_lx.h>

#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "perfdata/feature_cursor.h"
#include "perfdata/losses.h"
#include "perfdata/record_types.h"
#include "show/info_chains.h"
#include "show/info_file.h"

/**
 * struct census - counts from a pass over all records
 * @by_type:	number of records of each type
 * @samples:	number of samples of each event
 * @first:	time of the oldest sample, ~0 if there is none
 * @last:	time of the newest sample
 * @losses:	lost samples
 * @ledger:	lines of the ledger, each terminated by a zero byte
 */
struct census {
	u64	by_type[PERFDATA_RECORD_MAX];
	u64	samples[READER_MAX_EVENTS];
	u64	first;
	u64	last;
	struct losses losses;
	struct bytes ledger;
};

/* Features that consist of one string. */
static const struct {
	u32 bit;
	const char *key;
	const char *label;
} texts[] = {
	{ PERFDATA_HOSTNAME, "hostname", "host" },
	{ PERFDATA_OSRELEASE, "osrelease", "kernel" },
	{ PERFDATA_VERSION, "version", "written by version" },
	{ PERFDATA_ARCH, "arch", "architecture" },
	{ PERFDATA_CPUDESC, "cpudesc", "CPU" },
	{ PERFDATA_CPUID, "cpuid", "CPU id" },
};

static void print_texts(const struct facts *facts, const struct feature_set *set)
{
	struct feature_cursor cursor;
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		cursor = feature_begin(set, texts[i].bit);
		text = feature_string(&cursor);
		if (text)
			facts_text(facts, texts[i].key, texts[i].label, text);
	}
}

static void print_numbers(const struct facts *facts, const struct feature_set *set)
{
	struct feature_cursor cursor = feature_begin(set, PERFDATA_NRCPUS);
	u32 present, online, version, clockid;
	u64 kib, wall;

	if (feature_u32(&cursor, &present) && feature_u32(&cursor, &online)) {
		facts_count(facts, "cpus_present", "CPUs present", present);
		facts_count(facts, "cpus_online", "CPUs online", online);
	}
	cursor = feature_begin(set, PERFDATA_TOTAL_MEM);
	if (feature_u64(&cursor, &kib) && kib <= ~0ULL >> 10)
		facts_size(facts, "memory", "memory", kib << 10);
	cursor = feature_begin(set, PERFDATA_CLOCK_DATA);
	if (feature_u32(&cursor, &version) && feature_u32(&cursor, &clockid) &&
	    feature_u64(&cursor, &wall)) {
		facts_count(facts, "clockid", "clock id", clockid);
		facts_seconds(facts, "wall_clock", "started, Unix time", wall);
	}
}

static void print_command(const struct facts *facts, const struct feature_set *set)
{
	struct feature_cursor cursor = feature_begin(set, PERFDATA_CMDLINE);
	struct bytes line = { 0 };
	const char *word;
	u32 nr;

	if (!feature_u32(&cursor, &nr))
		return;
	for (; nr && (word = feature_string(&cursor)); nr--) {
		if (line.len)
			bytes_add(&line, " ", 1);
		bytes_add(&line, word, strlen(word));
	}
	bytes_add(&line, "", 1);
	if (!bytes_err(&line))
		facts_text(facts, "command", "command", (const char *)line.data);
	bytes_free(&line);
}

static void add_ledger_line(struct census *census, const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	struct record_body body = { record->data, record->header.size, 0 };
	const char *text;

	if (record->header.size < layout->trailer)
		return;
	body.size -= layout->trailer;
	text = record_own_path(&body, record->header.type, TPROF_LX_LEDGER_PREFIX);
	if (text) {
		text += strlen(TPROF_LX_LEDGER_PREFIX);
		bytes_add(&census->ledger, text, strlen(text) + 1);
	}
}

static void count(struct census *census, const struct reader *reader, const struct record *record)
{
	losses_update(&census->losses, record);
	census->by_type[record->header.type]++;
	switch (record->header.type) {
	case PERF_RECORD_SAMPLE:
		census->samples[record->event - reader->events]++;
		if (record->time && record->time < census->first)
			census->first = record->time;
		if (record->time > census->last)
			census->last = record->time;
		break;
	case PERF_RECORD_CGROUP:
		add_ledger_line(census, record);
		break;
	}
}

static void print_events(const struct facts *facts, const struct reader *reader,
			 const struct census *census)
{
	const struct perf_event_attr *attr;
	u32 i;

	facts_begin(facts, "events", "events");
	for (i = 0; i < reader->nr_events; i++) {
		attr = &reader->events[i].layout.attr;
		if (!facts->json) {
			printf("  %-20s %llu samples, %s %llu\n",
			       printable(reader->events[i].name), census->samples[i],
			       attr->freq ? "frequency" : "period",
			       attr->freq ? attr->sample_freq : attr->sample_period);
			continue;
		}
		json_begin(facts->json, NULL, '{');
		json_string(facts->json, "name", reader->events[i].name);
		json_u64(facts->json, "type", attr->type);
		json_u64(facts->json, "config", attr->config);
		json_u64(facts->json, attr->freq ? "freq" : "period",
			 attr->freq ? attr->sample_freq : attr->sample_period);
		json_hex(facts->json, "sample_type", attr->sample_type);
		json_u64(facts->json, "samples", census->samples[i]);
		json_end(facts->json, '}');
	}
	facts_end(facts);
}

static void print_records(const struct facts *facts, const struct census *census)
{
	const struct record_type *type;
	size_t i;

	facts_begin(facts, "records", "records");
	for (i = 0; (type = record_type_at(i)); i++) {
		if (!census->by_type[type->type])
			continue;
		if (!facts->json) {
			printf("  %-20s %llu\n", type->name, census->by_type[type->type]);
			continue;
		}
		json_begin(facts->json, NULL, '{');
		json_string(facts->json, "type", type->name);
		json_u64(facts->json, "count", census->by_type[type->type]);
		json_end(facts->json, '}');
	}
	facts_end(facts);
}

/* Print a line of words such as "taken=5" as JSON. A word without "=" is a flag. */
static void print_ledger_line(struct json *json, const char *line)
{
	char copy[512], *word, *rest, *value;

	snprintf(copy, sizeof(copy), "%s", line);
	json_begin(json, NULL, '{');
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (value)
			json_u64(json, word, strtoull(value, NULL, 10));
		else
			json_bool(json, word, true);
	}
	json_end(json, '}');
}

static void print_ledger(const struct facts *facts, const struct census *census)
{
	const char *line, *end;

	if (!census->ledger.len)
		return;
	facts_begin(facts, "ledger", "ledger");
	line = (const char *)census->ledger.data;
	end = line + census->ledger.len;
	for (; line < end; line += strlen(line) + 1) {
		if (facts->json)
			print_ledger_line(facts->json, line);
		else
			printf("  %s\n", printable(line));
	}
	facts_end(facts);
}

static void print_all(const struct facts *facts, const struct reader *reader,
		      const struct census *census)
{
	facts_text(facts, "form", "form", reader->pipe ? "pipe" : "file");
	print_texts(facts, &reader->features);
	print_numbers(facts, &reader->features);
	print_command(facts, &reader->features);
	if (census->by_type[PERF_RECORD_SAMPLE]) {
		facts_seconds(facts, "first_sample", "first sample", census->first);
		facts_seconds(facts, "last_sample", "last sample", census->last);
	}
	facts_count(facts, "lost", "samples lost", losses_sum(&census->losses));
	facts_count(facts, "not_understood", "records not understood",
		    reader_not_understood(reader));
	if (facts->json || census->losses.stalls) {
		facts_count(facts, "stalls", "stalls", census->losses.stalls);
		facts_seconds(facts, "stalled_ns", "stalled for", census->losses.stalled_ns);
	}
	if (facts->json || census->losses.yields) {
		facts_count(facts, "yields", "stops because of another program",
			    census->losses.yields);
		facts_seconds(facts, "doubtful_ns", "doubtful before these for",
			      census->losses.doubtful_ns);
	}
	print_events(facts, reader, census);
	print_records(facts, census);
	info_chains(facts, &census->ledger);
	print_ledger(facts, census);
}

/* Describe a file. Return STATUS_OK, or print an error and return STATUS_FAILED. */
int info_file(const char *name, const struct facts *facts)
{
	struct census *census = calloc(1, sizeof(*census));
	struct reader reader;
	struct record record;
	int fd, ret;

	if (!census)
		return say_error("%s: %s", name, strerror(ENOMEM));
	fd = open_input(name, &reader);
	if (fd < 0) {
		free(census);
		return STATUS_FAILED;
	}
	census->first = ~0ULL;
	while ((ret = reader_next(&reader, &record)) > 0)
		count(census, &reader, &record);
	print_all(facts, &reader, census);
	bytes_free(&census->ledger);
	free(census);
	if (ret)
		ret = say_input_failed(name, ret, &reader.msg);
	close_input(name, &reader, fd);
	return ret;
}
