// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - export as OTLP, read by a small decoder
 *
 * check-export compares whole profiles with report, by OpenTelemetry's own decoder.
 */
#include "protobuf_fields.h"
#include "push_run.h"
#include "unit.h"

#define MAX	256

/* Numbers of the fields that are read here. */
enum { RESOURCE_PROFILES = 1, DICTIONARY };
enum {
	TABLE_MAPPING = 1, TABLE_LOCATION, TABLE_FUNCTION, TABLE_LINK, TABLE_TEXT,
	TABLE_ATTRIBUTE, TABLE_STACK, NR_TABLES
};

enum { SAMPLE_TYPE = 1, SAMPLE, TIME, DURATION, PERIOD_TYPE, PERIOD };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4, SAMPLE_TIMES };

static struct decoded {
	struct field tables[NR_TABLES][MAX];
	size_t	nr_entries[NR_TABLES];
	size_t	nr_resources, nr_profiles, nr_samples, nr_values, nr_times;
	u64	sums[2], of_a, of_b, first_time, last_time, profile_time, duration, period;
} seen;

static bool is_text(u64 number, const char *wanted)
{
	const struct field *text = &seen.tables[TABLE_TEXT][number % MAX];

	return text->value == strlen(wanted) && !memcmp(text->data, wanted, text->value);
}

/* Add the varints in @field to @sum. Return their number. */
static size_t add_varints(const struct field *field, u64 *sum)
{
	const u8 *at = field->data, *end = at + field->value;
	size_t nr = 0;

	for (; at < end; nr++)
		*sum += take_varint(&at, end);
	return nr;
}

static void read_sample(const struct field *sample, u64 *sum)
{
	struct field field;
	u64 time;

	seen.nr_samples++;
	is_damaged |= number_of(sample, SAMPLE_STACK) - 1 >= seen.nr_entries[TABLE_STACK] - 1;
	if (find_field(sample, SAMPLE_VALUES, &field))
		seen.nr_values += add_varints(&field, sum);
	if (!find_field(sample, SAMPLE_TIMES, &field))
		return;
	for (size_t i = 0; i < field.value / 8; i++) {
		time = load_u64(field.data + 8 * i);
		seen.nr_times++;
		if (time < seen.first_time)
			seen.first_time = time;
		if (time > seen.last_time)
			seen.last_time = time;
	}
}

static void read_profile(const struct field *profile)
{
	const u8 *at = profile->data, *end = at + profile->value;
	struct field field, type;

	seen.nr_profiles++;
	if (!find_field(profile, SAMPLE_TYPE, &type) || !find_field(profile, PERIOD_TYPE, &field))
		is_damaged = true;
	seen.profile_time = number_of(profile, TIME);
	seen.duration = number_of(profile, DURATION);
	seen.period = number_of(profile, PERIOD);
	while (take_field(&at, end, &field)) {
		if (field.number == SAMPLE)
			read_sample(&field, &seen.sums[is_text(number_of(&type, 1), "timer:u")]);
	}
}

/* Return true if @resource has the attribute host.name = @name. */
static bool is_of_host(const struct field *resource, const char *name)
{
	struct field attributes;
	char wanted[64];
	int len = snprintf(wanted, sizeof(wanted), "\n\thost.name\x12%c\n%c%s",
			   (char)(strlen(name) + 2), (char)strlen(name), name);

	return find_field(resource, 1, &attributes) &&
	       memmem(attributes.data, attributes.value, wanted, len);
}

static void read_resource(const struct field *resource)
{
	const u8 *at, *end;
	struct field scope, field;
	u64 before = seen.sums[0];

	seen.nr_resources++;
	if (!find_field(resource, 2, &scope)) {
		is_damaged = true;
		return;
	}
	for (at = scope.data, end = at + scope.value; take_field(&at, end, &field);) {
		if (field.number == 2)
			read_profile(&field);
	}
	seen.of_a += is_of_host(resource, "host-a") ? seen.sums[0] - before : 0;
	seen.of_b += is_of_host(resource, "host-b") ? seen.sums[0] - before : 0;
}

static void read_dictionary(const struct field *dictionary)
{
	const u8 *at = dictionary->data, *end = at + dictionary->value;
	struct field field;

	while (take_field(&at, end, &field)) {
		if (field.number < NR_TABLES && seen.nr_entries[field.number] < MAX)
			seen.tables[field.number][seen.nr_entries[field.number]++] = field;
	}
}

/* Return true if entry 0 of all tables is empty. */
static bool has_zeroes(void)
{
	for (u32 i = TABLE_MAPPING; i < NR_TABLES; i++) {
		if (!seen.nr_entries[i] || seen.tables[i][0].value)
			return false;
	}
	return true;
}

static bool decode(void)
{
	const u8 *end = got + got_len, *at = got;
	struct field field;

	seen = (struct decoded){ .first_time = UINT64_MAX };
	is_damaged = false;
	while (take_field(&at, end, &field)) {
		if (field.number == DICTIONARY)
			read_dictionary(&field);
	}
	for (at = got; take_field(&at, end, &field);) {
		if (field.number == RESOURCE_PROFILES)
			read_resource(&field);
	}
	return !is_damaged && has_zeroes();
}

static bool has_sums_of_report(void)
{
	return seen.sums[0] == report_sums(0).period && seen.sums[1] == report_sums(1).period;
}

/* Return true if an attribute @key has the number @value, also if that is 0. */
static bool has_number(const char *key, u64 value)
{
	struct field any, number;

	for (size_t i = 1; i < seen.nr_entries[TABLE_ATTRIBUTE]; i++) {
		const struct field *attribute = &seen.tables[TABLE_ATTRIBUTE][i];

		if (is_text(number_of(attribute, 1), key) && find_field(attribute, 2, &any) &&
		    find_field(&any, 3, &number) && number.value == value)
			return true;
	}
	return false;
}

static void test_dates(void)
{
	make_dated();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && has_sums_of_report() &&
		seen.nr_profiles == 1, "profile_has_the_sum_of_report");
	unit_ok(seen.nr_times == 2 && seen.nr_values == 2 &&
		seen.first_time == WALL * NSEC_PER_SEC &&
		seen.last_time == WALL * NSEC_PER_SEC + 1000, "samples_have_their_dates");
	unit_ok(seen.profile_time == seen.first_time && seen.duration == 1000,
		"profile_has_the_times_of_its_samples");
	unit_ok(has_number("process.pid", getpid()) && has_number("thread.id", getpid() + 1) &&
		has_number("cpu.logical_number", 3), "samples_have_attributes");
}

static void test_chunks(void)
{
	size_t nr_stacks = seen.nr_entries[TABLE_STACK];

	otlp_kept_max = 1;
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && has_sums_of_report() &&
		seen.nr_resources == 2 && seen.nr_times == 2,
		"samples_that_are_written_early_have_the_same_sums");
	unit_ok(seen.nr_entries[TABLE_STACK] == nr_stacks, "stacks_are_written_once");
	otlp_kept_max = 1U << 20;
}

static void test_hosts(void)
{
	make_dated();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && seen.of_a == 50 && !seen.of_b,
		"resource_has_the_host_of_the_recording");
	make_hosts();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && has_sums_of_report() &&
		seen.nr_resources == 2, "each_host_of_a_merge_is_a_resource");
	unit_ok(seen.of_a == 10 && seen.of_b == 120, "resource_has_the_samples_of_its_host");
	unit_ok(!memmem(got, got_len, "6.12.0", 6), "release_of_one_host_is_not_said_of_another");
	otlp_kept_max = 1;
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && seen.nr_resources == 3 &&
		seen.of_a == 10 && seen.of_b == 120,
		"hosts_stay_apart_in_samples_that_are_written_early");
	otlp_kept_max = 1U << 20;
}

static void test_without_dates(void)
{
	make_recording();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && has_sums_of_report() &&
		seen.nr_profiles == 2, "each_event_has_a_profile");
	unit_ok(!seen.nr_times && !seen.profile_time && seen.nr_values == seen.nr_samples,
		"without_dates_equal_samples_are_added_up");
}

static void test_number_zero(void)
{
	make_idle_recording();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && has_number("process.pid", 0) &&
		has_number("thread.id", 0), "number_0_is_a_value");
	make_empty_recording();
	unit_ok(!run_export("otlp", NULL, NULL) && decode() && !seen.nr_profiles,
		"empty_recording_has_no_profile");
}

int main(void)
{
	verbosity = -1;
	make_functions();
	test_dates();
	test_chunks();
	test_hosts();
	test_without_dates();
	test_number_zero();
	remove_files();
	return unit_exit();
}
