// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - what people type: events and options
 *
 * The first byte says which command it is for; words end with a line feed. A
 * wrong command line ends the program, which here ends the attempt: the linker
 * has calls of exit() come to us (--wrap). Commands that only show something are
 * run, and mostly find that there is nothing.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "events.h"
#include "fuzzer.h"
#include "record_options.h"
#include "report.h"
#include "report_options.h"
#include "stat_options.h"

#define MAX_WORDS	32

static jmp_buf end;
static bool can_end;

/* It was understood, and is done by then (--help), or it was not. */
void __wrap_exit(int status)
{
	if (can_end && status != STATUS_OK && status != STATUS_USAGE)
		abort();
	if (can_end)
		longjmp(end, 1);
	__real_exit(status);
}

static int split(char *text, char **words)
{
	int nr = 0;

	words[nr++] = "command";
	while (text && nr < MAX_WORDS)
		words[nr++] = strsep(&text, "\n");
	words[nr] = NULL;
	return nr;
}

/* To the attr, on a machine that has everything. */
static void type_events(const char *text)
{
	static const struct tprof_lx_backend backends[] = {
		{ .name = "intel", .flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_COUNTS |
					    TPROF_LX_BACKEND_COUNTER,
		  .nr_counters = 8, .min_period = 128, .max_period = ~0ULL },
		{ .name = "nmi", .flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_CLOCK,
		  .min_period = 5000, .max_period = ~0ULL },
	};
	const struct event_defaults defaults = { .freq = 1000 };
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	const struct tprof_lx_backend *backend;
	struct perf_event_attr attr;
	struct message msg;
	u32 nr = 0;

	if (event_parse_list(text, specs, TPROF_LX_MAX_EVENTS, &nr, &msg))
		return;
	for (u32 i = 0; i < nr; i++) {
		backend = event_backend(&specs[i], backends, 2, &msg);
		if (backend)
			event_attr(&specs[i], &defaults, backend, !i, &attr, &msg);
	}
}

static void type_options(u8 command, char *text)
{
	struct record_options record = { 0 };
	struct report_options report = { 0 };
	struct stat_options stat = { 0 };
	char *words[MAX_WORDS + 1];
	int nr = split(text, words);

	can_end = true;
	if (!setjmp(end)) {
		switch (command) {
		case 1:
			record_options_read(&record, nr, words);
			break;
		case 2:
			report_options_read(&report, nr, words);
			break;
		case 3:
			stat_options_read(&stat, nr, words);
			break;
		case 4:
			info_command.run(nr, words);
			break;
		case 5:
			script_command.run(nr, words);
			break;
		default:
			list_command.run(nr, words);
		}
	}
	can_end = false;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzzer_be_quiet();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	char *text;

	if (!len)
		return 0;
	text = strndup((const char *)data + 1, len - 1);
	if (!text)
		abort();
	if (data[0] % 7)
		type_options(data[0] % 7, text);
	else
		type_events(text);
	free(text);
	return 0;
}
