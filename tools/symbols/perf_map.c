// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read JIT-compiled functions from /tmp/perf-PID.map
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/perf_map.h"
#include "symbols/trusted_file.h"

/* Parse a line like "7f0011223000 1f0 name with blanks": address, size and name. */
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

static int read_lines(FILE *file, struct interned *names, struct symtab *symtab)
{
	struct symbol symbol;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, file) > 0) {
		if (!parse_line(line, &symbol))
			continue;
		symbol.name = interned_get(names, symbol.name);
		err = symbol.name ? symtab_add(symtab, &symbol) : -ENOMEM;
	}
	free(line);
	return err;
}

/*
 * Read a perf map, which may be malformed. Return SYMBOL_FOUND, or the reason why
 * there are no functions.
 */
enum symbol_status perf_map_load(const char *path, struct interned *names, struct symtab *symtab)
{
	enum symbol_status status;
	FILE *file;
	int err;

	status = trusted_file_open(path, 0, &file);
	if (status)
		return status;
	err = read_lines(file, names, symtab);
	fclose(file);
	if (err || symtab_finish(symtab))
		return SYMBOL_UNREADABLE;
	return symtab->nr ? SYMBOL_FOUND : SYMBOL_STRIPPED;
}
