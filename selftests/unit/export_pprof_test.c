// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - export as pprof, read by a small decoder of its own
 */
#include <zlib.h>

#include "export/export.h"
#include "export_inlines.h"
#include "protobuf_fields.h"
#include "unit.h"

#define MAX		4096
#define LOCATION	4	/* number of the field of the profile */

static struct decoded {
	u8	*data;
	size_t	len;
	char	*strings[MAX];
	size_t	nr_strings;
	const char *types[16], *units[16];
	size_t	nr_types, nr_samples;
	u64	sums[16];
	size_t	longest;
} profile;

static void forget(void)
{
	free(profile.data);
	for (size_t i = 0; i < profile.nr_strings; i++)
		free(profile.strings[i]);
}

/* Decompress the output. */
static void inflate_output(void)
{
	z_stream stream = { .next_in = got, .avail_in = got_len };
	size_t room = 1U << 20;

	forget();
	profile = (struct decoded){ .data = malloc(room) };
	if (!profile.data || inflateInit2(&stream, 15 + 16) != Z_OK)
		abort();
	stream.next_out = profile.data;
	stream.avail_out = room;
	is_damaged = inflate(&stream, Z_FINISH) != Z_STREAM_END || stream.avail_in;
	profile.len = room - stream.avail_out;
	inflateEnd(&stream);
}

static const char *text_of(const struct field *from, u32 number)
{
	u64 at = number_of(from, number);

	return at < profile.nr_strings ? profile.strings[at] : "?";
}

/* Find the message in field @kind of the profile whose field 1 is @id. */
static bool find_message(u32 kind, u64 id, struct field *field)
{
	const u8 *at = profile.data, *end = at + profile.len;

	while (take_field(&at, end, field)) {
		if (field->number == kind && number_of(field, 1) == id)
			return true;
	}
	return false;
}

/* Return how many labels have the unit @key, which is their key as well. */
static size_t count_units(const char *key)
{
	const u8 *at = profile.data, *end = at + profile.len, *in, *in_end;
	struct field field, label;
	size_t nr = 0;

	while (take_field(&at, end, &field)) {
		if (field.number != 2)
			continue;
		for (in = field.data, in_end = in + field.value; take_field(&in, in_end, &label);)
			nr += label.number == 3 && !strcmp(text_of(&label, 1), key) &&
			      !strcmp(text_of(&label, 4), key);
	}
	return nr;
}

/* Return how many fields of the profile have number @kind. */
static size_t count_fields(u32 kind)
{
	const u8 *at = profile.data, *end = at + profile.len;
	struct field field;
	size_t nr = 0;

	while (take_field(&at, end, &field))
		nr += field.number == kind;
	return nr;
}

/* Put the names of the functions of a sample into @names, innermost first, with lines. */
static void list_names(const struct field *sample, char *names, size_t room)
{
	struct field ids, location, line, function;
	const u8 *at, *end, *in, *in_end;
	size_t len = 0;
	u64 id;

	*names = '\0';
	if (!find_field(sample, 1, &ids))
		return;
	for (at = ids.data, end = at + ids.value; at < end;) {
		id = take_varint(&at, end);
		if (!find_message(4, id, &location) ||
		    !find_message(3, number_of(&location, 2), &line)) {
			is_damaged = true;
			return;
		}
		for (in = location.data, in_end = in + location.value;
		     take_field(&in, in_end, &line);) {
			if (line.number != 4)
				continue;
			if (!find_message(5, number_of(&line, 1), &function))
				is_damaged = true;
			else if (len < room)
				len += snprintf(names + len, room - len, "%s:%llu ",
						text_of(&function, 2), number_of(&line, 2));
		}
	}
}

static void add_values(const struct field *sample)
{
	const u8 *at, *end;
	struct field field;
	size_t i = 0, depth = 0;

	profile.nr_samples++;
	if (!find_field(sample, 2, &field))
		is_damaged = true;
	for (at = field.data, end = at + field.value; at < end && i < 16; i++)
		profile.sums[i] += take_varint(&at, end);
	is_damaged |= i != profile.nr_types;
	find_field(sample, 1, &field);
	for (at = field.data, end = at + field.value; at < end; depth++)
		take_varint(&at, end);
	if (depth > profile.longest)
		profile.longest = depth;
}

/* Decode the output. Return true if it is a valid profile. */
static bool decode(void)
{
	const u8 *at, *end;
	struct field field;

	inflate_output();
	for (at = profile.data, end = at + profile.len; take_field(&at, end, &field);) {
		if (field.number == 6 && profile.nr_strings < MAX)
			profile.strings[profile.nr_strings++] =
				strndup((const char *)field.data, field.value);
	}
	for (at = profile.data; take_field(&at, end, &field);) {
		if (field.number != 1)
			continue;
		profile.units[profile.nr_types] = text_of(&field, 2);
		profile.types[profile.nr_types++] = text_of(&field, 1);
	}
	for (at = profile.data; take_field(&at, end, &field);) {
		if (field.number == 2)
			add_values(&field);
	}
	return !is_damaged && profile.nr_strings && !*profile.strings[0];
}

/* Return true if a sample has these functions, innermost first, each as "NAME:LINE ". */
static bool has_stack(const char *wanted)
{
	const u8 *at = profile.data, *end = at + profile.len;
	char names[65536];
	struct field field;

	while (take_field(&at, end, &field)) {
		if (field.number != 2)
			continue;
		list_names(&field, names, sizeof(names));
		if (!strcmp(names, wanted))
			return true;
	}
	return false;
}

/* Return the number of labels @key with this number or text. */
static size_t count_labels(const char *key, u64 number, const char *text)
{
	const u8 *at = profile.data, *end = at + profile.len, *in, *in_end;
	struct field field, label;
	size_t nr = 0;

	while (take_field(&at, end, &field)) {
		if (field.number != 2)
			continue;
		for (in = field.data, in_end = in + field.value; take_field(&in, in_end, &label);) {
			if (label.number == 3 && !strcmp(text_of(&label, 1), key) &&
			    (text ? !strcmp(text_of(&label, 2), text) :
				    number_of(&label, 3) == number))
				nr++;
		}
	}
	return nr;
}

static bool has_sums_of_report(void)
{
	struct tally nmi = report_sums(0), timer = report_sums(1);

	return profile.sums[0] == nmi.samples + timer.samples && profile.sums[1] == nmi.period &&
	       profile.sums[2] == timer.period;
}

static void test_values(void)
{
	make_recording();
	unit_ok(!run_export("pprof", NULL, NULL) && decode(), "profile_is_valid");
	unit_ok(profile.nr_types == 3 && !strcmp(profile.types[0], "samples") &&
		!strcmp(profile.types[1], "nmi") && !strcmp(profile.units[1], "nanoseconds") &&
		!strcmp(profile.types[2], "timer:u"), "each_event_is_a_type_of_values");
	unit_ok(has_sums_of_report(), "values_have_the_sums_of_report");
	unit_ok(profile.nr_samples == 7, "equal_samples_are_one");
	unit_ok(profile.longest == 512, "chain_of_512_frames_is_whole");
	unit_ok(has_stack("again:0 again:0 leaf:0 again:0 main:0 "), "recursion_is_kept");
	unit_ok(count_labels("tid", getpid(), NULL) == 5 && count_labels("cpu", 3, NULL) == 7 &&
		count_labels("pid", getpid(), NULL) == 7, "samples_have_labels");
}

static void test_names(void)
{
	size_t i, longest = 0;

	unit_ok(count_labels("comm", 0, "a\";\\x0a\\x80") == 2, "hostile_thread_name_is_escaped");
	for (i = 0; i < profile.nr_strings; i++) {
		if (strlen(profile.strings[i]) > longest)
			longest = strlen(profile.strings[i]);
	}
	unit_ok(longest == 4096, "long_names_are_cut");
	unit_ok(!run_export("pprof", "-S", "x\"\\</script>;\x01\xff\xc3\xa9") && decode() &&
		profile.sums[1] == 40, "filter_has_the_name_as_it_was_recorded");
}

static void test_cgroups(void)
{
	make_recording_of_cgroups();
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && profile.nr_samples == 3 &&
		count_labels("cgroup", 0, "/first") == 1 &&
		count_labels("cgroup", 0, "/a\"</script>\\x0a") == 1 &&
		count_labels("cgroup", 0, "[unknown]") == 1, "samples_have_their_cgroups");
}

static void test_keys(void)
{
	make_recording();
	unit_ok(!run_export_with_keys("pprof", "comm,time,tid") && decode() &&
		count_labels("time", 0, "5.000000") + count_labels("time", 0, "5.000004") ==
			profile.nr_samples &&
		count_labels("parent", 0, "leaf") == 2 && count_labels("parent", 0, "again") == 2 &&
		count_labels("parent", 0, "[other]") == 3 &&
		count_labels("comm", 0, "plain") == 5, "samples_have_their_keys_once");
	make_recording_of_weights();
	unit_ok(!run_export("pprof", "-s", "weight") && decode() && profile.nr_samples == 2 &&
		count_labels("weight", 300, NULL) == 1 && count_labels("weight", 7, NULL) == 1,
		"numbers_of_keys_are_numbers");
}

static void test_label_zero(void)
{
	make_idle_recording();
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && count_labels("pid", 0, NULL) == 1 &&
		count_units("pid") == 1 && count_units("cpu") == 0,
		"number_0_has_a_unit_as_pprof_drops_it_otherwise");
}

/* A limit that the stacks of a chain reach, but not its frames. */
static void test_bound_of_stacks(void)
{
	u64 chain[512];
	size_t i;

	begin_records(true);
	for (i = 0; i < ARRAY_SIZE(chain); i++)
		chain[i] = IN(AGAIN) + i % 7;
	add_chain(0, 0, 1, chain, ARRAY_SIZE(chain));
	add_chain(0, 0, 2, chain, ARRAY_SIZE(chain));
	end_records(1);
	pprof_kept_max = 100;
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && has_sums_of_report() &&
		profile.nr_samples == 2 && count_fields(LOCATION) == 7,
		"frames_are_kept_when_stacks_are_forgotten");
	pprof_kept_max = 1U << 20;
}

static void test_bounds(void)
{
	pprof_kept_max = 1;
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && has_sums_of_report(),
		"samples_that_are_written_early_have_the_same_sums");
	unit_ok(profile.nr_samples == 8 && has_stack("again:0 again:0 leaf:0 again:0 main:0 ") &&
		count_labels("comm", 0, "plain") == 6, "functions_and_names_are_written_again");
	pprof_kept_max = 1U << 20;
}

static void test_inlines(void)
{
	char wanted[128];

	make_recording_of_inlines();
	snprintf(wanted, sizeof(wanted), "inlined_function:%d outer_function:%d ", sampled_line,
		 call_line);
	unit_ok(!run_export("pprof", "--inline", NULL) && decode() && has_stack(wanted) &&
		profile.longest == 1, "inlined_functions_are_lines_of_a_location");
	snprintf(wanted, sizeof(wanted), "outer_function:%d ", sampled_line);
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && has_stack(wanted),
		"without_inline_the_line_is_that_of_the_address");
}

static void test_small_recordings(void)
{
	make_empty_recording();
	unit_ok(!run_export("pprof", NULL, NULL) && decode() && !profile.nr_samples &&
		profile.nr_types == 3, "empty_recording_has_types");
	make_recording_without_chains();
	unit_ok(!run_export("pprof", NULL, NULL) && decode() &&
		profile.sums[1] == report_sums(0).period && has_stack("leaf:0 "),
		"samples_without_chains_have_a_location");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_values();
	test_names();
	test_bounds();
	test_inlines();
	test_small_recordings();
	test_cgroups();
	test_bound_of_stacks();
	test_keys();
	test_label_zero();
	remove_files();
	forget();
	return unit_exit();
}
