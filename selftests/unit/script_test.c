// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - lines of the command script
 */
#include "export_records.h"
#include "unit.h"

#define PERIOD	7

static char *output;

/* Make a recording of one sample, without a field for the period, which is fixed. */
static void make_fixed(void)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .misc = PERF_RECORD_MISC_USER,
					    .size = sizeof(header) + 5 * sizeof(u64) };

	begin_records(false);
	test_events[0].attr.sample_type &= ~PERF_SAMPLE_PERIOD;
	test_events[0].attr.freq = 0;
	test_events[0].attr.sample_period = PERIOD;
	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, 41);
	bytes_add_u64(&records, IN(LEAF));
	bytes_add_u32(&records, getpid());
	bytes_add_u32(&records, getpid());
	bytes_add_u64(&records, now);
	bytes_add_u64(&records, 3);
	end_records(1);
}

static int run_script(const char *option, const char *value)
{
	char *argv[] = { "script", "-i", recording, (char *)option, (char *)value, NULL };
	FILE *terminal = stdout;
	size_t len;
	int status;

	free(output);
	stdout = open_memstream(&output, &len);
	status = script_command.run(&script_command, option ? value ? 5 : 4 : 3, argv);
	fclose(stdout);
	stdout = terminal;
	return status;
}

static void test_fixed_period(void)
{
	make_fixed();
	unit_ok(!run_script(NULL, NULL) && strstr(output, ":          7 nmi: "),
		"a line has the fixed period of the event");
	unit_ok(!run_script("-F", "period") && !strcmp(output, "7\n"),
		"the field period has it too");
	unit_ok(!run_script("--json", NULL) && strstr(output, "\"period\":7"), "JSON has it too");
}

int main(void)
{
	make_functions();
	test_fixed_period();
	remove_files();
	free(output);
	return unit_exit();
}
