// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx control - list, disable and enable hardware counters
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "live/cpus.h"
#include "show/counter_choice.h"

#define OPERANDS_MAX	(2 + TPROF_LX_MAX_ROWS)

/**
 * struct control_options - the parsed command line
 * @cpus:	-C
 * @json:	--json
 * @operands:	action, and names of counters
 * @nr_operands: number of @operands
 * @state:	state to set, TPROF_LX_ROW_*
 */
struct control_options {
	struct cpu_list cpus;
	bool	json;
	const char *operands[OPERANDS_MAX];
	u32	nr_operands;
	u32	state;
};

static const struct {
	const char *name;
	u32 state;
} actions[] = {
	{ "disable", TPROF_LX_ROW_DISABLED },
	{ "enable", TPROF_LX_ROW_FREE },
};

static bool is_chosen(const struct control_options *opts, u32 cpu)
{
	return !opts->cpus.bytes || cpu_list_has(&opts->cpus, cpu);
}

static void print_text(u32 cpu, const struct tprof_lx_row *row)
{
	char name[COUNTER_NAME_LEN], event[COUNTER_EVENT_LEN], period[32] = "";

	counter_name(row, name, sizeof(name));
	if (row->state != TPROF_LX_ROW_TAKEN) {
		printf("%-5u %-8s %4u  %s\n", cpu, name, row->bits, counter_state(row));
		return;
	}
	if (row->period)
		count_text(row->period, period, sizeof(period));
	printf("%-5u %-8s %4u  %-9s %7u %-15s %-24s %s", cpu, name, row->bits, counter_state(row),
	       row->pid, printable(row->comm), counter_event(row, event, sizeof(event)),
	       row->period ? period : "counts");
	if (row->sharers)
		printf(" and %u more", row->sharers);
	putchar('\n');
}

static void print_json(struct json *json, u32 cpu, const struct tprof_lx_row *row)
{
	char name[COUNTER_NAME_LEN], event[COUNTER_EVENT_LEN];

	json_begin(json, NULL, '{');
	json_u64(json, "cpu", cpu);
	json_string(json, "counter", counter_name(row, name, sizeof(name)));
	json_u64(json, "bits", row->bits);
	json_string(json, "state", counter_state(row));
	if (row->state == TPROF_LX_ROW_TAKEN) {
		json_u64(json, "pid", row->pid);
		json_string(json, "comm", row->comm);
		json_string(json, "event", counter_event(row, event, sizeof(event)));
		json_u64(json, "type", row->type);
		json_hex(json, "config", row->config);
		json_u64(json, "period", row->period);
		json_u64(json, "id", row->id);
		json_u64(json, "index", row->event);
		json_u64(json, "sharers", row->sharers);
	}
	json_end(json, '}');
}

/* Print the counters of a CPU. Return how many it has, or -errno. */
static int print_cpu(int device, struct json *json, bool is_first, u32 cpu)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	u32 i, nr;
	int err = device_rows(device, cpu, rows, ARRAY_SIZE(rows), &nr);

	/* -EINVAL means that there is no such CPU: CPU numbers may have gaps. */
	if (err)
		return err == -EINVAL ? 0 : err;
	if (nr && is_first && !json)
		printf("%-5s %-8s %4s  %-9s %7s %-15s %-24s %s\n", "CPU", "COUNTER", "BITS",
		       "STATE", "PID", "COMMAND", "EVENT", "PERIOD");
	for (i = 0; i < nr; i++) {
		if (json)
			print_json(json, cpu, &rows[i]);
		else
			print_text(cpu, &rows[i]);
	}
	return nr;
}

static int list_rows(int device, const struct device_info *info,
		     const struct control_options *opts)
{
	struct json json = { .out = stdout, .indent = true, .first = true };
	int ret = 0, total = 0;
	u32 cpu;

	if (opts->json)
		json_begin(&json, NULL, '[');
	for (cpu = 0; cpu < info->info.nr_cpus && ret >= 0; cpu++) {
		if (!is_chosen(opts, cpu))
			continue;
		ret = print_cpu(device, opts->json ? &json : NULL, !total, cpu);
		if (ret > 0)
			total += ret;
	}
	if (opts->json)
		json_end(&json, ']');
	if (ret < 0)
		return say_error("cannot list the counters: %s", strerror(-ret));
	if (!total)
		say_note("no back end has counters; see tprof-lx info");
	return STATUS_OK;
}

/*
 * Print why a counter cannot be disabled or enabled. @changed is the number of counters
 * changed before the failure.
 */
static int explain_admin(int err, const char *name, u32 cpu, u32 changed)
{
	char where[32] = "any CPU", so_far[64] = "nothing was changed";

	if (cpu != TPROF_LX_SUM)
		snprintf(where, sizeof(where), "CPU %u", cpu);
	if (changed)
		snprintf(so_far, sizeof(so_far), "the counters before it were changed");
	switch (-err) {
	case ENOENT:
		return say_error("there is no counter %s on %s; %s; see tprof-lx control",
				 name, where, so_far);
	case EBUSY:
		return say_error("an event uses counter %s; %s; see tprof-lx control",
				 name, so_far);
	case EPERM:
		return say_error("disabling and enabling counters needs CAP_SYS_ADMIN; run it with sudo");
	case EINVAL:
		return say_error("there is no CPU %u; %s", cpu, so_far);
	default:
		return say_error("counter %s: %s; %s", name, strerror(-err), so_far);
	}
}

/* A counter that a pattern has found need not exist on each CPU: cores of two kinds differ. */
static int set_on_cpus(int device, const struct control_options *opts,
		       struct tprof_lx_row_admin *arg, const char *name, bool is_found,
		       u32 *changed)
{
	u32 nr_cpus = opts->cpus.bytes * 8;
	int err;

	for (arg->cpu = 0; arg->cpu < nr_cpus; arg->cpu++) {
		if (!is_chosen(opts, arg->cpu))
			continue;
		err = device_row_admin(device, arg);
		if (err == -ENOENT && is_found)
			continue;
		if (err)
			return explain_admin(err, name, arg->cpu, *changed);
		++*changed;
	}
	return STATUS_OK;
}

static int set_row(int device, const struct control_options *opts, const char *name,
		   bool is_found, u32 *changed)
{
	struct tprof_lx_row_admin arg = { .state = opts->state, .cpu = TPROF_LX_SUM };
	int err;

	counter_parse(name, &arg);
	if (opts->cpus.bytes)
		return set_on_cpus(device, opts, &arg, name, is_found, changed);
	err = device_row_admin(device, &arg);
	*changed += !err;
	return err ? explain_admin(err, name, arg.cpu, *changed) : STATUS_OK;
}

/* Add the counters of all chosen CPUs that fit a pattern. Return 0 or -errno. */
static int find_fits(int device, const struct device_info *info,
		     const struct control_options *opts, const char *pattern,
		     struct counter_choice *choice)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	u32 cpu, nr;
	int err = 0;

	for (cpu = 0; cpu < info->info.nr_cpus && !err; cpu++) {
		if (!is_chosen(opts, cpu))
			continue;
		err = device_rows(device, cpu, rows, ARRAY_SIZE(rows), &nr);
		/* CPU numbers may have gaps. */
		if (err == -EINVAL)
			err = 0;
		else if (!err)
			err = counter_choose_fits(choice, pattern, rows, nr);
	}
	return err;
}

/* Find what each pattern fits, and say it, before the first counter is changed. */
static int choose(int device, const struct device_info *info, const struct control_options *opts,
		  struct counter_choice *choices)
{
	char names[256];
	int err;
	u32 i;

	for (i = 1; i < opts->nr_operands; i++) {
		if (!counter_is_pattern(opts->operands[i])) {
			counter_choose_name(&choices[i], opts->operands[i]);
			continue;
		}
		err = find_fits(device, info, opts, opts->operands[i], &choices[i]);
		if (err)
			return say_error("cannot list the counters: %s", strerror(-err));
		if (!choices[i].nr)
			return say_error("no counter fits '%s'; nothing was changed; see tprof-lx control",
					 opts->operands[i]);
		say_note("'%s' fits %s", opts->operands[i],
			 counter_choice_text(&choices[i], names, sizeof(names)));
	}
	return STATUS_OK;
}

static int administer(int device, const struct device_info *info,
		      const struct control_options *opts)
{
	static struct counter_choice choices[OPERANDS_MAX];
	int status = choose(device, info, opts, choices);
	u32 i, j, changed = 0;

	for (i = 1; i < opts->nr_operands; i++) {
		for (j = 0; j < choices[i].nr && !status; j++)
			status = set_row(device, opts, choices[i].names[j],
					 counter_is_pattern(opts->operands[i]), &changed);
	}
	return status;
}

#define ROW(...) OPTION_ROW(struct control_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW('C', "cpu", "LIST", option_cpus, cpus,
	    "list or change counters of these CPUs only, such as 0-3,8"),
	ROW(0, "json", NULL, option_flag, json, "print JSON"),
	{ 0 }
};

/* Parse options and operands in any order. */
static int read_options(const struct command *self, struct control_options *opts, int argc,
			char **argv)
{
	int i = options_parse(self, opts, argc, argv);

	while (i < argc) {
		if (opts->nr_operands == OPERANDS_MAX)
			return say_usage("control: too many counters");
		opts->operands[opts->nr_operands++] = argv[i];
		i += options_parse(self, opts, argc - i, argv + i);
	}
	return STATUS_OK;
}

/* Check all names before the first counter is changed. */
static int check_counters(const struct control_options *opts)
{
	struct tprof_lx_row_admin arg;
	u32 i;

	for (i = 1; i < opts->nr_operands; i++) {
		if (!counter_is_pattern(opts->operands[i]) &&
		    counter_parse(opts->operands[i], &arg))
			return say_usage("control: '%s' is no counter; name gp0, gp1, ... or fixed0, ..., or a pattern such as 'gp*'",
					 opts->operands[i]);
	}
	return STATUS_OK;
}

static int check_operands(struct control_options *opts)
{
	size_t action = 0;

	if (!opts->nr_operands)
		return STATUS_OK;
	while (action < ARRAY_SIZE(actions) && strcmp(actions[action].name, *opts->operands))
		action++;
	if (action == ARRAY_SIZE(actions))
		return say_usage("control: unknown action '%s'; give disable or enable",
				 *opts->operands);
	if (opts->json)
		return say_usage("control: --json only lists counters; leave it out with disable and enable");
	if (opts->nr_operands < 2)
		return say_usage("control: %s needs a counter; name gp0, gp1, ... or fixed0, ...",
				 *opts->operands);
	opts->state = actions[action].state;
	return check_counters(opts);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct control_options opts = { 0 };
	int device, status = read_options(self, &opts, argc, argv);
	struct device_info info;
	struct message msg;

	if (!status)
		status = check_operands(&opts);
	if (status)
		return status;
	if (cpus_check(&opts.cpus, CPUS_DIRECTORY, &msg) == -EINVAL)
		return say_usage("%s", msg.text);
	device = open_device(&info, &msg);
	if (device < 0)
		return say_error("%s", msg.text);
	if (!(info.info.features & TPROF_LX_FEATURE_ROWS))
		status = say_error("the loaded module (version %s) does not list counters; update and reload it",
				   info.info.version);
	else if (opts.nr_operands)
		status = administer(device, &info, &opts);
	else
		status = list_rows(device, &info, &opts);
	close(device);
	return status;
}

const struct command control_command = {
	.name = "control",
	.summary = "list, disable and enable hardware counters",
	.operands = "[disable|enable COUNTER ...]",
	.text = "Without operands, lists the counters of each CPU and the tasks that use them.\n"
		"A disabled counter is given to no event until it is enabled again. COUNTER may be\n"
		"a pattern, such as 'gp*' or 'fixed[0-2]': what it fits is said before any changes.\n",
	.options = rows,
	.run = run,
};
