// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - print a table or CSV
 *
 * Both formats are defined by an array of columns. The fields of the CSV format have the
 * same order as in perf, so that programs for perf's CSV can read them:
 *
 *	[time,][cpu,|comm-tid,]count,unit,event,[deviation,]run time,share,metric,unit
 *
 * Time (-I) is in seconds, deviation (-r) in percent, run time in ns. The first unit
 * belongs to the count: msec for a task clock, empty for other events. Share is the
 * percentage of time that the event was counted: 100.00, because events are not
 * multiplexed; less for an event of one kind of cores if others ran the processes, too; or 0.00
 * without a count. A field that has the separator or a quote is quoted.
 */
#include <string.h>

#include "base/csv.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "counts/stat_output.h"

#define FIELD_LEN	256
#define COMM_WIDTH	15

/**
 * struct column - a column
 * @title:	heading
 * @width:	width; negative to align left, 0 for the width of the event names
 * @is_shown:	returns whether to print the column; NULL to print it always
 * @text:	formats the field
 */
struct column {
	const char *title;
	int width;
	bool (*is_shown)(const struct stat_output *output);
	void (*text)(const struct stat_line *line, char *buf, size_t len);
};

static bool has_time(const struct stat_output *output)
{
	return output->intervals;
}

static bool has_cpu(const struct stat_output *output)
{
	return output->per_cpu;
}

static bool has_thread(const struct stat_output *output)
{
	return output->per_thread && !output->counting->by_process;
}

static bool has_process(const struct stat_output *output)
{
	return output->per_thread && output->counting->by_process;
}

static bool has_deviation(const struct stat_output *output)
{
	return output->repeated;
}

static void time_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%.9f", (double)line->time / NSEC_PER_SEC);
}

static void cpu_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "CPU%u", line->cpu);
}

static void plain_thread_field(const struct stat_line *line, char *buf, size_t len)
{
	thread_row_name(line->thread, buf, len);
}

/* Align the names at the hyphens, as perf does. */
static void thread_field(const struct stat_line *line, char *buf, size_t len)
{
	char name[FIELD_LEN];
	int comm;

	thread_row_name(line->thread, name, sizeof(name));
	comm = line->thread->kind == ROW_THREAD ? strrchr(name, '-') - name : (int)strlen(name);
	snprintf(buf, len, "%*s%s", comm < COMM_WIDTH ? COMM_WIDTH - comm : 0, "", name);
}

/* Return true if a count has a unit. */
static bool has_unit(const struct stat_output *output)
{
	u32 i;

	for (i = 0; i < output->counting->nr_events; i++) {
		if (counts_time(&output->counting->events[i]))
			return true;
	}
	return false;
}

/* Return the text to print in place of a missing count, or NULL if there is a count. */
static const char *excuse(const struct stat_line *line)
{
	if (line->event->state == COUNTED)
		return NULL;
	return line->event->state == COUNTED_NOT ? "<not counted>" : "<not supported>";
}

/* Print @ns in ms with two decimals. */
static void milliseconds_text(double ns, char *buf, size_t len)
{
	u64 hundredths = ns / 1e4 + 0.5;
	size_t used;

	count_text(hundredths / 100, buf, len);
	used = strlen(buf);
	snprintf(buf + used, len - used, ".%02u", (unsigned int)(hundredths % 100));
}

static void count_field(const struct stat_line *line, char *buf, size_t len)
{
	if (excuse(line))
		snprintf(buf, len, "%s", excuse(line));
	else if (counts_time(line->event))
		milliseconds_text(line->count, buf, len);
	else
		count_text(line->count + 0.5, buf, len);
}

static void plain_count_field(const struct stat_line *line, char *buf, size_t len)
{
	if (excuse(line))
		snprintf(buf, len, "%s", excuse(line));
	else if (counts_time(line->event))
		snprintf(buf, len, "%.6f", line->count / 1e6);
	else
		snprintf(buf, len, "%.0f", line->count);
}

static void event_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%s", line->event->name);
}

static void metric_field(const struct stat_line *line, char *buf, size_t len)
{
	const struct metric *metric = &line->metric;

	buf[0] = '\0';
	if (metric->unit)
		snprintf(buf, len, "# %8.*f%s%s", metric->digits, metric->value,
			 metric->unit[0] == '%' ? "" : "  ", metric->unit);
}

static void deviation_field(const struct stat_line *line, char *buf, size_t len)
{
	buf[0] = '\0';
	if (line->event->state == COUNTED)
		snprintf(buf, len, "( +-%6.2f%% )", line->deviation);
}

static void unit_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%s", counts_time(line->event) && !excuse(line) ? "msec" : "");
}

static void plain_deviation_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%.2f%%", line->deviation);
}

static void ran_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%.0f", line->ran_ns);
}

/* Return the percentage of time that an event was counted. */
static double share_of(const struct stat_line *line)
{
	double ns = line->ran_ns + line->missed_ns;

	if (excuse(line))
		return 0;
	return ns ? 100 * line->ran_ns / ns : 100;
}

static void share_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%.2f", share_of(line));
}

/* Return true if an event is for one kind of cores only. */
static bool has_kinds(const struct stat_output *output)
{
	u32 i, lane;

	for (i = 0; i < output->counting->nr_events; i++) {
		for (lane = 0; lane < output->counting->nr_lanes; lane++) {
			if (output->counting->events[i].cells[lane].missed_ns)
				return true;
		}
	}
	return false;
}

static void kind_share_field(const struct stat_line *line, char *buf, size_t len)
{
	buf[0] = '\0';
	if (line->missed_ns && !excuse(line))
		snprintf(buf, len, "(%.2f%% of the time)", share_of(line));
}

static void plain_metric_field(const struct stat_line *line, char *buf, size_t len)
{
	buf[0] = '\0';
	if (line->metric.unit)
		snprintf(buf, len, "%.*f", line->metric.digits, line->metric.value);
}

static void metric_unit_field(const struct stat_line *line, char *buf, size_t len)
{
	snprintf(buf, len, "%s", line->metric.unit ? line->metric.unit : "");
}

static const struct column text_columns[] = {
	{ "time", 16, has_time, time_field },
	{ "CPU", -6, has_cpu, cpu_field },
	{ "thread", -(COMM_WIDTH + 9), has_thread, thread_field },
	{ "process", -(COMM_WIDTH + 9), has_process, thread_field },
	{ "count", 20, NULL, count_field },
	{ "", -4, has_unit, unit_field },
	{ "event", 0, NULL, event_field },
	{ "", -34, NULL, metric_field },
	{ "", 13, has_deviation, deviation_field },
	{ "", -22, has_kinds, kind_share_field },
};

static const struct column csv_columns[] = {
	{ "time", 0, has_time, time_field },
	{ "cpu", 0, has_cpu, cpu_field },
	{ "thread", 0, has_thread, plain_thread_field },
	{ "process", 0, has_process, plain_thread_field },
	{ "count", 0, NULL, plain_count_field },
	{ "unit", 0, NULL, unit_field },
	{ "event", 0, NULL, event_field },
	{ "deviation", 0, has_deviation, plain_deviation_field },
	{ "run time", 0, NULL, ran_field },
	{ "share", 0, NULL, share_field },
	{ "metric", 0, NULL, plain_metric_field },
	{ "metric unit", 0, NULL, metric_unit_field },
};

/*
 * A row being printed. blanks is the padding to print before the next field; it is
 * deferred so that no line ends in blanks.
 */
struct row {
	FILE *out;
	int blanks;
};

static void add_blanks(struct row *row, int nr)
{
	if (nr > 0)
		row->blanks += nr;
}

static void add_text(struct row *row, const char *text)
{
	if (*text) {
		fprintf(row->out, "%*s%s", row->blanks, "", text);
		row->blanks = 0;
	}
}

static void add_field(struct row *row, const struct stat_output *output,
		      const struct column *column, const char *text)
{
	int width = column->width ? column->width : -output->name_width;

	add_blanks(row, width - (int)strlen(text));
	add_text(row, text);
	add_blanks(row, -width - (int)strlen(text));
	add_blanks(row, 2);
}

static void print_row(const struct stat_output *output, const struct stat_line *line)
{
	const struct column *column = text_columns;
	struct row row = { .out = output->out };
	char field[FIELD_LEN];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(text_columns); i++, column++) {
		if (column->is_shown && !column->is_shown(output))
			continue;
		if (line)
			column->text(line, field, sizeof(field));
		add_field(&row, output, column, line ? field : column->title);
	}
	putc('\n', output->out);
}

static void print_command(const struct stat_output *output)
{
	size_t i;

	for (i = 0; output->command[i]; i++)
		fprintf(output->out, "%s%s", i ? " " : "'", printable(output->command[i]));
	putc('\'', output->out);
}

static void print_cpus(const struct stat_output *output)
{
	char cpus[256];

	if (output->cpus->bytes)
		fprintf(output->out, "on CPUs %s",
			cpus_text(output->cpus, cpus, sizeof(cpus)));
	else
		fprintf(output->out, "on all CPUs");
	if (!*output->command)
		return;
	fprintf(output->out, " while ");
	print_command(output);
	fprintf(output->out, " ran");
}

static void print_list(const struct stat_output *output, const struct pid_list *list)
{
	u32 i;

	for (i = 0; i < list->nr; i++)
		fprintf(output->out, "%s%d", i ? "," : "", list->pids[i]);
}

/* Print the tasks of -p or -t, or the names of processes. */
static void print_tasks(const struct stat_output *output)
{
	if (output->tids->nr) {
		fprintf(output->out, "of thread%s ", output->tids->nr > 1 ? "s" : "");
		print_list(output, output->tids);
		return;
	}
	if (output->names) {
		fprintf(output->out, "of processes with names that match '%s'",
			printable(output->names));
	} else {
		fprintf(output->out, "of process%s ", output->pids->nr > 1 ? "es" : "");
		print_list(output, output->pids);
	}
	if (!output->is_alone)
		fprintf(output->out, " and descendants");
}

static void print_heading(const struct stat_output *output)
{
	fprintf(output->out, "\n Counts ");
	if (output->recording) {
		fprintf(output->out, "in %s", printable(output->recording));
	} else if (!output->is_process_scope) {
		print_cpus(output);
	} else if (output->pids->nr || output->tids->nr || output->names) {
		print_tasks(output);
	} else {
		fprintf(output->out, "of ");
		print_command(output);
		if (!output->is_alone)
			fprintf(output->out, " and its descendants");
	}
	fprintf(output->out, "%s:\n\n", has_process(output) ? ", by process" :
				      has_thread(output) ? ", by thread" : "");
}

static void begin_text(const struct stat_output *output)
{
	print_heading(output);
	if (output->intervals)
		print_row(output, NULL);
}

static void print_seconds(const struct stat_output *output, const char *what,
			  const struct statistics *seconds)
{
	fprintf(output->out, "%20.9f  %s", seconds->mean, what);
	if (output->repeated)
		fprintf(output->out, "  ( +-%6.2f%% )", statistics_deviation(seconds));
	putc('\n', output->out);
}

static void end_text(const struct stat_output *output, const struct stat_times *times)
{
	putc('\n', output->out);
	if (output->repeated)
		fprintf(output->out, "%20u  runs, of which these are the means\n",
			times->elapsed.nr);
	if (times->elapsed.nr)
		print_seconds(output, "seconds time elapsed", &times->elapsed);
	if (times->user.nr) {
		print_seconds(output, "seconds user", &times->user);
		print_seconds(output, "seconds sys", &times->sys);
	}
	putc('\n', output->out);
}

static void print_csv(const struct stat_output *output, const struct stat_line *line)
{
	const struct column *column = csv_columns;
	const char *between = "";
	char field[FIELD_LEN];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(csv_columns); i++, column++) {
		if (column->is_shown && !column->is_shown(output))
			continue;
		column->text(line, field, sizeof(field));
		fputs(between, output->out);
		csv_put(output->out, field, output->separator);
		between = output->separator;
	}
	putc('\n', output->out);
}

const struct stat_format stat_text = { begin_text, print_row, end_text };
const struct stat_format stat_csv = { .line = print_csv };
