// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx list - list the events that can be recorded
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/event_help.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "events/event_attr.h"
#include "show/list.h"

/**
 * struct list_options - the parsed command line
 * @view:	--json, --names, or NULL
 * @model:	--cpu
 */
struct list_options {
	const struct list_view *view;
	const char *model;
};

static void show_backends(struct list *list, const struct list_view *view,
			  const struct device_info *info)
{
	const struct tprof_lx_backend *backend;
	const struct event_name *name;
	const char *alias;
	u32 i;

	for (i = 0; i < info->info.nr_backends; i++) {
		backend = &info->backends[i];
		name = event_name_find(backend->name);
		alias = name ? name->alias : NULL;
		if (!list_fits(list, backend->name, NULL) &&
		    !(alias && list_fits(list, alias, NULL)))
			continue;
		view->backend(backend, alias);
		list->matches++;
	}
}

/**
 * struct machine - what the module of this machine has
 * @info:	result of INFO
 * @names:	result of NAMES
 * @nr_names:	number of @names; 0 if the module is older than NAMES
 */
struct machine {
	struct device_info info;
	struct tprof_lx_name names[TPROF_LX_MAX_NAMES];
	u32	nr_names;
};

static bool has_counters(const struct machine *machine)
{
	return event_counters(machine->info.backends, machine->info.info.nr_backends);
}

/* Return the module's description of an event, or NULL if it has none. */
static const struct tprof_lx_name *find_here(const struct machine *machine,
					     const struct event_name *name)
{
	const struct tprof_lx_name *here = machine->names;

	for (; here < machine->names + machine->nr_names; here++) {
		if (!strcmp(here->backend, name->backend) && !strcmp(here->name, name->name))
			return here;
	}
	return NULL;
}

/*
 * Return true if show_names() shows an event: all if @machine is NULL, else those that
 * this machine has. An event without a text of its own is shown with the back ends. Set
 * @is_counted_only if it can take no samples.
 */
static bool is_here(const struct event_name *name, const struct machine *machine,
		    bool *is_counted_only)
{
	const struct tprof_lx_name *here;

	*is_counted_only = false;
	if (!machine)
		return true;
	if (!name->backend)
		return has_counters(machine);
	if (!name->text || !device_has_backend(&machine->info, name->backend))
		return false;
	if (!machine->nr_names)
		return true;
	here = find_here(machine, name);
	*is_counted_only = here && !(here->flags & TPROF_LX_NAME_SAMPLES);
	return here && here->flags & TPROF_LX_NAME_HERE;
}

static void show_if_fits(struct list *list, const struct list_view *view,
			 const struct event_name *name, bool is_counted_only)
{
	if (!list_fits(list, name->name, NULL) &&
	    !(name->alias && list_fits(list, name->alias, NULL)))
		return;
	view->name(name, is_counted_only);
	list->matches++;
}

/*
 * Show an event that a newer module or a back end of another module has: by the terms with which
 * -e accepts it.
 */
static void show_unknown(struct list *list, const struct list_view *view,
			 const struct tprof_lx_name *here)
{
	char terms[TPROF_LX_NAME_LEN + 40];
	struct event_name name = {
		.name = terms,
		.alias = here->name,
		.backend = here->backend,
		.text = here->text,
	};

	snprintf(terms, sizeof(terms), "%.*s/config=%llu/", TPROF_LX_NAME_LEN, here->backend,
		 here->config);
	show_if_fits(list, view, &name, !(here->flags & TPROF_LX_NAME_SAMPLES));
}

/* Show the events of the module that event_name_find() does not know. */
static void show_unknown_names(struct list *list, const struct list_view *view,
			       const struct machine *machine)
{
	const struct tprof_lx_name *here = machine->names;

	for (; here < machine->names + machine->nr_names; here++) {
		if (here->type == PERF_TYPE_RAW && here->flags & TPROF_LX_NAME_HERE &&
		    !event_name_find(here->name))
			show_unknown(list, view, here);
	}
}

/* Show the events that have the same name on every machine. */
static void show_names(struct list *list, const struct list_view *view,
		       const struct machine *machine)
{
	const struct event_name *name;
	bool is_counted_only;
	size_t i;

	for (i = 0; (name = event_name_at(i)); i++) {
		if (is_here(name, machine, &is_counted_only))
			show_if_fits(list, view, name, is_counted_only);
	}
}

static bool event_fits(const struct list *list, const struct catalog_event *event)
{
	struct catalog_umask umask;
	int at = -1;

	return list_fits(list, event->name, NULL) || list_next_umask(list, event, &at, &umask);
}

static void show_model(struct list *list, const struct list_view *view,
		       const struct catalog_model *model)
{
	struct catalog_event event = { .number = -1 };
	bool told = false;

	while (catalog_next_event(model, &event)) {
		if (!event_fits(list, &event))
			continue;
		if (!told)
			view->model(model);
		told = true;
		view->event(list, model, &event);
		list->matches++;
	}
}

static void print_models(FILE *out)
{
	struct catalog_model model = { .pmu = -1 };

	while (catalog_next_model(&model))
		fprintf(out, "  %-26s %s%s\n", model.name, model.text,
			model.is_present ? " (this machine)" : "");
}

static int unknown_model(const char *name)
{
	struct suggestion search = { .word = name };
	struct catalog_model model = { .pmu = -1 };
	char near[128];

	while (catalog_next_model(&model))
		suggest_try(&search, model.name);
	if (suggest_text(&search, near, sizeof(near)))
		say_error("list: there is no CPU model '%s'; did you mean %s? These are known:",
			  name, near);
	else
		say_error("list: there is no CPU model '%s'; these are known:", name);
	print_models(stderr);
	return STATUS_USAGE;
}

/* Show the events of this processor. Use a fallback model only if there is no other. */
static void show_processor(struct list *list, const struct list_view *view)
{
	struct catalog_model model = { .pmu = -1 };
	bool is_known = false;

	while (catalog_next_present(&model))
		is_known |= !model.is_fallback;
	for (model.pmu = -1; catalog_next_present(&model);) {
		if (!is_known || !model.is_fallback)
			show_model(list, view, &model);
	}
}

/* Read what the module has. Return 0, or set @msg and return -errno. */
static int read_machine(struct machine *machine, struct message *msg)
{
	int fd = open_device(&machine->info, msg);

	machine->nr_names = 0;
	if (fd < 0)
		return fd;
	if (machine->info.info.features & TPROF_LX_FEATURE_NAMES)
		device_names(fd, machine->names, ARRAY_SIZE(machine->names), &machine->nr_names);
	close(fd);
	return 0;
}

/* Show the back ends and, if there are counters, the events of this processor. */
static int show_machine(struct list *list, const struct list_view *view)
{
	static struct machine machine;
	struct message msg;
	int err = read_machine(&machine, &msg);

	if (err && view == &list_names_view) {
		/* Shell completion needs names even without access to the device. */
		show_names(list, view, NULL);
		show_processor(list, view);
		return STATUS_OK;
	}
	if (err)
		return say_error("%s", msg.text);
	view->begin();
	show_backends(list, view, &machine.info);
	show_unknown_names(list, view, &machine);
	show_names(list, view, &machine);
	if (has_counters(&machine))
		show_processor(list, view);
	view->end();
	fflush(stdout);
	if (!has_counters(&machine))
		say_note("there are no hardware events: %s; list --cpu MODEL shows those of a CPU",
			 event_why_no_counters());
	return STATUS_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct list_options opts = { 0 };
	int operand = options_parse(self, &opts, argc, argv);
	struct list list = { .globs = argv + operand, .nr_globs = argc - operand };
	const struct list_view *view = opts.view ? opts.view : &list_text_view;
	struct catalog_model model;
	int status = STATUS_OK;

	if (opts.model && !strcmp(opts.model, "help")) {
		print_models(stdout);
		return STATUS_OK;
	}
	if (opts.model && !catalog_find_model(opts.model, &model))
		return unknown_model(opts.model);
	if (opts.model) {
		view->begin();
		show_model(&list, view, &model);
		view->end();
	} else {
		status = show_machine(&list, view);
	}
	if (!status && list.nr_globs && !list.matches)
		status = say_error("list: no event fits '%s'%s", list.globs[0],
				   list.nr_globs > 1 ? " or the others" : "");
	return status;
}

#define ROW(...) OPTION_ROW(struct list_options, __VA_ARGS__)

static const struct option_row rows[] = {
	ROW(0, "cpu", "MODEL", option_text, model,
	    "list events of CPU model MODEL, such as skx; 'help' lists the models"),
	ROW(0, "json", NULL, option_choice, view, "print JSON", .choice = &list_json_view),
	ROW(0, "names", NULL, option_choice, view,
	    "print only names of events, one per line, also without the module",
	    .choice = &list_names_view),
	{ 0 }
};

const struct command list_command = {
	.name = "list",
	.summary = "list the events that can be recorded",
	.operands = "[GLOB ...]",
	.text = "Shows clocks and counters of the module, perf's generic events, and the events\n"
		"of this processor with their unit masks. GLOB selects by name, as in\n"
		"'*branch*' or 'INST_RETIRED:*'; a plain word matches any part of a name.\n",
	.more_help = event_help,
	.options = rows,
	.run = run,
};
