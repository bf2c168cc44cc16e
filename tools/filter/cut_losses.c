// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx filter - the lost samples of the output
 *
 * A LOST_SAMPLES record has a time: it belongs to the part that has this time. The ledger has
 * sums over all of the time. If a part of the time is taken, the sums of each event and CPU are
 * left out, and a line has the losses of the part instead: those that LOST_SAMPLES records in it
 * report, and those that no such record of the recording reports, as these may be from any time.
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <stdio.h>
#include <string.h>

#include "filter/cut.h"
#include "perfdata/ledger.h"
#include "perfdata/losses.h"

#define CGROUP_PATH	16

/* Append a line of the ledger, with the identifier @id. @fields are those of its trailer. */
static int add_line(struct cut *cut, u64 id, const char *line, const struct sample *fields)
{
	struct perf_event_header header = { .type = PERF_RECORD_CGROUP };
	size_t begin = cut->out.len, len = strlen(line) + 1;

	bytes_add(&cut->out, &header, sizeof(header));
	bytes_add_u64(&cut->out, id);
	bytes_add(&cut->out, line, len);
	bytes_extend(&cut->out, ALIGN_UP(len, 8) - len);
	cut_add_trailer(cut, fields);
	if (bytes_err(&cut->out))
		return -ENOMEM;
	header.size = cut->out.len - begin;
	memcpy(cut->out.data + begin, &header, sizeof(header));
	return 0;
}

/* Append a line of an event, which has the number @number in the output. */
static int add_renumbered(struct cut *cut, const struct record *record, const char *line,
			  u32 number)
{
	struct sample fields;
	char text[LEDGER_MAX];
	u64 cpu = 0;

	ledger_number(line, "cpu=", &cpu);
	if (layout_trailer(&record->event->layout, record->data, &fields) ||
	    ledger_set_event(line, number, text, sizeof(text)))
		return -EBADMSG;
	return add_line(cut, (u64)number << 32 | (u32)cpu, text, &fields);
}

/*
 * Append a line of the ledger, unless it is of an event or a CPU that is dropped. Lines about the
 * session stay. Return 0 or -errno.
 */
int cut_ledger(struct cut *cut, const struct record *record, const char *line)
{
	const struct gather_filter *filter = cut->filter;
	struct losses losses = { 0 };
	u64 event, cpu;

	if (!ledger_number(line, "event=", &event))
		return cut_append(cut, record);
	if (event >= cut->reader.nr_events)
		return -EBADMSG;
	if (cut->numbers[event] == EVENT_DROPPED)
		return 0;
	if (ledger_number(line, "cpu=", &cpu) && filter->cpus.bytes &&
	    !cpu_list_has(&filter->cpus, cpu))
		return 0;
	if (!cut_has_times(cut))
		return add_renumbered(cut, record, line, cut->numbers[event]);
	losses_update(&losses, record);
	cut->losses.ledger += losses.ledger;
	cut->losses.has_ledger = true;
	return 0;
}

/* Count the losses in @record, a LOST or LOST_SAMPLES record. Return true if it stays. */
bool cut_takes_loss(struct cut *cut, const struct record *record)
{
	u64 nr = record->header.type == PERF_RECORD_LOST_SAMPLES ? losses_in(record) : 0;

	if (cut_event(cut, record) == EVENT_DROPPED || !cut_takes_cpu(cut, record))
		return false;
	cut->losses.reported += nr;
	if (!cut_takes_time(cut, record))
		return false;
	cut->losses.inside += nr;
	return true;
}

/* After all records, append the line with the losses of the part. Return 0 or -ENOMEM. */
int cut_add_losses(struct cut *cut)
{
	const struct cut_losses *losses = &cut->losses;
	const struct sample fields = { .time = cut->latest };
	u64 unreported = 0;
	char line[128];

	if (!losses->has_ledger)
		return 0;
	if (losses->ledger > losses->reported)
		unreported = losses->ledger - losses->reported;
	snprintf(line, sizeof(line), TPROF_LX_LEDGER_PREFIX "filter lost_ring=%llu",
		 losses->inside + unreported);
	return add_line(cut, 0, line, &fields);
}
