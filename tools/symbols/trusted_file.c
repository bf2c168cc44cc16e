// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - open the perf map or jitdump file of a process, if it can be trusted
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "perfdata/buildid.h"
#include "symbols/trusted_file.h"

#define MAX_SIZE	(256L << 20)

/*
 * Return SYMBOL_FOUND if the file can be trusted. Any user can create perf maps and
 * jitdump files. A file of another user could give false names to functions, and a
 * huge file could use up the memory.
 */
static enum symbol_status check(int fd, u64 ino)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_size > MAX_SIZE)
		return SYMBOL_UNREADABLE;
	if (ino && ino != st.st_ino)
		return SYMBOL_OTHER_BUILD;
	if (!owner_is_trusted(st.st_uid))
		return SYMBOL_FOREIGN;
	return SYMBOL_FOUND;
}

/*
 * Open @path if its owner is trusted and its inode number is @ino. An @ino of 0 allows any
 * inode number. The caller closes @file with fclose(). Return SYMBOL_FOUND, or the reason
 * why @path must not be read.
 */
enum symbol_status trusted_file_open(const char *path, u64 ino, FILE **file)
{
	int fd = open_regular(path);
	enum symbol_status status;

	if (fd < 0)
		return fd == -ENOENT ? SYMBOL_NO_FILE : SYMBOL_UNREADABLE;
	status = check(fd, ino);
	*file = status ? NULL : fdopen(fd, "r");
	if (*file)
		return SYMBOL_FOUND;
	close(fd);
	return status ? status : SYMBOL_UNREADABLE;
}
