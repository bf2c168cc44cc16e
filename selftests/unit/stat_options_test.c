// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which processes the options of stat select
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "stat/stat_options.h"
#include "unit.h"

/* Parse "stat" followed by the words in @line. Return the status. */
static int parse(const char *line, struct stat_options *opts)
{
	static char copy[128];
	char *argv[16] = { "stat" }, *word;
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return stat_options_read(opts, &stat_command, argc, argv);
}

static void test_scope(void)
{
	static const struct {
		const char *line;
		bool is_process_scope;
	} lines[] = {
		{ "", false }, { "-a", false }, { "-C 0", false }, { "-p 7", true },
		{ "-- true", true }, { "-- report", true },
		{ "-a -- true", false }, { "-C 0 -- true", false },
		{ "-i -- true", true }, { "-i -p 7", true }, { "-i -t 7", true },
	};
	struct stat_options opts;
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(name, sizeof(name), "'stat %s' counts %s", lines[i].line,
			 lines[i].is_process_scope ? "these processes" : "all processes");
		unit_ok(!parse(lines[i].line, &opts) &&
			opts.is_process_scope == lines[i].is_process_scope, name);
	}
}

static void test_contradictions(void)
{
	static const char *const lines[] = {
		"-a -p 7", "-C 0 -p 7", "-a -C 0", "-p 7 -- true", "-p 0", "-p 7,0",
		"-p 7 -r 2", "-i", "-a -i -- true", "-C 0 -i -- true", "--comm (", "--follow-new",
		"-a --comm no-process --follow-new", "--comm no-process --follow-new -- true",
		"--per-thread --per-process -- true", "--per-process",
		"--per-thread", "--per-thread -a -- true", "--per-thread -C 0 -- true",
		"--record -r 2 -- true", "--record --report", "--report -e cycles", "--report -a",
		"--report -- true", "--report -p 7", "--report -I 9", "--report --duration 1",
		"--report --all-user", "--report --as-root", "--report -A --per-thread",
		"--report -i", "report", "record true",
		"--per-thread -A -- true", "--per-thread -I 9 -- true", "--per-thread -r 2 -- true",
	};
	struct stat_options opts;
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(name, sizeof(name), "'stat %s' is a usage error", lines[i]);
		unit_ok(parse(lines[i], &opts) == STATUS_USAGE, name);
	}
}

int main(void)
{
	test_scope();
	test_contradictions();
	return unit_exit();
}
