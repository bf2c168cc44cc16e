// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - what happened in an interval, as the lines above the tables
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number_text.h"
#include "base/printable.h"
#include "top/status.h"

static void add(char *buf, size_t len, const char *format, ...) __printf(3, 4);

/* Append to the text in @buf. */
static void add(char *buf, size_t len, const char *format, ...)
{
	size_t used = strlen(buf);
	va_list args;

	va_start(args, format);
	vsnprintf(buf + used, len - used, format, args);
	va_end(args);
}

/* Append a cause with its count, unless it is 0. @nr is the number of causes so far. */
static void add_cause(char *buf, size_t len, u32 *nr, u64 count, const char *cause)
{
	char number[32];

	if (!count)
		return;
	add(buf, len, "%s%s %s", *nr ? ", " : "", count_text(count, number, sizeof(number)), cause);
	++*nr;
}

/* Return the number of samples a second. */
static u64 rate_of(const struct status *status)
{
	double seconds = (double)status->ns / NSEC_PER_SEC;

	return seconds ? status->samples / seconds + 0.5 : 0;
}

/* Return what top itself used, in percent of a CPU. */
static double own_percent(const struct status *status)
{
	return status->ns ? 100.0 * status->cpu_ns / status->ns : 0;
}

/* Append the number of samples, and how many of them are in which mode. */
static void add_samples(char *buf, size_t len, u64 samples, u64 kernel)
{
	char all[32], user[32], in_kernel[32];

	add(buf, len, "%s samples (%s user, %s kernel)", count_text(samples, all, sizeof(all)),
	    count_text(samples - kernel, user, sizeof(user)),
	    count_text(kernel, in_kernel, sizeof(in_kernel)));
}

static void describe_time(const struct status *status, char *buf, size_t len)
{
	time_t time = status->time;
	char clock[16], rate[32], unread[32], memory[32];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&time, &tm));
	add(buf, len, "%s  %.1f s: ", clock, (double)status->ns / NSEC_PER_SEC);
	add_samples(buf, len, status->samples, status->kernel);
	add(buf, len, ", %s a second; %s not read yet",
	    count_text(rate_of(status), rate, sizeof(rate)),
	    count_text(status->stats.ledger.queued, unread, sizeof(unread)));
	add(buf, len, "; top itself: %.1f %% of a CPU, %s",
	    own_percent(status), size_text(status->memory, memory, sizeof(memory)));
}

static void describe_losses(const struct status *status, char *buf, size_t len)
{
	u32 nr = 0;

	add(buf, len, "since the start: ");
	add_samples(buf, len, status->all_samples, status->all_kernel);
	add(buf, len, "; lost: ");
	add_cause(buf, len, &nr, status->stats.ledger.lost_ring, "samples by a full ring");
	add_cause(buf, len, &nr, status->left_out, "samples for lack of memory");
	add_cause(buf, len, &nr, status->stats.side_lost, "records about tasks and mappings");
	add_cause(buf, len, &nr, status->nr_binaries_left_out, "mappings of too many binaries");
	if (!nr)
		add(buf, len, "none");
}

/* Append what is counted and its count, unless it is 0. */
static void add_count(char *buf, size_t len, const char *what, u64 count)
{
	char number[32];

	if (count)
		add(buf, len, "%s%s: %s", *buf ? "; " : "", what,
		    count_text(count, number, sizeof(number)));
}

static void describe_symbols(const struct status *status, char *buf, size_t len)
{
	add_count(buf, len, "binaries that wait for their symbols", status->nr_waiting);
	add_count(buf, len, "binaries without symbols for lack of memory", status->nr_refused);
	add_count(buf, len, "samples of pauses (left out)", status->passed_over);
	add_count(buf, len, "samples later than requested (lower -F)",
		  status->stats.samples_slowed);
	add_count(buf, len, "events stopped by another program (tprof-lx info)",
		  status->stats.yields);
}

/* Append the counts of the interval, separated by commas. Return true if there are any. */
static bool add_counts(const struct counting *counting, char *buf, size_t len)
{
	const struct counted_event *event;
	char number[32];
	u32 i;

	for (i = 0; counting && i < counting->nr_events; i++) {
		event = &counting->events[i];
		add(buf, len, "%s", i ? ", " : "");
		if (counts_time(event))
			add(buf, len, "%.1f ms", event->cells[0].value / 1e6);
		else
			add(buf, len, "%s",
			    count_text(event->cells[0].value, number, sizeof(number)));
		add(buf, len, " %s", printable(event->name));
	}
	return i;
}

static void describe_counts(const struct status *status, char *buf, size_t len)
{
	add(buf, len, "counts: ");
	if (!add_counts(status->counting, buf, len))
		*buf = '\0';
}

/*
 * Make the first line of a screen: the essence of all lines, which should fit 80 columns
 * without counts.
 */
void status_title(const struct status *status, const char *event, char *buf, size_t len)
{
	char rate[32], unread[32], lost[32], samples[32], counts[STATUS_LEN] = "; ";

	if (!add_counts(status->counting, counts, sizeof(counts)))
		*counts = '\0';
	snprintf(buf, len, "%s: %s samples, %s/s%s; unread %s, lost %s; top %.1f %% CPU",
		 printable(event), count_text(status->samples, samples, sizeof(samples)),
		 count_text(rate_of(status), rate, sizeof(rate)), counts,
		 count_text(status->stats.ledger.queued, unread, sizeof(unread)),
		 count_text(status->stats.ledger.lost_ring + status->left_out, lost, sizeof(lost)),
		 own_percent(status));
}

/* Make line @at of STATUS_LINES. A line may be empty. */
const char *status_line(const struct status *status, u32 at, char *buf, size_t len)
{
	*buf = '\0';
	if (at == 0)
		describe_time(status, buf, len);
	else if (at == 1)
		describe_losses(status, buf, len);
	else if (at == 2)
		describe_symbols(status, buf, len);
	else
		describe_counts(status, buf, len);
	return buf;
}
