// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the lines of source files
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/source_files.h"
#include "base/array.h"
#include "perfdata/buildid.h"

#define MAX_SIZE	(16L << 20)

/**
 * struct source_file - a source file
 * @path:	its path, without source_files.symfs
 * @text:	its contents; each line ends with a zero byte; NULL if it cannot be read
 * @lines:	start of each line in @text
 * @nr:		number of lines
 * @room:	capacity of @lines
 */
struct source_file {
	char	*path;
	char	*text;
	u32	*lines;
	size_t	nr;
	size_t	room;
};

static bool is_file(const void *entry, const void *path)
{
	return !strcmp(((const struct source_file *)entry)->path, path);
}

static void free_file(void *entry)
{
	struct source_file *file = entry;

	free(file->path);
	free(file->text);
	free(file->lines);
	free(file);
}

/* Read up to @size bytes, and add a zero. Return their number. */
static size_t read_text(struct source_file *file, int fd, size_t size)
{
	size_t len = 0;
	ssize_t ret;

	file->text = malloc(size + 1);
	while (file->text && len < size && (ret = read(fd, file->text + len, size - len)) > 0)
		len += ret;
	if (file->text)
		file->text[len] = '\0';
	return len;
}

static void split(struct source_file *file, size_t len)
{
	char *at = file->text, *end;
	u32 *lines;

	for (; at < file->text + len; at = end + 1) {
		lines = array_grow(file->lines, file->nr, &file->room, sizeof(*lines));
		if (!lines)
			return;
		file->lines = lines;
		lines[file->nr++] = at - file->text;
		end = memchr(at, '\n', file->text + len - at);
		if (!end)
			return;
		*end = '\0';
	}
}

static void read_source(struct source_file *file, const char *symfs)
{
	struct stat st;
	char *path;
	int fd;

	if (asprintf(&path, "%s%s", symfs ? symfs : "", file->path) < 0)
		return;
	fd = open_regular(path);
	free(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size <= MAX_SIZE)
		split(file, read_text(file, fd, st.st_size));
	close(fd);
}

static struct source_file *add_file(struct source_files *files, u64 hash, const char *path)
{
	struct source_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->path = strdup(path);
	if (!file->path || hash_table_add(&files->table, hash, file)) {
		free_file(file);
		return NULL;
	}
	read_source(file, files->symfs);
	return file;
}

/*
 * Return line @line, from 1, of a source file, or NULL if it cannot be read. The text is valid
 * until source_files_free().
 *
 * @directory: directory that a relative @path begins in, NULL if unknown
 */
const char *source_files_line(struct source_files *files, const char *directory, const char *path,
			      u32 line)
{
	bool is_relative = path[0] != '/';
	struct source_file *file;
	char *whole;
	u64 hash;

	if (!is_relative)
		whole = strdup(path);
	else if (!directory || asprintf(&whole, "%s/%s", directory, path) < 0)
		whole = NULL;
	if (!whole)
		return NULL;
	hash = hash_text(whole);
	file = hash_table_find(&files->table, hash, is_file, whole);
	if (!file)
		file = add_file(files, hash, whole);
	free(whole);
	return file && line && line <= file->nr ? file->text + file->lines[line - 1] : NULL;
}

void source_files_free(struct source_files *files)
{
	hash_table_free(&files->table, free_file);
}
