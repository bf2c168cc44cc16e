// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx tables - make, show, list and clear the unwind tables of binaries
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ordered_set.h"
#include "base/owner.h"
#include "base/parse.h"
#include "cli/command.h"
#include "cli/say.h"
#include "live/procfs.h"
#include "perfdata/buildid.h"
#include "tables/tables.h"
#include "unwind/object.h"

/**
 * struct tables_options - the parsed command line
 * @json:	--json
 */
struct tables_options {
	bool	json;
};

/* Return the reason of unwind_object(), or NULL. */
static const char *reason_of(int err)
{
	switch (err) {
	case -ENOEXEC:
		return "it is no program or library for x86-64";
	case -ENOKEY:
		return "it has no build-id of 1 to 20 bytes; link it with --build-id";
	case -ENODATA:
		return "it has no unwind information; build it with -fasynchronous-unwind-tables";
	case -ENOTSUP:
		return "it has only an .sframe of an unknown version; build it with .eh_frame";
	case -EBADMSG:
		return "it is damaged";
	case -EFBIG:
		return "it is too large";
	case -ETIME:
		return "it has too much unwind information";
	}
	return NULL;
}

static int say_no_table(const char *name, int err)
{
	const char *reason = reason_of(err);

	return reason ? say_error("%s has no table: %s", name, reason) : say_failure(err, name);
}

static void note_damage(const struct tables *tables, const struct build_id *id)
{
	char text[BUILD_ID_TEXT];

	say_note("removed the damaged table of build %s from %s", build_id_text(id, text),
		 tables->cache.path);
}

static int read_cached(const struct tables *tables, int fd, struct unwind_table *table)
{
	char path[32];
	struct build_id id;
	int err;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = tables->has_cache ? build_id_of_file(path, &id) : -ENOENT;
	if (!err)
		err = table_cache_read(&tables->cache, &id, table);
	if (err == -EBADMSG)
		note_damage(tables, &id);
	return err;
}

static void keep_table(const struct tables *tables, const char *name,
		       const struct unwind_table *table)
{
	int err = table_cache_write(&tables->cache, table);

	if (err)
		say_note("cannot keep the table of %s: %s", name, strerror(-err));
}

/*
 * Get the table of the file @path from the cache, or make it and put it there. Make it anew if
 * @again. Return 0 or the error of unwind_object().
 *
 * A table in the cache is for all binaries with its build-id, and another user could copy the
 * build-id of any program. So the cache is not used for a binary of another user.
 */
int tables_of_file(struct tables *tables, const char *path, const char *name, bool again,
		   struct unwind_table *table)
{
	int fd = open_regular(path), err;
	bool is_trusted;

	if (fd < 0)
		return fd;
	is_trusted = owner_of_file_is_trusted(fd);
	err = again || !is_trusted ? -ENOENT : read_cached(tables, fd, table);
	if (err) {
		err = unwind_object(fd, NULL, table);
		if (!err && !is_trusted)
			say_note("the table of %s is not kept: it is a file of another user", name);
		else if (!err && tables->has_cache)
			keep_table(tables, name, table);
	}
	close(fd);
	if (err)
		unwind_table_free(table);
	return err;
}

static int make_tables(struct tables *tables, char **operands, int nr)
{
	struct unwind_table table;
	int status = STATUS_OK, i, err;

	if (!nr)
		return say_usage("tables make: name at least one program or library");
	if (!tables->has_cache)
		return say_error("there is no cache for tables; set HOME to a directory of yours");
	for (i = 0; i < nr; i++) {
		err = tables_of_file(tables, operands[i], operands[i], true, &table);
		if (err) {
			status = say_no_table(operands[i], err);
			continue;
		}
		tables_print(tables, operands[i], &table);
		unwind_table_free(&table);
	}
	tables_print_end(tables);
	return status;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void show_mapped(struct tables *tables, u64 pid, const char *name)
{
	struct unwind_table table;
	char *path;
	int err;

	if (asprintf(&path, "/proc/%llu/root%s", pid, name) < 0)
		return;
	err = tables_of_file(tables, path, name, false, &table);
	free(path);
	if (err) {
		say_no_table(name, err);
		return;
	}
	tables_print(tables, name, &table);
	unwind_table_free(&table);
}

/* Show the tables of the files that a process executes. */
static int show_process(struct tables *tables, u64 pid)
{
	char path[64], *line = NULL;
	struct mapping mapping;
	void *seen = NULL;
	size_t room = 0;
	bool is_new;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%llu/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return say_failure(-errno, path);
	while (getline(&line, &room, maps) > 0) {
		is_new = false;
		if (!procfs_parse_map(line, &mapping) || !(mapping.prot & PROT_EXEC) ||
		    *mapping.name != '/' || mapping.name[1] == '/' ||
		    !ordered_get(&seen, mapping.name, strlen(mapping.name) + 1, compare_names,
				 &is_new) || !is_new)
			continue;
		show_mapped(tables, pid, mapping.name);
	}
	free(line);
	fclose(maps);
	ordered_free(&seen);
	tables_print_end(tables);
	return STATUS_OK;
}

static int show_one(struct tables *tables, char **operands, int nr)
{
	struct unwind_table table;
	u64 pid;
	int err;

	if (nr != 1)
		return say_usage("tables show: name one program, library or process id");
	if (access(operands[0], F_OK) && !parse_u64(operands[0], &pid))
		return show_process(tables, pid);
	err = tables_of_file(tables, operands[0], operands[0], false, &table);
	if (err)
		return say_no_table(operands[0], err);
	tables_print_rows(tables, &table);
	unwind_table_free(&table);
	return STATUS_OK;
}

static int list_one(void *arg, const struct build_id *id)
{
	struct tables *tables = arg;
	struct unwind_table table;
	int err = table_cache_read(&tables->cache, id, &table);

	if (err == -EBADMSG)
		note_damage(tables, id);
	if (err)
		return err == -EBADMSG || err == -ENOENT ? 0 : err;
	tables_print(tables, NULL, &table);
	unwind_table_free(&table);
	return 0;
}

static int list_all(struct tables *tables, char **operands, int nr)
{
	int err;

	(void)operands;
	if (nr)
		return say_usage("tables list takes no operand; see tprof-lx tables --help");
	err = tables->has_cache ? table_cache_each(&tables->cache, list_one, tables) : 0;
	if (err)
		return say_failure(err, tables->cache.path);
	tables_print_end(tables);
	return STATUS_OK;
}

static int clear_all(struct tables *tables, char **operands, int nr)
{
	int err;

	(void)operands;
	if (nr)
		return say_usage("tables clear takes no operand; see tprof-lx tables --help");
	err = tables->has_cache ? table_cache_clear(&tables->cache, &tables->nr) : 0;
	if (err)
		return say_failure(err, tables->cache.path);
	say_note("removed %u %s", tables->nr, tables->nr == 1 ? "table" : "tables");
	return STATUS_OK;
}

static const struct {
	const char *name;
	int (*run)(struct tables *tables, char **operands, int nr);
} actions[] = {
	{ "list", list_all },
	{ "show", show_one },
	{ "make", make_tables },
	{ "clear", clear_all },
};

static int act(struct tables *tables, char **operands, int nr)
{
	size_t i;

	if (!nr)
		return list_all(tables, NULL, 0);
	for (i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		if (!strcmp(operands[0], actions[i].name))
			return actions[i].run(tables, operands + 1, nr - 1);
	}
	return say_usage("tables: '%s' is no action; use list, show, make or clear", operands[0]);
}

/*
 * Parse options and operands in any order, and move the operands to the beginning of @argv.
 * Return their number.
 */
static int read_options(const struct command *self, struct tables_options *opts, int argc,
			char **argv)
{
	int i = options_parse(self, opts, argc, argv), nr = 0;

	while (i < argc) {
		argv[nr++] = argv[i];
		i += options_parse(self, opts, argc - i, argv + i);
	}
	return nr;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct json json = { .out = stdout, .indent = true, .first = true };
	struct tables_options opts = { 0 };
	int nr = read_options(self, &opts, argc, argv), status, err;
	struct tables tables = { .json = opts.json ? &json : NULL };

	err = table_cache_open(&tables.cache);
	tables.has_cache = !err;
	if (err == -EPERM)
		say_note("tables are not kept: another user can write to the cache");
	if (tables.json)
		json_begin(&json, NULL, '[');
	status = act(&tables, argv, nr);
	if (tables.json)
		json_end(&json, ']');
	if (tables.has_cache)
		table_cache_close(&tables.cache);
	return status;
}

#define ROW(...) OPTION_ROW(struct tables_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW(0, "json", NULL, option_flag, json, "print JSON"),
	{ 0 }
};

const struct command tables_command = {
	.name = "tables",
	.summary = "make, show, list and clear unwind tables of binaries",
	.operands = "[list | clear | make FILE ... | show FILE | show PID]",
	.is_mixed = true,
	.text = "An unwind table says for each address of a binary how to find its caller; it is\n"
		"made from .eh_frame, .debug_frame and .sframe and kept in\n"
		"~/.cache/tprof-lx/tables by build-id. 'make' makes the tables of files anew,\n"
		"'show FILE' prints the rows of one, and 'show PID' lists the tables of all files\n"
		"that a process executes.\n",
	.options = rows,
	.run = run,
};
