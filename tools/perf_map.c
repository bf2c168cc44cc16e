// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - functions that a process made itself
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buildid.h"
#include "perf_map.h"

#define MAX_SIZE	(256L << 20)

/* "7f0011223000 1f0 name with blanks" */
static bool parse_line(char *line, struct symbol *symbol)
{
	char *at, *end;
	u64 size;

	*symbol = (struct symbol){ .binding = SYMBOL_GLOBAL };
	symbol->start = strtoull(line, &at, 16);
	if (at == line || *at != ' ')
		return false;
	size = strtoull(at, &end, 16);
	if (end == at || *end != ' ' || !size || symbol->start + size < symbol->start)
		return false;
	symbol->end = symbol->start + size;
	symbol->name = end + 1;
	end[1 + strcspn(end + 1, "\n")] = '\0';
	return *symbol->name;
}

static int read_lines(FILE *file, struct names *names, struct symtab *symtab)
{
	struct symbol symbol;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, file) > 0) {
		if (!parse_line(line, &symbol))
			continue;
		symbol.name = names_get(names, symbol.name);
		err = symbol.name ? symtab_add(symtab, &symbol) : -ENOMEM;
	}
	free(line);
	return err;
}

/*
 * Anyone can put a file there: another user's could give functions the names of
 * others, and one without end would be read for ever.
 */
static enum symbol_status check(int fd)
{
	const char *sudo = getenv("SUDO_UID");
	struct stat st;

	if (fstat(fd, &st) || st.st_size > MAX_SIZE)
		return SYMBOL_UNREADABLE;
	if (st.st_uid && st.st_uid != geteuid() && (!sudo || st.st_uid != strtoul(sudo, NULL, 10)))
		return SYMBOL_FOREIGN;
	return SYMBOL_FOUND;
}

/**
 * perf_map_load - read the functions
 * @path:	the file, which anyone may have put there
 * @names:	where their names go
 * @symtab:	the result, in order
 *
 * Return: SYMBOL_FOUND, or why there are none.
 */
enum symbol_status perf_map_load(const char *path, struct names *names, struct symtab *symtab)
{
	int fd = open_regular(path);
	enum symbol_status status;
	FILE *file;
	int err;

	if (fd < 0)
		return fd == -ENOENT ? SYMBOL_NO_FILE : SYMBOL_UNREADABLE;
	status = check(fd);
	if (status) {
		close(fd);
		return status;
	}
	file = fdopen(fd, "r");
	if (!file)
		return SYMBOL_UNREADABLE;
	err = read_lines(file, names, symtab);
	fclose(file);
	if (err || symtab_finish(symtab))
		return SYMBOL_UNREADABLE;
	return symtab->nr ? SYMBOL_FOUND : SYMBOL_STRIPPED;
}
