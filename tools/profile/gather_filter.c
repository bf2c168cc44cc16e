// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - filter samples
 */
#include <string.h>

#include "profile/gather_filter.h"

static bool has_pid(const struct pid_list *pids, u32 pid)
{
	u32 i;

	for (i = 0; i < pids->nr; i++) {
		if ((u32)pids->pids[i] == pid)
			return true;
	}
	return !pids->nr;
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	/* A name may contain commas, so the whole list may be a single name. */
	if (!strcmp(list, word))
		return true;
	for (at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, word, len) && (at[len] == ',' || !at[len]))
			return true;
	}
	return false;
}

/* Return the mask of PERF_SAMPLE_* fields that the filter reads. */
u64 filter_fields(const struct gather_filter *filter)
{
	u64 fields = 0;

	if (filter->pids.nr || filter->tids.nr || filter->comms)
		fields |= PERF_SAMPLE_TID;
	if (filter->cpus.bytes)
		fields |= PERF_SAMPLE_CPU;
	if (filter->from || filter->to)
		fields |= PERF_SAMPLE_TIME;
	return fields;
}

bool filter_takes_event(const struct gather_filter *filter, const char *event)
{
	return !filter->events || has_word(filter->events, event);
}

bool filter_takes_thread(const struct gather_filter *filter, u32 pid, u32 tid)
{
	return has_pid(&filter->pids, pid) && has_pid(&filter->tids, tid);
}

bool filter_takes_name(const struct gather_filter *filter, const char *comm)
{
	return !filter->comms || has_word(filter->comms, comm);
}

static bool takes_mode(const struct gather_filter *filter, u16 misc)
{
	u16 mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return (!filter->user_only || mode == PERF_RECORD_MISC_USER) &&
	       (!filter->kernel_only || mode == PERF_RECORD_MISC_KERNEL);
}

/*
 * Check the conditions that need no symbol. @misc is that of the record. Return false if the
 * sample must be dropped.
 */
bool filter_takes(const struct gather_filter *filter, const struct sample *sample, u16 misc)
{
	return takes_mode(filter, misc) && filter_takes_thread(filter, sample->pid, sample->tid) &&
	       (!filter->cpus.bytes || cpu_list_has(&filter->cpus, sample->cpu)) &&
	       sample->time >= filter->from && (!filter->to || sample->time <= filter->to);
}

/*
 * Return true if @hit gets an entry. A sample without an entry still counts in the
 * total that percentages refer to.
 */
bool filter_shows(const struct gather_filter *filter, const struct hit *hit)
{
	const struct object *object = hit->spot.object;
	const struct symbol *symbol = hit->spot.symbol;

	if (!filter_takes_name(filter, hit->comm))
		return false;
	if (filter->dsos && !has_word(filter->dsos, object->short_name) &&
	    !has_word(filter->dsos, object->name))
		return false;
	return !filter->syms || (symbol->name && has_word(filter->syms, symbol->name));
}
