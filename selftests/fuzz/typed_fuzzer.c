// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - events, options and whole command lines
 *
 * The first byte of an input selects how the rest is used: as events, as the
 * arguments of one command, or as a whole command line. Line feeds separate words.
 *
 * Commands that only print something are run, though they mostly find nothing to
 * print. Commands that start other programs or write files only parse their options. The linker's
 * --wrap replaces exit(), the calls of the device and the checks of the machine by
 * functions of this file, so the machine is not changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "doctor/machine_look.h"
#include "events/event_attr.h"
#include "events/event_parse.h"
#include "export/export.h"
#include "fuzzer.h"
#include "record/record_options.h"
#include "push/push.h"
#include "report/report_options.h"
#include "stat/stat_options.h"

#define MAX_WORDS	32

/* Rename main() of the tools, so that type_words() can call it. */
#define main type_all
#include "main.c"
#undef main

static jmp_buf end;
static bool can_end;

/* A command calls exit() after wrong usage or after help: return to type_words(). */
void __wrap_exit(int status)
{
	if (can_end && status != STATUS_OK && status != STATUS_USAGE)
		abort();
	if (can_end)
		longjmp(end, 1);
	__real_exit(status);
}

/* Number of counters that the commands asked to enable or disable. */
static u32 nr_changes;

int __wrap_open_device(struct device_info *info, struct message *msg)
{
	*info = (struct device_info){
		.info = { .version = "0", .nr_cpus = 4, .nr_backends = 1,
			  .features = TPROF_LX_FEATURE_ROWS },
		.backends = { { .name = "intel", .flags = TPROF_LX_BACKEND_COUNTER } },
	};
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

int __wrap_device_info(int fd, struct device_info *info)
{
	return 0;
}

int __wrap_device_event(int fd, const char *backend, const struct perf_event_attr *attr,
			u32 flags, u32 stack_bytes, const struct cpu_list *cpus,
			struct tprof_lx_event *event)
{
	return -EBUSY;
}

int __wrap_device_rows(int fd, u32 cpu, struct tprof_lx_row *list, u32 room, u32 *nr)
{
	static const struct tprof_lx_row some[] = {
		{ .kind = TPROF_LX_ROW_GENERAL, .bits = 48 },
		{ .kind = TPROF_LX_ROW_FIXED, .state = TPROF_LX_ROW_DISABLED },
		{ .kind = TPROF_LX_ROW_GENERAL, .number = 1, .state = TPROF_LX_ROW_TAKEN,
		  .type = ~0U, .config = ~0ULL, .period = ~0ULL, .comm = "a\033\"\xff" },
		{ .kind = ~0U, .number = ~0U, .state = ~0U },
	};

	*nr = cpu % 2 ? 0 : ARRAY_SIZE(some);
	memcpy(list, some, *nr * sizeof(*some));
	return 0;
}

/* A command must pass only kinds and states that the ioctl accepts. */
int __wrap_device_row_admin(int fd, const struct tprof_lx_row_admin *arg)
{
	if (arg->kind != TPROF_LX_ROW_GENERAL && arg->kind != TPROF_LX_ROW_FIXED)
		abort();
	if (arg->state != TPROF_LX_ROW_DISABLED && arg->state != TPROF_LX_ROW_FREE)
		abort();
	nr_changes++;
	return arg->number < 8 ? 0 : -ENOENT;
}

void __wrap_machine_look(struct machine *machine, const char *root, const char *release,
			 const char *architecture)
{
	*machine = (struct machine){ .root = root };
}

static int read_record(const struct command *self, int argc, char **argv)
{
	struct record_options opts = { 0 };

	return record_options_read(&opts, self, argc, argv);
}

static int read_stat(const struct command *self, int argc, char **argv)
{
	struct stat_options opts = { 0 };

	return stat_options_read(&opts, self, argc, argv);
}

/* regcomp() takes gigabytes for nested repetitions such as a{255}{255}{255}. */
static bool has_brace(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (strchr(argv[i], '{'))
			return true;
	}
	return false;
}

static int read_report(const struct command *self, int argc, char **argv)
{
	struct report_options opts = { 0 };
	int status = has_brace(argc, argv) ? STATUS_USAGE :
					     report_options_read(&opts, self, argc, argv);

	sort_keys_free(&opts.key_options);
	return status;
}

static int read_export(const struct command *self, int argc, char **argv)
{
	struct export_options opts = { 0 };
	int status = has_brace(argc, argv) ? STATUS_USAGE :
					     export_options_read(&opts, self, argc, argv);

	sort_keys_free(&opts.key_options);
	return status;
}

static int read_push(const struct command *self, int argc, char **argv)
{
	static struct push_options opts;

	return push_options_read(&opts, self, argc, argv);
}

/* Copies of commands. Their run() only parses options: see LLVMFuzzerInitialize(). */
static struct command only_record, only_stat, only_report, only_export, only_push;

/* This replaces tools/commands.c. */
const struct command *const commands[] = {
	&only_record, &only_stat, &only_report, &script_command, &list_command,
	&info_command, &control_command, &doctor_command, &only_export, &only_push,
	NULL,
};

#define NR_COMMANDS	(ARRAY_SIZE(commands) - 1)

static void only_read(struct command *only, const struct command *command,
		      int (*read)(const struct command *self, int argc, char **argv))
{
	*only = *command;
	only->run = read;
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

/* Parse events and make their attrs, on a machine with a counter and a clock back end. */
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

/* Run a command line. If it returns STATUS_USAGE, it must have changed nothing. */
static void type_words(size_t command, char *text)
{
	const struct command *self = command < NR_COMMANDS ? commands[command] : NULL;
	char *words[MAX_WORDS + 1];
	int status, nr = split(text, words);

	nr_changes = 0;
	can_end = true;
	if (!setjmp(end)) {
		status = self ? self->run(self, nr, words) : type_all(nr, words);
		if (status != STATUS_OK && status != STATUS_FAILED && status != STATUS_USAGE)
			abort();
		if (status == STATUS_USAGE && nr_changes)
			abort();
	}
	can_end = false;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	only_read(&only_record, &record_command, read_record);
	only_read(&only_stat, &stat_command, read_stat);
	only_read(&only_report, &report_command, read_report);
	only_read(&only_export, &export_command, read_export);
	only_read(&only_push, &push_command, read_push);
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
	if (data[0] % (NR_COMMANDS + 2))
		type_words(data[0] % (NR_COMMANDS + 2) - 1, text);
	else
		type_events(text);
	free(text);
	return 0;
}
