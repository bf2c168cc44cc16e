// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find out whether apt can install a package on a machine
 *
 * apt keeps a text list of packages for each archive, and a binary cache of all lists.
 * In the cache, a zero byte ends each name. The lists may be compressed, but the cache is
 * not.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/apt_lists.h"

#define PATH_LEN	512
#define NAME_LEN	192

static bool file_has(const char *path, const void *text, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	struct stat st;
	void *map;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			found = memmem(map, st.st_size, text, len);
			munmap(map, st.st_size);
		}
	}
	close(fd);
	return found;
}

/* Return true if @package is in apt's cache or in one of its uncompressed lists. */
bool apt_lists_have(const struct machine *machine, const char *package)
{
	char path[PATH_LEN], name[NAME_LEN];
	bool found;
	glob_t lists;
	size_t i;

	snprintf(path, sizeof(path), "%s/var/cache/apt/pkgcache.bin", machine->root);
	snprintf(name, sizeof(name), "%s", package);
	found = file_has(path, name, strlen(name) + 1);
	snprintf(path, sizeof(path), "%s/var/lib/apt/lists/*_Packages", machine->root);
	snprintf(name, sizeof(name), "Package: %s\n", package);
	if (found || glob(path, 0, NULL, &lists))
		return found;
	for (i = 0; i < lists.gl_pathc && !found; i++)
		found = file_has(lists.gl_pathv[i], name, strlen(name));
	globfree(&lists);
	return found;
}
