/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the separate debug file of a binary
 */
#ifndef TPROF_UNWIND_DEBUG_FILE_H
#define TPROF_UNWIND_DEBUG_FILE_H

#include <libelf.h>

#include "perfdata/perfdata.h"

#define DEBUG_FILE_ROOT	"/usr/lib/debug"

/**
 * struct debug_search - the binary whose debug file is searched
 * @root:	directory of debug files, DEBUG_FILE_ROOT
 * @fd:		the binary
 * @elf:	libelf's handle of it
 * @build_id:	its build-id
 */
struct debug_search {
	const char *root;
	int	fd;
	Elf	*elf;
	const struct build_id *build_id;
};

int debug_file_open(const struct debug_search *search);

#endif /* TPROF_UNWIND_DEBUG_FILE_H */
