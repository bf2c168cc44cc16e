// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find events by their names
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <linux/tprof_lx.h>

#include "events/catalog.h"
#include "events/event_modifiers.h"
#include "events/event_name.h"

#define GENERIC(name, alias, id, text) \
	{ name, alias, NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, text }

#define SOFTWARE(name, alias, type, config, text, ...) \
	{ name, alias, EVENT_SOFT, type, config, text },

static const struct event_name names[] = {
	{ .name = "nmi", .backend = "nmi" },
	{ .name = "timer", .alias = "cpu-clock", .backend = "timer" },
	{ .name = "tsc", .backend = "tsc", .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_REF_CPU_CYCLES },
	TPROF_LX_SOFT_EVENTS(SOFTWARE)
	GENERIC("cycles", "cpu-cycles", CPU_CYCLES, "cycles while the core was not halted"),
	GENERIC("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	GENERIC("cache-references", NULL, CACHE_REFERENCES, "accesses to the last-level cache"),
	GENERIC("cache-misses", NULL, CACHE_MISSES, "misses of the last-level cache"),
	GENERIC("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branches retired"),
	GENERIC("branch-misses", NULL, BRANCH_MISSES, "mispredicted branches retired"),
	GENERIC("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	GENERIC("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
		"cycles without fetched or decoded instructions"),
	GENERIC("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
		"cycles without executed or retired instructions"),
	GENERIC("ref-cycles", NULL, REF_CPU_CYCLES,
		"cycles not halted, at the rate of the time stamp counter"),
};

/*
 * Prefixes of perf's generic cache events, such as LLC-loads. perf translates their
 * names with a table for each CPU model. tprof-lx has no such tables and refuses the
 * names; the events of the model itself are available by name.
 */
static const char *const cache_events[] = {
	"L1-dcache-", "L1-icache-", "LLC-", "dTLB-", "iTLB-", "branch-load", "node-",
};

/* Return &names[@i], or NULL after the last entry. */
const struct event_name *event_name_at(size_t i)
{
	return i < ARRAY_SIZE(names) ? &names[i] : NULL;
}

/* Find a name or alias in names[]. */
const struct event_name *event_name_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i].name, name) ||
		    (names[i].alias && !strcmp(names[i].alias, name)))
			return &names[i];
	}
	return NULL;
}

/* perf's names for the counters of a processor, or of one kind of its cores. */
static const struct {
	const char *name;
	u32 cores;
} pmus[] = {
	{ "cpu", 0 },
	{ "cpu_core", TPROF_LX_EVENT_CPU_CORE },
	{ "cpu_atom", TPROF_LX_EVENT_CPU_ATOM },
};

/* Take a name of pmus[]. Its terms select what to count. */
static bool take_pmu(const char *name, struct event_spec *spec)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pmus); i++) {
		if (!strcmp(pmus[i].name, name)) {
			spec->cores = pmus[i].cores;
			return true;
		}
	}
	return false;
}

/* Return true if terms must select what the event counts. */
bool event_name_is_pmu(const char *name)
{
	struct event_spec ignored;

	return take_pmu(name, &ignored);
}

static void take_name(const struct event_name *name, struct event_spec *spec)
{
	snprintf(spec->backend, sizeof(spec->backend), "%s", name->backend ? name->backend : "");
	spec->type = name->type;
	spec->config = name->config;
}

/* Parse a raw event: the letter r, then the event select in hexadecimal. */
static bool take_raw(const char *name, struct event_spec *spec)
{
	size_t digits = name[0] == 'r' ? strspn(name + 1, "0123456789abcdefABCDEF") : 0;

	if (!digits || digits > 16 || name[1 + digits])
		return false;
	spec->config = strtoull(name + 1, NULL, 16);
	return true;
}

static void take_code(const struct catalog_code *code, struct event_spec *spec)
{
	spec->type = PERF_TYPE_RAW;
	spec->config = code->config;
	if (code->user != code->kernel) {
		spec->user = code->user;
		spec->kernel = code->kernel;
	}
	spec->guest = code->guest;
	spec->host = code->host;
}

/*
 * Encode an event in libpfm4's syntax. If that fails, try perf's syntax, in which
 * several modifiers may follow the last colon.
 */
static int encode(const struct catalog_model *model, char *text, struct event_spec *spec,
		  const char **modifiers, struct message *msg)
{
	struct catalog_code code;
	struct message second;
	char *colon;
	int err = catalog_encode(model, text, &code, msg);

	colon = strrchr(text, ':');
	if (err == -EINVAL && colon && event_has_modifiers_only(colon + 1)) {
		*colon = '\0';
		err = catalog_encode(model, text, &code, &second);
		*colon = ':';
		if (!err)
			*modifiers = colon + 1;
		else
			err = -EINVAL;
	}
	if (!err)
		take_code(&code, spec);
	return err;
}

static int take_hardware(char *text, struct event_spec *spec, const char **modifiers,
			 struct message *msg)
{
	struct catalog_model model = { .pmu = -1 };
	char *name = strstr(text, "::");
	int err = -ENOENT;

	if (name) {
		*name = '\0';
		if (!catalog_find_model(text, &model))
			return message_set(msg, -EINVAL,
					   "there is no CPU model '%s'; see tprof-lx list --cpu help",
					   text);
		if (!model.is_present)
			return message_set(msg, -EINVAL,
					   "event %s belongs to %s (%s), which this CPU is not",
					   name + 2, model.text, model.name);
		err = encode(&model, name + 2, spec, modifiers, msg);
		*name = ':';
		return err == -ENOENT ? event_name_unknown(name + 2, NULL, msg) : err;
	}
	while (err == -ENOENT && catalog_next_present(&model))
		err = encode(&model, text, spec, modifiers, msg);
	return err;
}

static int refuse_cache_event(const char *name, struct message *msg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cache_events); i++) {
		if (!strncmp(name, cache_events[i], strlen(cache_events[i])))
			return message_set(msg, -EINVAL,
					   "the generic cache event '%s' is not supported; choose an event of this CPU: tprof-lx list '*cache*' '*tlb*'",
					   name);
	}
	return 0;
}

/* Take a name that is in no table: it may name a back end of another module. */
static int take_backend(const char *text, struct event_spec *spec, struct message *msg)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
	int err = refuse_cache_event(text, msg);

	if (err)
		return err;
	if (!len || text[len] || len >= sizeof(spec->backend))
		return event_name_unknown(text, NULL, msg);
	strcpy(spec->backend, text);
	return 0;
}

/*
 * Find an event by name and set @spec to it. @text is the part of an event before
 * its first slash; this function may replace a colon in it by a zero byte. Set
 * @modifiers to the modifiers in @text that the caller must still parse, or to NULL.
 * Return 0, or set @msg and return -EINVAL.
 */
int event_name_resolve(char *text, struct event_spec *spec, const char **modifiers,
		       struct message *msg)
{
	const struct event_name *name;
	char *colon = strchr(text, ':');
	int err;

	spec->type = PERF_TYPE_RAW;
	if (colon)
		*colon = '\0';
	*modifiers = colon ? colon + 1 : NULL;
	if (!*text)
		return message_set(msg, -EINVAL, "the event has no name; see tprof-lx list");
	name = event_name_find(text);
	if (name)
		take_name(name, spec);
	if (name || take_raw(text, spec) || take_pmu(text, spec))
		return 0;

	if (colon)
		*colon = ':';
	*modifiers = NULL;
	err = take_hardware(text, spec, modifiers, msg);
	if (err != -ENOENT)
		return err;
	if (colon && event_has_modifiers_only(colon + 1)) {
		*colon = '\0';
		*modifiers = colon + 1;
	}
	return take_backend(text, spec, msg);
}

/*
 * Set @msg to say that there is no event @name, and to suggest close names. @backends is
 * NULL, or has the close names of back ends, so that @msg suggests them too. Return
 * -EINVAL.
 */
int event_name_unknown(const char *name, const struct suggestion *backends, struct message *msg)
{
	struct catalog_model model = { .pmu = -1 };
	struct suggestion search = { 0 };
	struct catalog_event event;
	char word[EVENT_NAME_LEN], near[256];
	size_t i;

	snprintf(word, sizeof(word), "%s", name);
	word[strcspn(word, ":.")] = '\0';
	if (backends)
		search = *backends;
	search.word = word;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		suggest_try(&search, names[i].name);
		if (names[i].alias)
			suggest_try(&search, names[i].alias);
	}
	while (catalog_next_present(&model)) {
		for (event.number = -1; catalog_next_event(&model, &event);)
			suggest_try(&search, event.name);
	}
	if (suggest_text(&search, near, sizeof(near)))
		return message_set(msg, -EINVAL, "there is no event '%s'; did you mean %s?", name,
				   near);
	return message_set(msg, -EINVAL, "there is no event '%s'; see tprof-lx list", name);
}
