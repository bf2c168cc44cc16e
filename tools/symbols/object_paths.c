// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - candidate paths of a binary's file
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/buildid.h"
#include "symbols/object_paths.h"

/* The kernel appends this to the path of a deleted file. */
#define DELETED		" (deleted)"

/* A deleted file may have been restored, which only its build-id can show. */
static int path_len(const struct object *object)
{
	size_t len = strlen(object->name);

	if (object->build_id.size && len > strlen(DELETED) &&
	    !strcmp(object->name + len - strlen(DELETED), DELETED))
		len -= strlen(DELETED);
	return len;
}

/* perf keeps copies of recorded binaries there. */
static int cached_path(const struct object *object, char **path)
{
	const char *home = getenv("HOME");
	char id[BUILD_ID_TEXT];

	if (!home)
		return -1;
	build_id_text(&object->build_id, id);
	return asprintf(path, "%s/.debug/.build-id/%.2s/%s/elf", home, id, id + 2);
}

/*
 * Return candidate path @nr < OBJECT_PATHS, most likely first. The caller frees it.
 * NULL: no such candidate.
 *   0: the recorded path, below @symfs if that is not NULL
 *   1: the same path in the mount namespace of the process
 *   2: the process's program, even if it was deleted
 *   3: perf's copy
 * All but the first need a build-id, which identifies the right file.
 */
char *object_path(const struct object *object, const char *symfs, u32 nr)
{
	char *path;
	int len = -1;

	if (object->name[0] != '/' || (nr && (symfs || !object->build_id.size)))
		return NULL;
	if (nr == 0)
		len = asprintf(&path, "%s%.*s", symfs ? symfs : "", path_len(object), object->name);
	else if (nr == 1)
		len = asprintf(&path, "/proc/%u/root%.*s", object->pid, path_len(object),
			       object->name);
	else if (nr == 2)
		len = asprintf(&path, "/proc/%u/exe", object->pid);
	else
		len = cached_path(object, &path);
	return len < 0 ? NULL : path;
}
