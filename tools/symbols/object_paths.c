// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - make the paths at which a binary's file may be
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/buildid.h"
#include "symbols/object_paths.h"

/* The kernel appends this to the path of a deleted file. */
#define DELETED		" (deleted)"

/*
 * Return the length of the path without DELETED: another file may have that path
 * now, and the build-id shows whether it is the recorded one. If @object has no
 * build-id, keep DELETED.
 */
static int path_len(const struct object *object)
{
	size_t len = strlen(object->name);

	if (object->build_id.size && len > strlen(DELETED) &&
	    !strcmp(object->name + len - strlen(DELETED), DELETED))
		len -= strlen(DELETED);
	return len;
}

/* Format the path at which perf keeps a copy of a recorded binary. Return its length. */
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
 * A binary has up to OBJECT_PATHS paths. Return the path with index @nr, or NULL if
 * there is none. The caller frees the result. The most likely path comes first:
 *   0: the recorded path, below @symfs if that is not NULL
 *   1: the same path in the mount namespace of the process
 *   2: the program that the process executes, even if its file was deleted
 *   3: the copy in perf's cache
 * Paths 1 to 3 are used only if @symfs is NULL and @object has a build-id. The caller
 * verifies the file by the build-id.
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
