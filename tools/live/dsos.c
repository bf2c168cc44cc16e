// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the set of binaries in a recording, for the build-id table
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/ordered_set.h"
#include "live/dsos.h"

struct dso {
	struct build_id id;
	u16	misc;
	char	*name;
};

static int compare(const void *a, const void *b)
{
	const struct dso *x = a, *y = b;
	int order = memcmp(&x->id, &y->id, sizeof(x->id));

	return order ? order : strcmp(x->name, y->name);
}

static size_t entry_size(const char *name)
{
	return ALIGN_UP(sizeof(struct perfdata_build_id) + strlen(name) + 1, 8);
}

/* Add a binary to the set if it is not in the set yet. Return true if it was not. */
bool dso_set_add(struct dso_set *set, u16 misc, const char *name, const struct build_id *id)
{
	struct dso key = { .id = *id, .misc = misc, .name = strdup(name) };
	bool is_new = false;

	if (!key.name || !ordered_get(&set->root, &key, sizeof(key), compare, &is_new))
		set->failed = true;
	if (is_new)
		set->bytes += entry_size(name);
	else
		free(key.name);
	return is_new;
}

static void write_one(const void *node, VISIT visit, void *out)
{
	const struct dso *dso = *(const struct dso *const *)node;
	size_t size = entry_size(dso->name);
	struct perfdata_build_id entry = {
		.header.type = PERFDATA_HEADER_BUILD_ID,
		.header.misc = dso->misc | PERFDATA_ID_SIZE_BIT,
		.header.size = size,
		.pid = -1,
		.size = dso->id.size,
	};

	if (visit != postorder && visit != leaf)
		return;
	memcpy(entry.build_id, dso->id.data, sizeof(entry.build_id));
	bytes_add(out, &entry, sizeof(entry));
	bytes_add(out, dso->name, strlen(dso->name));
	bytes_extend(out, size - sizeof(entry) - strlen(dso->name));
}

/*
 * Append the build-id entries of the set to @out. In a pipe each entry is a record; in a
 * file the same bytes are the contents of the build-id feature.
 */
void dso_set_write(const struct dso_set *set, struct bytes *out)
{
	twalk_r(set->root, write_one, out);
}

static void free_dso(void *dso)
{
	free(((struct dso *)dso)->name);
	free(dso);
}

void dso_set_free(struct dso_set *set)
{
	tdestroy(set->root, free_dso);
	*set = (struct dso_set){ 0 };
}
