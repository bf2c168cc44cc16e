// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - marks of a recording and its lost samples, as markers of Firefox
 */
#include <errno.h>

#include "export/firefox_markers.h"
#include "perfdata/mark.h"
#include "perfdata/record_types.h"

#define MARK_TYPE	"Mark"
#define LOST_TYPE	"LostSamples"

/* A marker without an end. */
#define PHASE_INSTANT	0

static int add(struct firefox_markers *markers, const struct marker *marker)
{
	if (markers->nr == MARKERS_MAX) {
		markers->nr_left_out++;
		return 0;
	}
	bytes_add(&markers->list, marker, sizeof(*marker));
	if (bytes_err(&markers->list))
		return -ENOMEM;
	markers->nr++;
	return 0;
}

/* Keep @record if it is a mark or reports lost samples. Return 0 or -ENOMEM. */
int firefox_markers_note(struct firefox_markers *markers, const struct record *record)
{
	const struct record_field lost = { .kind = FIELD_U64, .offset = 8 };
	struct record_body body = { record->data, record->header.size, record->header.misc };
	struct marker marker = { .time = record->time };
	const char *text = mark_text(record);

	if (text) {
		marker.text = name_get(&markers->texts, text);
		return marker.text ? add(markers, &marker) : -ENOMEM;
	}
	if (record->header.type != PERF_RECORD_LOST_SAMPLES)
		return 0;
	record_number(&body, &lost, &marker.lost);
	return marker.lost ? add(markers, &marker) : 0;
}

static void write_type(struct json *json, const char *name, const char *key, const char *label,
		       const char *format)
{
	static const char *const places[] = { "marker-chart", "marker-table",
					      "timeline-overview" };
	size_t i;

	json_begin(json, NULL, '{');
	json_string(json, "name", name);
	json_begin(json, "display", '[');
	for (i = 0; i < ARRAY_SIZE(places); i++)
		json_string(json, NULL, places[i]);
	json_end(json, ']');
	json_begin(json, "fields", '[');
	json_begin(json, NULL, '{');
	json_string(json, "key", key);
	json_string(json, "label", label);
	json_string(json, "format", format);
	json_end(json, '}');
	json_end(json, ']');
	json_end(json, '}');
}

/* Write which fields the markers have, and where they are shown. */
void firefox_markers_schema(struct json *json)
{
	json_begin(json, "markerSchema", '[');
	write_type(json, MARK_TYPE, "text", "Text", "string");
	write_type(json, LOST_TYPE, "count", "Samples", "integer");
	json_end(json, ']');
}

static void write_data(struct json *json, const struct marker *marker)
{
	json_begin(json, NULL, '{');
	json_string(json, "type", marker->text ? MARK_TYPE : LOST_TYPE);
	if (marker->text)
		json_string(json, "text", marker->text);
	else
		json_u64(json, "count", marker->lost);
	json_end(json, '}');
}

/* Write the columns that are the same for all markers. */
static void write_constants(struct json *json, size_t nr)
{
	size_t i;

	json_begin(json, "endTime", '[');
	for (i = 0; i < nr; i++)
		json_null(json, NULL);
	json_end(json, ']');
	json_begin(json, "phase", '[');
	for (i = 0; i < nr; i++)
		json_u64(json, NULL, PHASE_INSTANT);
	json_end(json, ']');
	json_begin(json, "category", '[');
	for (i = 0; i < nr; i++)
		json_u64(json, NULL, FRAME_OTHER);
	json_end(json, ']');
}

/* Write the table of all markers, or an empty one if @markers is NULL. */
void firefox_markers_write(const struct firefox_markers *markers, struct firefox_tables *tables,
			   u64 first)
{
	const struct marker *list = markers ? (const struct marker *)markers->list.data : NULL;
	size_t i, nr = markers ? markers->nr : 0;
	struct json *json = &tables->json;
	u64 time;

	json_begin(json, "markers", '{');
	json_u64(json, "length", nr);
	json_begin(json, "data", '[');
	for (i = 0; i < nr; i++)
		write_data(json, &list[i]);
	json_end(json, ']');
	json_begin(json, "name", '[');
	for (i = 0; i < nr; i++)
		json_u64(json, NULL, firefox_string(tables, list[i].text ? list[i].text :
									   "Lost samples"));
	json_end(json, ']');
	json_begin(json, "startTime", '[');
	for (i = 0; i < nr; i++) {
		time = list[i].time > first ? list[i].time - first : 0;
		json_fixed(json, NULL, (double)time / NSEC_PER_MSEC, MS_DIGITS);
	}
	json_end(json, ']');
	write_constants(json, nr);
	json_end(json, '}');
}

void firefox_markers_free(struct firefox_markers *markers)
{
	bytes_free(&markers->list);
	interned_free(&markers->texts);
}
