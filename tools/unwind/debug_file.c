// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the separate debug file of a binary
 *
 * It has the same build-id, and is below /usr/lib/debug or beside the binary. No server is asked:
 * a recording must not wait for one.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/owner.h"
#include "perfdata/buildid.h"
#include "unwind/debug_file.h"

static bool is_build(int fd, const struct build_id *expected)
{
	struct build_id id;

	return !build_id_of_fd(fd, &id) && build_ids_agree(&id, expected);
}

/*
 * Return a descriptor of the file if it has the binary's build-id, else -errno. The directory of a
 * link to a binary may be another user's. A false debug file there would give false rules to all
 * processes that run the binary.
 */
static int open_build(const struct debug_search *search, const char *path)
{
	int fd = open_regular(path);

	if (fd < 0 || (owner_of_file_is_trusted(fd) && is_build(fd, search->build_id)))
		return fd;
	close(fd);
	return -ENOENT;
}

static int open_by_build_id(const struct debug_search *search)
{
	char text[BUILD_ID_TEXT], path[PATH_MAX];
	int len;

	build_id_text(search->build_id, text);
	len = snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", search->root, text,
		       text + 2);
	return len < (int)sizeof(path) ? open_build(search, path) : -ENAMETOOLONG;
}

/* Find the directory of the binary, which may have been deleted or never have had a name. */
static bool find_directory(int fd, char directory[PATH_MAX])
{
	char path[32], *slash;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, directory, PATH_MAX - 1);
	if (len <= 0 || *directory != '/')
		return false;
	directory[len] = '\0';
	slash = strrchr(directory, '/');
	*slash = '\0';
	return true;
}

/* Search the name that .gnu_debuglink has. */
static int open_by_link(const struct debug_search *search)
{
	const char *before[] = { "", "", search->root }, *const between[] = { "", "/.debug", "" };
	char directory[PATH_MAX], path[3 * PATH_MAX];
	int found = -ENOENT;
	const char *name;
	GElf_Word crc;
	size_t i;

	name = dwelf_elf_gnu_debuglink(search->elf, &crc);
	if (!name || !*name || strchr(name, '/') || !find_directory(search->fd, directory))
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(before) && found < 0; i++) {
		if (snprintf(path, sizeof(path), "%s%s%s/%s", before[i], directory, between[i],
			     name) < (int)sizeof(path))
			found = open_build(search, path);
	}
	return found;
}

/* Return a descriptor of the debug file, or -errno. */
int debug_file_open(const struct debug_search *search)
{
	int fd = open_by_build_id(search);

	return fd < 0 ? open_by_link(search) : fd;
}
