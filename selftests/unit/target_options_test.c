// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which processes the options of record and top select
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "record/record_options.h"
#include "top/top_options.h"
#include "unit.h"

/* Parse @line, which begins with the name of a command. Return the status. */
static int parse(const char *line)
{
	static struct record_options record;
	static struct top_options top;
	static char copy[128];
	char *argv[16], *word;
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	if (!strcmp(argv[0], "top"))
		return top_options_read(&top, &top_command, argc, argv);
	return record_options_read(&record, &record_command, argc, argv);
}

static void test_targets(void)
{
	static const struct {
		const char *line;
		int status;
	} lines[] = {
		{ "record -p 7 -i", STATUS_OK },
		{ "record -i -- true", STATUS_OK },
		{ "record -t 7 -i", STATUS_OK },
		{ "record -i", STATUS_USAGE },
		{ "record -a -i", STATUS_USAGE },
		{ "top", STATUS_OK },
		{ "top -t 7", STATUS_OK },
		{ "top -t 7 -i", STATUS_OK },
		{ "top -p 7 -i", STATUS_OK },
		{ "top -i", STATUS_USAGE },
		{ "top -a -t 7", STATUS_USAGE },
		{ "top -p 7 -t 8", STATUS_USAGE },
		{ "top -t 0", STATUS_USAGE },
	};
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(name, sizeof(name), "'%s' %s", lines[i].line,
			 lines[i].status == STATUS_OK ? "is valid" : "is refused");
		unit_ok(parse(lines[i].line) == lines[i].status, name);
	}
}

int main(void)
{
	test_targets();
	return unit_exit();
}
