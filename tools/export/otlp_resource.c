// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the resource of profiles of OTLP: a service on a host
 */
#include <string.h>

#include "export/names.h"
#include "export/otlp_resource.h"
#include "export/protobuf.h"
#include "perfdata/feature_cursor.h"

/* Fields of opentelemetry/proto: resource and common. */
enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_TEXT = 1 };

/* Append an attribute, unless @value is NULL or empty. */
static void add(struct bytes *out, const char *key, const char *value)
{
	struct bytes attribute = { 0 }, text = { 0 };

	if (!value || !*value)
		return;
	protobuf_text(&text, VALUE_TEXT, value);
	protobuf_text(&attribute, KEY_VALUE_KEY, key);
	protobuf_message(&attribute, KEY_VALUE_VALUE, &text);
	protobuf_message(out, RESOURCE_ATTRIBUTES, &attribute);
	bytes_free(&text);
	bytes_free(&attribute);
}

/* Append the labels of push. It has no label of the host if the recording has several. */
static void add_labels(struct bytes *out, const struct export *export, const char *host)
{
	bool has_host = !export->labels;
	size_t i;

	for (i = 0; i < export->nr_labels; i++) {
		add(out, export->labels[i].name, export->labels[i].value);
		has_host |= !strcmp(export->labels[i].name, "host");
	}
	if (!has_host)
		add(out, "host", host);
}

/* Return a feature of the recording as a text that is valid in a message, or NULL. */
static const char *feature(const struct export *export, struct interned *names, u32 bit)
{
	struct feature_cursor cursor = feature_begin(&export->reader->features, bit);
	const char *text = feature_string(&cursor);

	return text ? name_get(names, text) : NULL;
}

/*
 * Append the resource of profiles of @host, or of the only host of the recording if that is
 * NULL. In a recording of several hosts, the release is that of one of them, so leave it out.
 *
 * @names: has texts that are valid in a message
 */
void otlp_resource(const struct export *export, struct interned *names, const char *host,
		   struct bytes *out)
{
	const char *name = host ? name_get(names, host) :
				  feature(export, names, PERFDATA_HOSTNAME);

	add(out, "service.name", export->service ?: EXPORT_SERVICE);
	add(out, "host.name", name);
	add(out, "os.type", "linux");
	if (!host)
		add(out, "os.version", feature(export, names, PERFDATA_OSRELEASE));
	add_labels(out, export, host ? name : NULL);
}
