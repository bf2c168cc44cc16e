// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - records that are not understood, in all commands that read recordings
 *
 * The type of one sample of a recording is changed, as by a damaged file or by a newer
 * recorder. The other samples must be read, and each command must say that one is missing.
 */
#include "base/load.h"
#include "export_records.h"
#include "unit.h"

#define NR_SAMPLES_MADE	5
#define DAMAGED		2	/* number of the sample that is changed */

static char *output, *said;
static u64 damaged_at;

/* Make a recording of samples. Its offset of sample DAMAGED is @damaged_at. */
static void make_samples_file(bool has_chains)
{
	struct perfdata_header header;
	size_t before = 0;
	int fd, i;

	begin_records(has_chains);
	for (i = 0; i < NR_SAMPLES_MADE; i++) {
		before = i == DAMAGED ? records.len : before;
		ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	}
	end_records(1);
	fd = open(recording, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, &header, sizeof(header)) != sizeof(header))
		abort();
	damaged_at = header.data.offset + before;
	close(fd);
}

static void change_type(u32 type)
{
	int fd = open(recording, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || pwrite(fd, &type, sizeof(type), damaged_at) != sizeof(type))
		abort();
	close(fd);
}

/* Run a command with arguments. Return its status; @output and @said are what it prints. */
static int run_command(const struct command *command, const char *const *args, size_t nr)
{
	FILE *terminal = stdout, *errors = stderr;
	char *argv[10] = { (char *)command->name };
	size_t len, said_len, i;
	int status;

	for (i = 0; i < nr; i++)
		argv[i + 1] = (char *)args[i];
	free(output);
	free(said);
	stdout = open_memstream(&output, &len);
	stderr = open_memstream(&said, &said_len);
	status = command->run(command, nr + 1, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = terminal;
	stderr = errors;
	return status;
}

#define RUN(command, ...)                                                           \
	run_command(&(command), (const char *const[]){ __VA_ARGS__ },               \
		    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static bool has_number(const char *key, unsigned int value)
{
	char text[64];

	snprintf(text, sizeof(text), "\"%s\": %u,", key, value);
	return output && strstr(output, text);
}

/* A type that no recorder has, as a record of a newer kernel. */
static void test_new_type(void)
{
	make_samples_file(true);
	change_type(29);
	unit_ok(!RUN(report_command, "-i", recording, "--json") &&
		has_number("samples", NR_SAMPLES_MADE - 1) && has_number("not_understood", 1),
		"the number of records of unknown types is in the JSON of report");
	unit_ok(strstr(said, "found 1 record of unknown type, such as 29; update tprof-lx, or "),
		"report says which type is unknown");
	unit_ok(!RUN(report_command, "-i", recording, "--stdio") &&
		strstr(output, "4 samples; none lost; 1 record not understood"),
		"the last line of report has the number");
	unit_ok(!RUN(info_command, "-i", recording, "--json") && has_number("not_understood", 1),
		"the number is in the JSON of info");
	unit_ok(!RUN(script_command, "-i", recording, "-t", "all", "-F", "type") &&
		strstr(output, "29"), "script prints the record");
}

static void test_all_commands(void)
{
	static const char text[] = "left out 1 malformed record, the first at 0x";
	char merged[80], copy[80];

	make_samples_file(true);
	snprintf(copy, sizeof(copy), "%s/copy", directory);
	snprintf(merged, sizeof(merged), "%s/merged", directory);
	if (rename(recording, copy))
		abort();
	make_samples_file(true);
	change_type(PERF_RECORD_SWITCH);
	unit_ok(!RUN(report_command, "-i", recording) && strstr(said, text), "report says it");
	unit_ok(!RUN(script_command, "-i", recording, "-t", "all") && strstr(said, text) &&
		!strstr(output, "SWITCH"), "script says it, and does not print the record");
	unit_ok(!RUN(export_command, "folded", "-i", recording, "-o", exported) &&
		strstr(said, text), "export of folded stacks says it");
	unit_ok(!RUN(export_command, "pprof", "-i", recording, "-o", exported) &&
		strstr(said, text), "export of pprof says it");
	unit_ok(!RUN(html_command, "-i", recording, "-o", exported) && strstr(said, text),
		"html says it");
	unit_ok(!RUN(diff_command, "--json", copy, recording) && strstr(said, text) &&
		has_number("not_understood", 0) && has_number("not_understood", 1),
		"diff says it, and its JSON has the number of each recording");
	unit_ok(!RUN(diff_command, "--html", "-o", exported, copy, recording) &&
		strstr(said, text), "the page of diff says it");
	unit_ok(!RUN(merge_command, "-o", merged, copy, recording) && strstr(said, text),
		"merge says it");
	unit_ok(!RUN(info_command, "-i", recording) && strstr(said, text), "info says it");
	RUN(annotate_command, "-i", recording, "--json");
	unit_ok(strstr(said, text) && has_number("not_understood", 1),
		"annotate says it, and its JSON has the number");
	unlink(copy);
	unlink(merged);
}

/* Change each bit of the type. No change may pass in silence. */
static void test_flips(bool has_chains, const char *name)
{
	int bit, told = 0, failed = 0;

	make_samples_file(has_chains);
	for (bit = 0; bit < 32; bit++) {
		change_type(PERF_RECORD_SAMPLE ^ 1U << bit);
		if (RUN(report_command, "-i", recording, "--json"))
			failed += !!strstr(said, "has the unknown type");
		else
			told += has_number("samples", NR_SAMPLES_MADE - 1) &&
				has_number("not_understood", 1);
	}
	/* Types above 1024 end the reading. */
	unit_ok(told == 10 && failed == 22, name);
}

static void test_whole(void)
{
	make_samples_file(true);
	unit_ok(!RUN(report_command, "-i", recording, "--json") && has_number("samples", 5) &&
		has_number("not_understood", 0) && !said[0],
		"a whole recording has no such records");
}

int main(void)
{
	make_functions();
	test_whole();
	test_new_type();
	test_all_commands();
	test_flips(true, "no flipped bit in the type of a sample with a chain is silent");
	test_flips(false, "no flipped bit in the type of a sample without a chain is silent");
	remove_files();
	free(output);
	free(said);
	return unit_exit();
}
