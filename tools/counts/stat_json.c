// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - print JSON, one object per line
 *
 * Each count is an object, and the last object has the times. If a count is missing, its
 * member "state" says why.
 */
#include "base/json.h"
#include "counts/stat_output.h"

static const char *const states[] = {
	[COUNTED] = "counted",
	[COUNTED_NOT] = "not counted",
	[COUNTED_UNKNOWN] = "not supported",
};

static void print_thread(struct json *json, const struct thread_row *row, bool is_process)
{
	static const char *const kinds[] = {
		[ROW_THREAD] = "thread",
		[ROW_EXITED] = "exited",
		[ROW_UNATTRIBUTED] = "unattributed",
		[ROW_OTHERS] = "others",
	};

	is_process = is_process && row->kind == ROW_THREAD;
	json_string(json, "row", is_process ? "process" : kinds[row->kind]);
	if (is_process || row->kind == ROW_EXITED || row->kind == ROW_OTHERS)
		json_u64(json, "threads", row->nr);
	if (row->kind != ROW_THREAD)
		return;
	/* perf does not write to its files of which process a thread was. */
	if (row->thread.pid)
		json_s64(json, "pid", row->thread.pid);
	if (!is_process)
		json_s64(json, "tid", row->thread.tid);
	json_string(json, "comm", row->thread.comm);
	json_bool(json, "exited", row->thread.flags & TPROF_LX_THREAD_EXITED);
}

static void print_object(const struct stat_output *output, const struct stat_line *line)
{
	struct json json = { .out = output->out, .first = true };

	json_begin(&json, NULL, '{');
	if (output->intervals)
		json_fixed(&json, "time", (double)line->time / NSEC_PER_SEC, 9);
	if (output->per_cpu)
		json_u64(&json, "cpu", line->cpu);
	if (output->per_thread)
		print_thread(&json, line->thread, output->counting->by_process);
	json_string(&json, "event", line->event->name);
	json_string(&json, "state", states[line->event->state]);
	if (line->event->state == COUNTED) {
		json_fixed(&json, "count", line->count, output->repeated ? 2 : 0);
		if (counts_time(line->event))
			json_string(&json, "unit", "ns");
		if (output->repeated)
			json_fixed(&json, "deviation_percent", line->deviation, 2);
		json_fixed(&json, "ran_ns", line->ran_ns, 0);
		if (line->missed_ns)
			json_fixed(&json, "missed_ns", line->missed_ns, 0);
		if (line->yields)
			json_u64(&json, "yields", line->yields);
	}
	if (line->metric.unit) {
		json_fixed(&json, "metric", line->metric.value, line->metric.digits);
		json_string(&json, "metric_unit", line->metric.unit);
	}
	json_end(&json, '}');
}

static void print_times(const struct stat_output *output, const struct stat_times *times)
{
	struct json json = { .out = output->out, .first = true };

	json_begin(&json, NULL, '{');
	json_u64(&json, "runs", times->elapsed.nr);
	json_fixed(&json, "elapsed_seconds", times->elapsed.mean, 9);
	if (output->repeated)
		json_fixed(&json, "elapsed_deviation_percent",
			   statistics_deviation(&times->elapsed), 2);
	if (times->user.nr) {
		json_fixed(&json, "user_seconds", times->user.mean, 6);
		json_fixed(&json, "sys_seconds", times->sys.mean, 6);
	}
	json_end(&json, '}');
}

const struct stat_format stat_json = { .line = print_object, .end = print_times };
