// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - a directory of requests that are not sent yet
 *
 * Functions return 0 or -errno.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "push/spool.h"

/* The request that is being written. */
#define UNFINISHED	"new"

#define DIGITS		16
#define NUMBER_MAX	9999999999999999ULL
#define WAITING		".push"
#define REFUSED		".refused"

static void make_name(char name[SPOOL_NAME], u64 number, const char *end)
{
	snprintf(name, SPOOL_NAME, "%0*llu%s", DIGITS, number, end);
}

static bool is_request(const char *name, const char *end)
{
	return strspn(name, "0123456789") == DIGITS && !strcmp(name + DIGITS, end);
}

/* Count the file @name if it is a request. */
static int count(struct spool *spool, const char *name)
{
	bool is_refused = is_request(name, REFUSED);
	struct stat st;
	u64 number;

	if (!is_refused && !is_request(name, WAITING))
		return 0;
	number = strtoull(name, NULL, 10);
	spool->next = number >= spool->next ? number + 1 : spool->next;
	if (fstatat(spool->dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	spool->used += st.st_size;
	*(is_refused ? &spool->nr_refused : &spool->nr) += 1;
	return 0;
}

/* Count the requests. */
static int scan(struct spool *spool)
{
	int copy = openat(spool->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	if (!dir)
		return -errno;
	while (!err) {
		errno = 0;
		entry = readdir(dir);
		err = entry ? count(spool, entry->d_name) : -errno;
		if (!entry)
			break;
	}
	closedir(dir);
	return err;
}

/* Rename a file, unless there is one of the new name. */
static int rename_new(const struct spool *spool, const char *from, const char *to)
{
	if (!renameat2(spool->dir, from, spool->dir, to, RENAME_NOREPLACE))
		return 0;
	/* NFS has no such flag, but links. */
	if (errno != EINVAL || linkat(spool->dir, from, spool->dir, to, 0) ||
	    unlinkat(spool->dir, from, 0))
		return -errno;
	return 0;
}

/* Another user could otherwise put requests there, or remove them. */
static int check(int dir)
{
	struct stat st;

	if (fstat(dir, &st))
		return -errno;
	return st.st_uid != geteuid() || st.st_mode & 022 ? -EPERM : 0;
}

/* Write the name of a new directory to disk. */
static int sync_above(int dir)
{
	int above = openat(dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	/* The directory above may be closed to this user. */
	if (above < 0)
		return syncfs(dir) ? -errno : 0;
	err = fsync(above) ? -errno : 0;
	close(above);
	return err;
}

/*
 * Open or make the directory @path. Return -EPERM if others can write to it, and -EBUSY if
 * another process uses it.
 */
int spool_open(struct spool *spool, const char *path, u64 max)
{
	bool is_made;
	int err;

	*spool = (struct spool){ .path = path, .max = max, .next = 1 };
	is_made = !mkdir(path, 0700);
	if (!is_made && errno != EEXIST)
		return -errno;
	spool->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (spool->dir < 0)
		return -errno;
	err = is_made ? sync_above(spool->dir) : 0;
	if (!err)
		err = check(spool->dir);
	if (!err && flock(spool->dir, LOCK_EX | LOCK_NB))
		err = -EBUSY;
	if (!err)
		err = scan(spool);
	if (err)
		close(spool->dir);
	return err;
}

void spool_close(struct spool *spool)
{
	close(spool->dir);
}

/*
 * Make a file for the next request, in place of one that a killed process left behind.
 * Return it, or -errno.
 */
int spool_begin(const struct spool *spool)
{
	int fd;

	unlinkat(spool->dir, UNFINISHED, 0);
	fd = openat(spool->dir, UNFINISHED, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

/*
 * Add the request in @fd, which spool_begin() returned. After success, the request is still
 * there if the machine loses power. Return -EOVERFLOW if the numbers are used up.
 */
int spool_add(struct spool *spool, int fd)
{
	char name[SPOOL_NAME];
	struct stat st;
	int err;

	if (spool->next > NUMBER_MAX)
		return -EOVERFLOW;
	make_name(name, spool->next, WAITING);
	if (fsync(fd) || fstat(fd, &st))
		return -errno;
	err = rename_new(spool, UNFINISHED, name);
	if (err)
		return err;
	if (fsync(spool->dir))
		return -errno;
	spool->used += st.st_size;
	spool->next++;
	spool->nr++;
	return 0;
}

/* Remove the file that spool_begin() made. */
void spool_cancel(const struct spool *spool)
{
	unlinkat(spool->dir, UNFINISHED, 0);
}

static int is_waiting(const struct dirent *entry)
{
	return is_request(entry->d_name, WAITING);
}

/*
 * Make a list of the requests in the order of sending. Return their number, or -errno. The
 * caller frees the entries and @list.
 */
int spool_list(const struct spool *spool, struct dirent ***list)
{
	int nr = scandirat(spool->dir, ".", list, is_waiting, alphasort);

	return nr < 0 ? -errno : nr;
}

/* Remove a request that was sent. @fd is its file. */
int spool_remove(struct spool *spool, const char *name, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || unlinkat(spool->dir, name, 0))
		return -errno;
	spool->used -= st.st_size;
	spool->nr--;
	return 0;
}

/* Keep a request, but do not send it again. @aside becomes its new name. */
int spool_set_aside(struct spool *spool, const char *name, char aside[SPOOL_NAME])
{
	int err;

	make_name(aside, strtoull(name, NULL, 10), REFUSED);
	err = rename_new(spool, name, aside);
	if (err == -EEXIST && spool->next <= NUMBER_MAX) {
		make_name(aside, spool->next++, REFUSED);
		err = rename_new(spool, name, aside);
	}
	if (err)
		return err;
	spool->nr--;
	spool->nr_refused++;
	return 0;
}
