// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - parse the terms of an event, which are between its slashes
 *
 * The terms that set bits of the event select have the same names and bits as in perf.
 * The module refuses bits that the CPU does not have.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "events/event_name.h"
#include "events/event_terms.h"

#define SELECT_EDGE	(1ULL << 18)
#define SELECT_PIN	(1ULL << 19)
#define SELECT_ANY	(1ULL << 21)
#define SELECT_INV	(1ULL << 23)
#define SELECT_EQ	(1ULL << 36)

/**
 * struct term - a kind of term
 * @name:	its name
 * @set:	stores a value in @spec
 * @max:	largest value that @set takes
 * @bit:	for set_flag(): bit of the term in attr.config
 * @needs_value: the term must have a value
 * @selects:	the term selects what to count
 */
struct term {
	const char *name;
	void	(*set)(const struct term *term, u64 value, struct event_spec *spec);
	u64	max;
	u64	bit;
	bool	needs_value;
	bool	selects;
};

static void set_period(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->period = value;
}

static void set_freq(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->freq = value;
}

static void set_random(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->random = value;
}

static void set_config(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->config = value;
}

/* Bits 8 to 11 of the event code, which only AMD has, are bits 32 to 35 of the config. */
static void set_event(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->config &= ~0xf000000ffULL;
	spec->config |= (value & 0xff) | (value & 0xf00) << 24;
}

/* Bits 8 to 15 of the unit mask, which Intel has from version 6 on, are bits 40 to 47. */
static void set_umask(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->config &= ~0xff000000ff00ULL;
	spec->config |= (value & 0xff) << 8 | (value & 0xff00) << 32;
}

static void set_cmask(const struct term *term, u64 value, struct event_spec *spec)
{
	(void)term;
	spec->config = (spec->config & ~0xff000000ULL) | value << 24;
}

static void set_flag(const struct term *term, u64 value, struct event_spec *spec)
{
	spec->config = value ? spec->config | term->bit : spec->config & ~term->bit;
}

static const struct term terms[] = {
	{ "period", set_period, ~0ULL, 0, true, false },
	{ "freq", set_freq, ~0ULL, 0, true, false },
	{ "random", set_random, 1, 0, false, false },
	{ "config", set_config, ~0ULL, 0, true, true },
	{ "event", set_event, 0xfff, 0, true, true },
	{ "umask", set_umask, 0xffff, 0, true, true },
	{ "cmask", set_cmask, 0xff, 0, true, true },
	{ "edge", set_flag, 1, SELECT_EDGE, false, true },
	{ "pc", set_flag, 1, SELECT_PIN, false, true },
	{ "any", set_flag, 1, SELECT_ANY, false, true },
	{ "inv", set_flag, 1, SELECT_INV, false, true },
	{ "eq", set_flag, 1, SELECT_EQ, false, true },
};

/* Terms of perf that are not supported, and why. */
static const struct {
	const char *name;
	const char *refusal;
} refused[] = {
	{ "config1", "this version programs no register besides the counter's own" },
	{ "config2", "this version programs no register besides the counter's own" },
	{ "offcore_rsp", "this version programs no register besides the counter's own" },
	{ "ldlat", "this version programs no register besides the counter's own" },
	{ "frontend", "this version programs no register besides the counter's own" },
	{ "in_tx", "events cannot be limited to transactions" },
	{ "in_tx_cp", "events cannot be limited to transactions" },
	{ "percore", "events count on CPUs, not on cores" },
	{ "call-graph", "all events of a session have the same call chains; use -g" },
	{ "time", "every sample has the time" },
};

static int unknown_term(const char *name, struct message *msg)
{
	struct suggestion search = { .word = name };
	char near[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		if (!strcmp(refused[i].name, name))
			return message_set(msg, -EINVAL, "the event term '%s' is not supported: %s",
					   name, refused[i].refusal);
	}
	for (i = 0; i < ARRAY_SIZE(terms); i++)
		suggest_try(&search, terms[i].name);
	suggest_try(&search, "name");
	suggest_try(&search, "cpu");
	if (suggest_text(&search, near, sizeof(near)))
		return message_set(msg, -EINVAL, "there is no event term '%s'; did you mean %s?",
				   name, near);
	return message_set(msg, -EINVAL,
			   "there is no event term '%s'; the terms are event, umask, cmask, inv, eq, edge, any, pc, config, period, freq, random, cpu and name",
			   name);
}

static int take_number(const struct term *term, const char *value, struct event_spec *spec,
		       struct message *msg)
{
	u64 number = 1;

	if (!value && term->needs_value)
		return message_set(msg, -EINVAL, "event term %s needs a number: %s=0x10",
				   term->name, term->name);
	if (value && parse_u64(value, &number))
		return message_set(msg, -EINVAL, "event term %s: '%s' is not a number", term->name,
				   value);
	if (number > term->max)
		return message_set(msg, -EINVAL, "event term %s must be at most 0x%llx", term->name,
				   term->max);
	if (!number && (term->set == set_period || term->set == set_freq))
		return message_set(msg, -EINVAL, "event term %s must be 1 or more", term->name);
	term->set(term, number, spec);
	spec->has_config |= term->selects;
	return 0;
}

static int take_name(const char *value, struct event_spec *spec, struct message *msg)
{
	if (!value || !*value)
		return message_set(msg, -EINVAL, "event term name needs a name: name=mine");
	snprintf(spec->name, sizeof(spec->name), "%s", value);
	return 0;
}

/* Take CPUs such as 0-3. Several terms add up, since a comma ends a term. */
static int take_cpus(const char *value, struct event_spec *spec, struct message *msg)
{
	struct cpu_list cpus;
	u32 i;

	if (!value || parse_cpu_list(value, &cpus))
		return message_set(msg, -EINVAL,
				   "event term cpu needs CPUs: cpu=0-3 or cpu=0,cpu=2");
	for (i = 0; i < cpus.bytes; i++)
		spec->cpus.bits[i] |= cpus.bits[i];
	if (spec->cpus.bytes < cpus.bytes)
		spec->cpus.bytes = cpus.bytes;
	return 0;
}

/*
 * Take a term that is the name of an event, as in cpu/instructions/ and in
 * cpu/INST_RETIRED:ANY_P/. perf accepts it too.
 */
static bool take_event(char *text, struct event_spec *spec)
{
	struct event_spec found = *spec;
	const char *modifiers;
	struct message ignored;

	if (spec->has_config || event_name_is_pmu(text) ||
	    event_name_resolve(text, &found, &modifiers, &ignored) || found.backend[0] || modifiers)
		return false;
	*spec = found;
	spec->has_config = true;
	return true;
}

static int take_term(char *text, bool may_select, struct event_spec *spec, struct message *msg)
{
	char *value = strchr(text, '=');
	size_t i;

	if (value)
		*value++ = '\0';
	if (!strcmp(text, "name"))
		return take_name(value, spec, msg);
	if (!strcmp(text, "cpu"))
		return take_cpus(value, spec, msg);
	for (i = 0; i < ARRAY_SIZE(terms) && strcmp(terms[i].name, text); i++)
		;
	if (i == ARRAY_SIZE(terms)) {
		if (!value && may_select && take_event(text, spec))
			return 0;
		return unknown_term(text, msg);
	}
	if (terms[i].selects && !may_select)
		return message_set(msg, -EINVAL,
				   "the event already selects what to count and takes no term %s; write cpu/event=...,%s=.../",
				   text, text);
	if (terms[i].selects && spec->type != PERF_TYPE_RAW)
		return message_set(msg, -EINVAL,
				   "an event with a name takes no term %s", text);
	return take_number(&terms[i], value, spec, msg);
}

/*
 * Parse the terms of an event. @text has the terms separated by commas, and is modified.
 * @may_select allows terms that select what to count. Return 0, or set @msg and return
 * -EINVAL.
 */
int event_terms(char *text, bool may_select, struct event_spec *spec, struct message *msg)
{
	char *term, *rest;
	int err;

	for (term = strtok_r(text, ",", &rest); term; term = strtok_r(NULL, ",", &rest)) {
		err = take_term(term, may_select, spec, msg);
		if (err)
			return err;
	}
	if (spec->period && spec->freq)
		return message_set(msg, -EINVAL,
				   "event %s has both a period and a frequency; give one of them",
				   spec->name);
	return 0;
}
