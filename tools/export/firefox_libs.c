// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the binaries of a Firefox profile
 */
#include <stdio.h>

#include "export/firefox_tables.h"

/*
 * Write the build-id, and the id that Breakpad makes of it: its first 16 bytes as the number
 * of a GUID, of which the first three parts are little endian, and 0.
 */
static void write_ids(struct json *json, const struct build_id *id)
{
	static const u8 order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	char breakpad[sizeof(order) * 2 + 2] = "", code[2 * BUILD_ID_MAX + 1] = "";
	size_t i;

	for (i = 0; i < sizeof(order); i++)
		snprintf(breakpad + 2 * i, 3, "%02X", id->data[order[i]]);
	breakpad[2 * sizeof(order)] = '0';
	for (i = 0; i < id->size; i++)
		snprintf(code + 2 * i, 3, "%02x", id->data[i]);
	json_string(json, "breakpadId", id->size ? breakpad : "");
	if (id->size)
		json_string(json, "codeId", code);
	else
		json_null(json, "codeId");
}

/* Write the binaries. The resource of a binary has the same index. */
void firefox_tables_libs(struct firefox_tables *tables)
{
	struct json *json = &tables->json;
	const struct object *object;
	size_t i;

	json_begin(json, "libs", '[');
	for (i = 0; i < tables->objects.table.nr; i++) {
		object = tables->objects.rows[i];
		json_begin(json, NULL, '{');
		json_string(json, "arch", "x86_64");
		json_string(json, "name", firefox_name(tables, object->short_name));
		json_string(json, "path", firefox_name(tables, object->name));
		json_string(json, "debugName", firefox_name(tables, object->short_name));
		json_string(json, "debugPath", firefox_name(tables, object->name));
		write_ids(json, &object->build_id);
		json_end(json, '}');
	}
	json_end(json, ']');
}
