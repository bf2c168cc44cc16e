// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - unwind tables in the user's cache, by build-id
 *
 * A file has the struct stored, the table's arrays, and a hash of both. It gets its name when
 * it is complete, so that several processes may use the cache. Functions return 0 or -errno.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "unwind/table_cache.h"

#define MAGIC		0x364c425446525054ULL
#define MAX_BYTES	(256L << 20)

/* A name is a build-id and this. */
#define ENDING		".table"
#define NAME_LEN	(BUILD_ID_TEXT + sizeof(ENDING))

/**
 * struct stored - the beginning of a file
 * @magic:	MAGIC, which changes with the format
 * @hash:	hash of all that follows
 * @text_bytes:	size of the object's code
 * @build_id:	build-id of the object
 * @pad:	zero
 * @page0:	number of the first page
 * @nr_pages:	number of pages
 * @nr_rows:	number of rows
 * @nr_rules:	number of rules
 * @losses:	number of ranges by enum unwind_loss
 * @sources:	number of ranges by enum unwind_source
 * @end:	zero
 */
struct stored {
	u64	magic;
	u64	hash;
	u64	text_bytes;
	struct build_id build_id;
	u8	pad[3];
	u32	page0;
	u32	nr_pages;
	u32	nr_rows;
	u32	nr_rules;
	u32	losses[UNWIND_NR_LOSSES];
	u32	sources[UNWIND_NR_SOURCES];
	u32	end;
};

static void make_name(const struct build_id *id, char name[NAME_LEN])
{
	build_id_text(id, name);
	strcat(name, ENDING);
}

/* Make a directory and those above it. Those that the user has made keep their rights. */
static int make_directories(char *path)
{
	char *at;

	for (at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	return mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
}

static int make_path(char **path)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int len;

	if (cache && *cache == '/')
		len = asprintf(path, "%s/tprof-lx/tables", cache);
	else if (home && *home == '/')
		len = asprintf(path, "%s/.cache/tprof-lx/tables", home);
	else
		return -ENOENT;
	return len < 0 ? -ENOMEM : 0;
}

/* Tables in a directory of another user cannot be trusted. */
static int check_owner(int dir)
{
	struct stat st;

	if (fstat(dir, &st))
		return -errno;
	return st.st_uid != geteuid() || st.st_mode & 022 ? -EPERM : 0;
}

/*
 * With sudo, HOME may belong to another user: make no directories there, and follow no links
 * of that user.
 */
static int check_home(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct stat st;

	if (stat(cache && *cache == '/' ? cache : home, &st))
		return errno == ENOENT ? 0 : -errno;
	return st.st_uid == geteuid() ? 0 : -EPERM;
}

/*
 * Open or make the directory. Return -ENOENT if neither XDG_CACHE_HOME nor HOME names one, and
 * -EPERM if another user can write to it.
 */
int table_cache_open(struct table_cache *cache)
{
	int err;

	*cache = (struct table_cache){ .dir = -1 };
	err = make_path(&cache->path);
	if (!err)
		err = check_home();
	if (!err)
		err = make_directories(cache->path);
	if (!err)
		cache->dir = open(cache->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (!err)
		err = cache->dir < 0 ? -errno : check_owner(cache->dir);
	if (err)
		table_cache_close(cache);
	return err;
}

void table_cache_close(struct table_cache *cache)
{
	if (cache->dir >= 0)
		close(cache->dir);
	free(cache->path);
	*cache = (struct table_cache){ .dir = -1 };
}

static u64 hash_of(const u8 *data, size_t len)
{
	u64 hash = 0xcbf29ce484222325;

	while (len--)
		hash = (hash ^ *data++) * 0x100000001b3;
	return hash;
}

static size_t arrays_bytes(const struct stored *stored)
{
	return (stored->nr_pages + 1ULL) * sizeof(u32) +
	       stored->nr_rows * sizeof(struct tprof_lx_unwind_row) +
	       stored->nr_rules * sizeof(struct tprof_lx_unwind_rule);
}

static const void *copy_array(void **array, const u8 *from, size_t bytes)
{
	*array = malloc(bytes ? bytes : 1);
	if (*array)
		memcpy(*array, from, bytes);
	return from + bytes;
}

static int unpack(const u8 *data, size_t len, const struct build_id *id,
		  struct unwind_table *table)
{
	const size_t skipped = offsetof(struct stored, text_bytes);
	const u8 *at = data + sizeof(struct stored);
	struct stored stored;

	if (len < sizeof(stored))
		return -EBADMSG;
	memcpy(&stored, data, sizeof(stored));
	if (stored.magic != MAGIC || stored.nr_pages > TPROF_LX_UNWIND_MAX_PAGES ||
	    stored.nr_rules > TPROF_LX_UNWIND_MAX_RULES ||
	    len - sizeof(stored) != arrays_bytes(&stored) ||
	    stored.hash != hash_of(data + skipped, len - skipped) ||
	    memcmp(&stored.build_id, id, sizeof(*id)))
		return -EBADMSG;
	*table = (struct unwind_table){
		.build_id = stored.build_id, .page0 = stored.page0, .nr_pages = stored.nr_pages,
		.nr_rows = stored.nr_rows, .nr_rules = stored.nr_rules,
		.text_bytes = stored.text_bytes,
	};
	memcpy(table->losses, stored.losses, sizeof(stored.losses));
	memcpy(table->sources, stored.sources, sizeof(stored.sources));
	at = copy_array((void **)&table->pages, at, (stored.nr_pages + 1) * sizeof(u32));
	at = copy_array((void **)&table->rows, at, stored.nr_rows * sizeof(*table->rows));
	copy_array((void **)&table->rules, at, stored.nr_rules * sizeof(*table->rules));
	if (!table->pages || !table->rows || !table->rules)
		return -ENOMEM;
	return unwind_table_is_valid(table) ? 0 : -EBADMSG;
}

static int read_whole(int fd, u8 **data, size_t *len)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_BYTES)
		return -EBADMSG;
	*len = st.st_size;
	*data = malloc(*len + 1);
	if (!*data)
		return -ENOMEM;
	got = read(fd, *data, *len);
	if (got < 0)
		return -errno;
	return (size_t)got == *len ? 0 : -EBADMSG;
}

/*
 * Read the table of a build. Return -ENOENT if there is none. If the file is damaged, remove it
 * and return -EBADMSG. The caller frees the table if this succeeds.
 */
int table_cache_read(const struct table_cache *cache, const struct build_id *id,
		     struct unwind_table *table)
{
	char name[NAME_LEN];
	u8 *data = NULL;
	size_t len = 0;
	int fd, err;

	*table = (struct unwind_table){ 0 };
	make_name(id, name);
	fd = openat(cache->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = read_whole(fd, &data, &len);
	close(fd);
	if (!err)
		err = unpack(data, len, id, table);
	free(data);
	if (err)
		unwind_table_free(table);
	if (err == -EBADMSG)
		unlinkat(cache->dir, name, 0);
	return err;
}

static u8 *pack(const struct unwind_table *table, size_t *len)
{
	const size_t skipped = offsetof(struct stored, text_bytes);
	struct stored stored = {
		.magic = MAGIC, .text_bytes = table->text_bytes, .build_id = table->build_id,
		.page0 = table->page0, .nr_pages = table->nr_pages, .nr_rows = table->nr_rows,
		.nr_rules = table->nr_rules,
	};
	u8 *data, *at;

	memcpy(stored.losses, table->losses, sizeof(stored.losses));
	memcpy(stored.sources, table->sources, sizeof(stored.sources));
	*len = sizeof(stored) + arrays_bytes(&stored);
	data = malloc(*len);
	if (!data)
		return NULL;
	at = mempcpy(data, &stored, sizeof(stored));
	at = mempcpy(at, table->pages, (table->nr_pages + 1) * sizeof(u32));
	at = mempcpy(at, table->rows, table->nr_rows * sizeof(*table->rows));
	memcpy(at, table->rules, table->nr_rules * sizeof(*table->rules));
	stored.hash = hash_of(data + skipped, *len - skipped);
	memcpy(data, &stored, sizeof(stored));
	return data;
}

/* Write a table, in place of one of the same build. */
int table_cache_write(const struct table_cache *cache, const struct unwind_table *table)
{
	char name[NAME_LEN], temporary[NAME_LEN + 16];
	size_t len;
	u8 *data = pack(table, &len);
	int fd, err = 0;

	if (!data)
		return -ENOMEM;
	if (len > MAX_BYTES) {
		free(data);
		return -EFBIG;
	}
	make_name(&table->build_id, name);
	snprintf(temporary, sizeof(temporary), "%s.%d", name, getpid());
	unlinkat(cache->dir, temporary, 0);
	fd = openat(cache->dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		free(data);
		return -errno;
	}
	errno = 0;
	if (write(fd, data, len) != (ssize_t)len)
		err = errno ? -errno : -ENOSPC;
	free(data);
	if (close(fd) && !err)
		err = -errno;
	if (!err && renameat(cache->dir, temporary, cache->dir, name))
		err = -errno;
	if (err)
		unlinkat(cache->dir, temporary, 0);
	return err;
}

static bool parse_name(const char *name, struct build_id *id)
{
	size_t digits = strspn(name, "0123456789abcdef"), i;
	unsigned int byte;

	*id = (struct build_id){ .size = digits / 2 };
	if (!digits || digits % 2 || digits / 2 > BUILD_ID_MAX || strcmp(name + digits, ENDING))
		return false;
	for (i = 0; i < id->size; i++) {
		if (sscanf(name + 2 * i, "%2x", &byte) != 1)
			return false;
		id->data[i] = byte;
	}
	return true;
}

/* Call @visit for each table, in the order of build-ids, until it fails. */
int table_cache_each(const struct table_cache *cache,
		     int (*visit)(void *arg, const struct build_id *id), void *arg)
{
	struct dirent **entries = NULL;
	int nr = scandirat(cache->dir, ".", &entries, NULL, alphasort), i, err = 0;
	struct build_id id;

	if (nr < 0)
		return -errno;
	for (i = 0; i < nr; i++) {
		if (!err && parse_name(entries[i]->d_name, &id))
			err = visit(arg, &id);
		free(entries[i]);
	}
	free(entries);
	return err;
}

/* Return true for the name of a file that table_cache_write() has not completed. */
static bool is_incomplete(const char *name)
{
	const char *at = name + strspn(name, "0123456789abcdef");

	if (at == name || strncmp(at, ENDING ".", sizeof(ENDING)))
		return false;
	at += sizeof(ENDING);
	return *at && !at[strspn(at, "0123456789")];
}

/*
 * Remove all tables, and the incomplete files of processes that were killed. Set *@nr to the number
 * of tables. Another process may remove some at the same time.
 */
int table_cache_clear(const struct table_cache *cache, u32 *nr)
{
	struct dirent **entries = NULL;
	int nr_entries = scandirat(cache->dir, ".", &entries, NULL, NULL), i, err = 0;
	struct build_id id;
	bool is_table;

	*nr = 0;
	if (nr_entries < 0)
		return -errno;
	for (i = 0; i < nr_entries; i++) {
		is_table = parse_name(entries[i]->d_name, &id);
		if (is_table || is_incomplete(entries[i]->d_name)) {
			if (!unlinkat(cache->dir, entries[i]->d_name, 0))
				*nr += is_table;
			else if (errno != ENOENT)
				err = -errno;
		}
		free(entries[i]);
	}
	free(entries);
	return err;
}
