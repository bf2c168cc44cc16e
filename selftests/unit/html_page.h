/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - decode the data of a page
 */
#ifndef TPROF_UNIT_HTML_PAGE_H
#define TPROF_UNIT_HTML_PAGE_H

#include <zlib.h>

#include "export_json.h"
#include "export_records.h"

/* The data of a page: columns of 32-bit numbers, JSON, and its length. */
static u32 data[1U << 20];
static char *json;

static inline size_t decode_base64(const char *text, u8 *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *digit;
	u32 bits = 0, nr = 0;
	size_t len = 0;

	for (; *text && (digit = strchr(digits, *text)); text++) {
		bits = bits << 6 | (digit - digits);
		nr += 6;
		if (nr < 8)
			continue;
		nr -= 8;
		bytes[len++] = bits >> nr;
	}
	return len;
}

/* Decode the data of the page in @got. Return false if they are not whole. */
static inline bool decode_page(void)
{
	static const char begin[] = "id=\"data\">\n";
	char *text = got ? strstr((char *)got, begin) : NULL;
	u8 *bytes = text ? malloc(got_len) : NULL;
	z_stream stream = { .next_in = bytes, .next_out = (u8 *)data,
			    .avail_out = sizeof(data) };
	size_t len;
	u32 json_len;
	bool whole;

	if (!bytes || inflateInit2(&stream, 15 + 16) != Z_OK)
		return false;
	stream.avail_in = decode_base64(text + strlen(begin), bytes);
	whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && !stream.avail_in;
	len = stream.total_out;
	inflateEnd(&stream);
	free(bytes);
	if (!whole || len % sizeof(u32))
		return false;
	json_len = data[len / sizeof(u32) - 1];
	data[len / sizeof(u32) - 1] = 0;
	if (json_len % sizeof(u32) || json_len > len - sizeof(u32))
		return false;
	json = (char *)data + len - sizeof(u32) - json_len;
	while (json_len && json[json_len - 1] == ' ')
		json[--json_len] = '\0';
	return json_is_valid(json);
}

/* Return a column, and set @nr to its length. */
static inline const u32 *column(const char *name, size_t *nr)
{
	char wanted[64];
	const char *at = strstr(json, "\"columns\":[");
	size_t start = 0;

	snprintf(wanted, sizeof(wanted), "[\"%s\",", name);
	for (; at && (at = strstr(at, "[\"")); at++) {
		*nr = strtoull(strchr(at, ',') + 1, NULL, 10);
		if (!strncmp(at, wanted, strlen(wanted)))
			return data + start;
		start += *nr;
	}
	abort();
}

/* Return the sums of recording @run for @event. If there is one recording, points have no run. */
static inline struct tally sums_of(u32 run, u32 event)
{
	const u32 *runs, *events, *samples, *weights, *high;
	struct tally sums = { 0 };
	size_t i, nr, nr_runs;

	runs = column("run", &nr_runs);
	events = column("event", &nr);
	samples = column("samples", &nr);
	weights = column("weight", &nr);
	high = column("weightHigh", &nr);
	for (i = 0; i < nr; i++) {
		if (events[i] != event || (nr_runs && runs[i] != run))
			continue;
		sums.samples += samples[i];
		sums.period += (u64)high[i] << 32 | weights[i];
	}
	return sums;
}

#endif /* TPROF_UNIT_HTML_PAGE_H */
