// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - how far samples are from the instructions that caused them
 */
#include <linux/perf_event.h>
#include <linux/tprof_lx.h>
#include <string.h>

#include "annotate/skid.h"

static const struct skid at_nmi = {
	"interrupted", "are at the instruction that the NMI interrupted, which ran next"
};

static const struct skid at_timer = {
	"enabled", "are where interrupts were on: time with interrupts off is counted after it"
};

static const struct skid after_cause = {
	"skid", "are after the instruction that caused them, mostly at the next one (skid)"
};

static const struct skid at_cause = {
	"precise", "are at the instruction that caused them (precise)"
};

static const struct skid at_call = { "exact", NULL };

/* Return true if the name of an event, without its modifiers, is @name. */
static bool is_named(const char *event, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(event, name, len) &&
	       (!event[len] || event[len] == ':' || event[len] == '/');
}

/* Return true for a software event of tprof-lx that has the type of hardware events. */
static bool is_soft(const struct reader_event *event)
{
#define NAME(name, ...)	name,
	static const char *const names[] = { TPROF_LX_SOFT_EVENTS(NAME) };
#undef NAME
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (is_named(event->name, names[i]))
			return true;
	}
	return false;
}

/* Return how far the samples of @event are from their causes. */
const struct skid *skid_of(const struct reader_event *event)
{
	const struct perf_event_attr *attr = &event->layout.attr;

	switch (attr->type) {
	case PERF_TYPE_SOFTWARE:
		if (attr->config != PERF_COUNT_SW_CPU_CLOCK &&
		    attr->config != PERF_COUNT_SW_TASK_CLOCK)
			return &at_call;
		return is_named(event->name, "nmi") ? &at_nmi : &at_timer;
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return &at_call;
	default:
		if (attr->type == PERF_TYPE_RAW && is_soft(event))
			return &at_call;
		return attr->precise_ip > 1 ? &at_cause : &after_cause;
	}
}
