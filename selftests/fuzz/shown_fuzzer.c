// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - the commands that print a recording
 *
 * Each command reads the input as a recording, and prints it.
 */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/say.h"
#include "fuzzer.h"
#include "html/page_prune.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzzer_be_quiet();
	/* Inputs are small, so let a page have few stacks. */
	page_stacks_read = 64;
	page_stacks_shown = 16;
	return 0;
}

/* Run a command. The command line is valid, so STATUS_USAGE is a bug. */
static void show(const struct command *command, char *path, const char *const *options)
{
	char *argv[8] = { (char *)command->name, "-i", path };
	int argc = 3, status;

	while (*options)
		argv[argc++] = (char *)*options++;
	status = command->run(command, argc, argv);
	if (status != STATUS_OK && status != STATUS_FAILED)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	static const struct {
		const struct command *command;
		const char *options[5];
	} shown[] = {
		{ &info_command, { NULL } },
		{ &info_command, { "--json" } },
		{ &script_command, { "-t", "all" } },
		{ &script_command, { "-t", "all", "--json" } },
		{ &report_command, { "--stdio", "-g" } },
		{ &report_command, { "--json", "-s", "pid,comm,dso,sym" } },
		{ &report_command, { "-s", "thread,time", "--parent", "a" } },
		{ &report_command, { "-g", "--latency", "-s", "sym" } },
		{ &export_command, { "rows", "--latency" } },
		{ &annotate_command, { "--stdio", "--percent-limit", "0" } },
		{ &annotate_command, { "--json" } },
		{ &export_command, { "folded" } },
		{ &export_command, { "speedscope", "--inline" } },
		{ &export_command, { "pprof" } },
		{ &export_command, { "rows" } },
		{ &export_command, { "otlp" } },
		{ &export_command, { "firefox" } },
		{ &export_command, { "callgrind", "--inline" } },
		{ &html_command, { "-o", "-" } },
	};
	char *path = fuzzer_file(data, len);

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		show(shown[i].command, path, shown[i].options);
	return 0;
}
