// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - events that measure time, the state of a thread during a wait, and wakeups
 */
#include <ctype.h>
#include <string.h>

#include <linux/tprof_lx.h>

#include "base/load.h"
#include "perfdata/waits.h"

/* Return true if @name is @word, or continues it with terms or modifiers. */
static bool is_named(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) && !isalnum((unsigned char)name[len]) &&
	       name[len] != '-' && name[len] != '_';
}

/*
 * Return true for an event of the back end `soft`. An event of a hardware counter may have the
 * same type and config, but not this field, and not this name.
 */
static bool is_soft(const struct reader_event *event, u64 config, const char *name)
{
	const struct perf_event_attr *attr = &event->layout.attr;

	return attr->type == PERF_TYPE_RAW && attr->config == config &&
	       (attr->sample_type & PERF_SAMPLE_RAW || is_named(event->name, name));
}

/* Return true for event wakeups. */
bool event_wakes(const struct reader_event *event)
{
	return is_soft(event, TPROF_LX_SOFT_WAKEUPS, "wakeups");
}

/* Return what the periods of an event are. perf's own time off CPU is known, too. */
enum event_time event_time(const struct reader_event *event)
{
	const struct perf_event_attr *attr = &event->layout.attr;

	if (is_soft(event, TPROF_LX_SOFT_OFF_CPU, "off-cpu"))
		return TIME_OFF_CPU;
	if (attr->type != PERF_TYPE_SOFTWARE)
		return TIME_NONE;
	if (attr->config == PERF_COUNT_SW_BPF_OUTPUT && is_named(event->name, "offcpu-time"))
		return TIME_OFF_CPU;
	if (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK)
		return TIME_ON_CPU;
	return TIME_NONE;
}

#define RUNNABLE	"runnable"

static const char *state_word(u32 letter)
{
	static const struct {
		char letter;
		const char *word;
	} states[] = {
		{ 'R', RUNNABLE },
		{ 'S', "sleeping" },
		{ 'D', "uninterruptible" },
		{ 'T', "stopped" },
		{ 't', "traced" },
		{ 'P', "parked" },
		{ 'I', "idle" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		if ((u32)states[i].letter == letter)
			return states[i].word;
	}
	return "unknown";
}

/*
 * Return the state in which the thread of a sample waited, or "running" if the sample's event
 * does not measure time off CPU. layout_sample() has read the sample.
 */
const char *wait_state(const struct reader_event *event, const struct sample *sample)
{
	if (event_time(event) != TIME_OFF_CPU)
		return "running";
	if (!(sample->fields & PERF_SAMPLE_RAW) || sample->raw_size != sizeof(u32))
		return "unknown";
	return state_word(load_u32(sample->raw));
}

/* Return true if a thread in this wait_state() waited for a CPU only, so nothing woke it. */
bool wait_needs_no_waker(const char *state)
{
	return !strcmp(state, RUNNABLE);
}

/* Return the id of the thread that is woken, or 0 if the sample of event_wakes() lacks it. */
u32 wake_thread(const struct sample *sample)
{
	bool has_thread = sample->fields & PERF_SAMPLE_RAW && sample->raw_size == sizeof(u32);

	return has_thread ? load_u32(sample->raw) : 0;
}
