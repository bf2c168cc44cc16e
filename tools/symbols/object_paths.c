// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - where the file of a binary may be
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/buildid.h"
#include "symbols/object_paths.h"

/* What the kernel appends to the path of a file that is not there any more. */
#define DELETED		" (deleted)"

/* It may have been put there again, but then only its build-id can tell. */
static int path_len(const struct object *object)
{
	size_t len = strlen(object->name);

	if (object->build_id.size && len > strlen(DELETED) &&
	    !strcmp(object->name + len - strlen(DELETED), DELETED))
		len -= strlen(DELETED);
	return len;
}

/* Where perf keeps copies of what it has recorded. */
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
 * A place where the file of a binary may be. Beyond that one, only a build-id can
 * tell that it is the right file: in the mount namespace of the process, if that
 * is still there, or as its program, even if that was deleted; and among perf's
 * copies.
 *
 * @object: the binary, which has a path
 * @symfs: directory that all files are below, or NULL
 * @nr: which one, less than OBJECT_PATHS; the most probable is the first
 *
 * Return the path, to be freed, or NULL when there is none of that number.
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
