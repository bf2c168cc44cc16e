// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx doctor - find out what prevents profiling, and print how to fix it
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/json.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "doctor/diagnosis.h"
#include "doctor/machine_look.h"

static const char *const level_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_NOTE] = "note",
	[FINDING_PROBLEM] = "problem",
};

/**
 * struct doctor_options - options of doctor
 * @json:	--json
 */
struct doctor_options {
	bool	json;
};

/* Print the lines of a log, escaped for the terminal. */
static void print_detail(const char *detail)
{
	char line[MACHINE_LOG_LEN];

	while (*detail) {
		size_t len = strcspn(detail, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, detail);
		printf("%-11s %-8s | %s\n", "", "", printable(line));
		detail += len + !!detail[len];
	}
}

static void print_text(const struct diagnosis *diagnosis)
{
	const struct finding *finding = diagnosis->findings;

	for (; finding < diagnosis->findings + diagnosis->nr; finding++) {
		printf("%-11s %-8s %s\n", finding->name, level_names[finding->level],
		       printable(finding->text));
		if (finding->detail)
			print_detail(finding->detail);
		if (*finding->fix)
			printf("%-11s %-8s -> %s\n", "", "", printable(finding->fix));
		if (*finding->advice)
			printf("%-11s %-8s (%s)\n", "", "", printable(finding->advice));
	}
}

static void print_json(const struct diagnosis *diagnosis)
{
	const struct finding *finding = diagnosis->findings;
	struct json json = { .out = stdout, .indent = true, .first = true };

	json_begin(&json, NULL, '{');
	json_u64(&json, "problems", diagnosis_count(diagnosis, FINDING_PROBLEM));
	json_begin(&json, "findings", '[');
	for (; finding < diagnosis->findings + diagnosis->nr; finding++) {
		json_begin(&json, NULL, '{');
		json_string(&json, "name", finding->name);
		json_string(&json, "level", level_names[finding->level]);
		json_string(&json, "text", finding->text);
		if (*finding->fix)
			json_string(&json, "fix", finding->fix);
		if (*finding->advice)
			json_string(&json, "advice", finding->advice);
		if (finding->detail)
			json_string(&json, "detail", finding->detail);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
}

/*
 * Add an event of the hardware counters, which makes the module test the counters. The
 * event is never started.
 */
static int try_counters(int fd, const struct device_info *info)
{
	static const struct cpu_list all;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};
	struct tprof_lx_event event;
	u32 i;

	for (i = 0; i < info->info.nr_backends; i++) {
		if (info->backends[i].flags & TPROF_LX_BACKEND_COUNTER)
			return device_event(fd, info->backends[i].name, &attr, 0, 0, &all, &event);
	}
	return 0;
}

static void ask(struct answer *answer, struct message *msg)
{
	int fd = open_device(&answer->info, msg);

	answer->is_root = !geteuid();
	answer->err = fd < 0 ? fd : 0;
	answer->why = msg->text;
	if (fd < 0)
		return;
	answer->counters_err = try_counters(fd, &answer->info);
	/* INFO now includes the result of the module's test of the counters. */
	device_info(fd, &answer->info);
	close(fd);
}

static int run(const struct command *self, int argc, char **argv)
{
	static struct diagnosis diagnosis;
	static struct machine machine;
	static struct answer answer;
	struct doctor_options opts = { 0 };
	int operand = options_parse(self, &opts, argc, argv);
	struct message msg = { "" };
	struct utsname kernel;

	if (no_operands(argc, argv, operand))
		return STATUS_USAGE;
	uname(&kernel);
	machine_look(&machine, "", kernel.release, kernel.machine);
	ask(&answer, &msg);
	diagnosis_make(&diagnosis, &machine, &answer);
	if (opts.json)
		print_json(&diagnosis);
	else
		print_text(&diagnosis);
	return diagnosis_count(&diagnosis, FINDING_PROBLEM) ? STATUS_FAILED : STATUS_OK;
}

#define ROW(...) OPTION_ROW(struct doctor_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW(0, "json", NULL, option_flag, json, "print JSON"),
	{ 0 }
};

const struct command doctor_command = {
	.name = "doctor",
	.summary = "find what prevents profiling on this machine",
	.operands = "",
	.text = "Checks the kernel and its headers, DKMS, the module and its signature, the device,\n"
		"the back ends, the holders of the counters, and the kernel's symbols. Prints the\n"
		"command that fixes each problem, or advice if no command does. A problem prevents\n"
		"profiling, a note limits it. The status is 1 if there is a problem.\n",
	.options = rows,
	.run = run,
};
