/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the lines of source files
 *
 * Debug information can name any file, so only regular files of bounded size are read.
 */
#ifndef TPROF_SOURCE_FILES_H
#define TPROF_SOURCE_FILES_H

#include "base/hash_table.h"

/**
 * struct source_files - source files that were read; empty if all members are zero
 * @symfs:	prefix of their paths, or NULL
 * @table:	the files, by path
 */
struct source_files {
	const char *symfs;
	struct hash_table table;
};

const char *source_files_line(struct source_files *files, const char *directory, const char *path,
			      u32 line);
void source_files_free(struct source_files *files);

#endif /* TPROF_SOURCE_FILES_H */
