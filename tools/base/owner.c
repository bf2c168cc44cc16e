// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which owners of files are trusted
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"

/* Return true for root, the user of this process, and the user that called sudo. */
bool owner_is_trusted(uid_t uid)
{
	const char *sudo = getenv("SUDO_UID");

	return !uid || uid == geteuid() || (sudo && uid == strtoul(sudo, NULL, 10));
}

/* Return true if the owner of an open file is trusted. */
bool owner_of_file_is_trusted(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && owner_is_trusted(st.st_uid);
}
