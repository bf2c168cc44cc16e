// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print the counts of threads
 *
 * The text is the table of perf report -T, with the names of the threads at the end.
 */
#include <string.h>

#include "base/printable.h"
#include "report/report_threads.h"

#define ID_WIDTH	7
#define COUNT_WIDTH	15

/* Print the heading. Set @widths to the widths of the columns, 0 for an event without counts. */
static void print_heading(FILE *out, const struct thread_counts *counts, int *widths)
{
	const char *name;
	int len;
	u32 event;

	fprintf(out, "#\n#%*s %*s", ID_WIDTH, "PID", ID_WIDTH, "TID");
	for (event = 0; event < THREAD_COUNTS_EVENTS; event++) {
		widths[event] = 0;
		if (!counts->events[event])
			continue;
		name = printable(counts->events[event]);
		len = strlen(name);
		widths[event] = len > COUNT_WIDTH ? len : COUNT_WIDTH;
		fprintf(out, " %*s", widths[event], name);
	}
	fputs("  comm\n", out);
}

static void print_thread(FILE *out, const struct thread_count *thread, const int *widths)
{
	u32 event;

	fprintf(out, " %*d %*d", ID_WIDTH, thread->pid, ID_WIDTH, thread->tid);
	for (event = 0; event < THREAD_COUNTS_EVENTS; event++) {
		if (widths[event])
			fprintf(out, " %*llu", widths[event], thread->values[event]);
	}
	fprintf(out, "  %s\n", printable(thread->comm));
}

void report_threads_text(FILE *out, const struct thread_counts *counts)
{
	int widths[THREAD_COUNTS_EVENTS];
	size_t i;

	print_heading(out, counts, widths);
	for (i = 0; i < counts->table.nr; i++)
		print_thread(out, counts->sorted[i], widths);
}

void report_threads_json(struct json *json, const struct thread_counts *counts)
{
	const struct thread_count *thread;
	size_t i;
	u32 event;

	json_begin(json, "threads", '[');
	for (i = 0; i < counts->table.nr; i++) {
		thread = counts->sorted[i];
		json_begin(json, NULL, '{');
		json_s64(json, "pid", thread->pid);
		json_s64(json, "tid", thread->tid);
		json_string(json, "comm", thread->comm);
		json_begin(json, "counts", '{');
		for (event = 0; event < THREAD_COUNTS_EVENTS; event++) {
			if (counts->events[event])
				json_u64(json, counts->events[event], thread->values[event]);
		}
		json_end(json, '}');
		json_end(json, '}');
	}
	json_end(json, ']');
}
