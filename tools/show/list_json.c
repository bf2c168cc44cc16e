// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx list - print events as a JSON array, each with its kind
 */
#include "base/json.h"
#include "show/list.h"

static struct json json;

static void begin(void)
{
	json = (struct json){ .out = stdout, .indent = true, .first = true };
	json_begin(&json, NULL, '[');
}

static void end(void)
{
	json_end(&json, ']');
}

static void show_aliases(const char *alias)
{
	json_begin(&json, "aliases", '[');
	if (alias)
		json_string(&json, NULL, alias);
	json_end(&json, ']');
}

static void show_backend(const struct tprof_lx_backend *backend, const char *alias)
{
	const char *flag;
	size_t i = 0;

	json_begin(&json, NULL, '{');
	json_string(&json, "name", backend->name);
	json_string(&json, "kind", "backend");
	show_aliases(alias);
	json_begin(&json, "flags", '[');
	while ((flag = list_flag_at(backend->flags, &i)))
		json_string(&json, NULL, flag);
	json_end(&json, ']');
	json_u64(&json, "min_period", backend->min_period);
	json_u64(&json, "max_period", backend->max_period);
	json_u64(&json, "counters", backend->nr_counters);
	json_u64(&json, "counter_bits", backend->counter_bits);
	json_u64(&json, "events_in_use", backend->nr_events);
	json_string(&json, "text", backend->text);
	json_end(&json, '}');
}

static void show_name(const struct event_name *name, bool is_counted_only)
{
	json_begin(&json, NULL, '{');
	json_string(&json, "name", name->name);
	json_string(&json, "kind", name->backend ? "software" : "generic");
	show_aliases(name->alias);
	json_bool(&json, "samples", !is_counted_only);
	json_string(&json, "text", name->text);
	json_end(&json, '}');
}

static void show_model(const struct catalog_model *model)
{
	/* Nothing to print: each event names its model. */
	(void)model;
}

static void show_umasks(const struct list *list, const struct catalog_event *event)
{
	struct catalog_umask umask;
	int at = -1;

	json_begin(&json, "umasks", '[');
	while (list_next_umask(list, event, &at, &umask)) {
		json_begin(&json, NULL, '{');
		json_string(&json, "name", umask.name);
		json_bool(&json, "default", umask.is_default);
		json_hex(&json, "code", umask.code);
		json_string(&json, "text", umask.text);
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

static void show_event(const struct list *list, const struct catalog_model *model,
		       const struct catalog_event *event)
{
	json_begin(&json, NULL, '{');
	json_string(&json, "name", event->name);
	json_string(&json, "kind", "hardware");
	json_string(&json, "model", model->name);
	if (event->same_as)
		json_string(&json, "same_as", event->same_as);
	json_hex(&json, "code", event->code);
	json_string(&json, "text", event->text);
	show_umasks(list, event);
	json_end(&json, '}');
}

const struct list_view list_json_view = {
	.begin = begin,
	.backend = show_backend,
	.name = show_name,
	.model = show_model,
	.event = show_event,
	.end = end,
};
