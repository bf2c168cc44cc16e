// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the table of build-ids of a recording
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge/build_ids.h"
#include "perfdata/buildid.h"

static bool is_named(const void *entry, const void *name)
{
	return !strcmp(((const struct named_id *)entry)->name, name);
}

static struct named_id *find(const struct build_ids *ids, const char *name)
{
	return hash_table_find(&ids->table, hash_text(name), is_named, name);
}

static int add(void *arg, const struct perfdata_build_id *entry, const char *name)
{
	struct build_ids *ids = arg;
	struct named_id *named;

	if (find(ids, name))
		return 0;
	named = calloc(1, sizeof(*named) + strlen(name) + 1);
	if (!named)
		return -ENOMEM;
	strcpy(named->name, name);
	named->misc = entry->header.misc;
	named->id = build_id_in_entry(entry);
	if (!hash_table_add(&ids->table, hash_text(name), named))
		return 0;
	free(named);
	return -ENOMEM;
}

/*
 * Read the table up to its first error. Call build_ids_free() even if this fails. Return 0 or
 * -ENOMEM.
 */
int build_ids_read(struct build_ids *ids, const struct feature_set *features)
{
	const struct bytes *section = &features->section[PERFDATA_BUILD_ID];

	return build_id_each(section->data, section->len, add, ids);
}

/* Return the build-id of a binary, of size 0 if it is not in the table. */
const struct build_id *build_ids_find(const struct build_ids *ids, const char *name)
{
	static const struct build_id none;
	const struct named_id *named = find(ids, name);

	return named ? &named->id : &none;
}

void build_ids_free(struct build_ids *ids)
{
	hash_table_free(&ids->table, free);
}
