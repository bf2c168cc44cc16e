// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which processes the options of record and top select
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cli/comm_option.h"
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
		{ "record --comm (", STATUS_USAGE },
		{ "record --comm no-process-has-this-name", STATUS_FAILED },
		{ "record --comm no-process --follow-new", STATUS_OK },
		{ "record --comm no-process --follow-new -i -- true", STATUS_OK },
		{ "record --follow-new", STATUS_USAGE },
		{ "record -a --comm no-process --follow-new", STATUS_USAGE },
		{ "record -t 7 --comm no-process --follow-new", STATUS_USAGE },
		{ "record --comm (a)\\1 --follow-new", STATUS_USAGE },
		{ "record --comm a.{12}b --follow-new", STATUS_USAGE },
		{ "top", STATUS_OK },
		{ "top --comm no-process --follow-new -i", STATUS_OK },
		{ "top --follow-new", STATUS_USAGE },
		{ "top -a --comm no-process --follow-new", STATUS_USAGE },
		{ "top -t 7", STATUS_OK },
		{ "top -t 7 -i", STATUS_OK },
		{ "top -p 7 -i", STATUS_OK },
		{ "top -i", STATUS_USAGE },
		{ "top -a -t 7", STATUS_USAGE },
		{ "top -p 7 -t 8", STATUS_USAGE },
		{ "top -t 0", STATUS_USAGE },
		{ "top --comm [", STATUS_USAGE },
		{ "top --comm no-process-has-this-name", STATUS_FAILED },
	};
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(name, sizeof(name), "'%s' %s", lines[i].line,
			 lines[i].status == STATUS_OK ? "is valid" : "is refused");
		unit_ok(parse(lines[i].line) == lines[i].status, name);
	}
}

/* Start a process with the name @comm, which waits. Return its id. */
static pid_t start_named(const char *comm)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, comm);
		close(ready[0]);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		unit_ok(false, "a process has the name");
	close(ready[0]);
	return pid;
}

static void test_names(void)
{
	pid_t first = start_named("tprof-unit-a"), second = start_named("tprof-unit-b");
	struct pid_list pids = { .pids = { second }, .nr = 1 };
	struct pid_list self = { 0 };

	unit_ok(!comm_option_add("record", &(struct comm_option){ "^tprof-unit-[ab]$", false },
				 &pids) && pids.nr == 2 &&
		pid_list_has(&pids, first) && pid_list_has(&pids, second),
		"each process with a matching name is in the list once");
	prctl(PR_SET_NAME, "tprof-unit-c");
	unit_ok(comm_option_add("record", &(struct comm_option){ "^tprof-unit-c$", false },
				&self) == STATUS_FAILED && !self.nr,
		"this process does not match");
	unit_ok(!comm_option_add("record", &(struct comm_option){ 0 }, &self) && !self.nr,
		"without --comm, nothing is added");
	kill(first, SIGKILL);
	kill(second, SIGKILL);
	waitpid(first, NULL, 0);
	waitpid(second, NULL, 0);
}

int main(void)
{
	test_targets();
	test_names();
	return unit_exit();
}
