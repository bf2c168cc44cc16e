// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - an event of a session in words, and what it costs
 */
#include <linux/perf_event.h>
#include <string.h>

#include "show/who.h"
#include "unit.h"

#define HW	PERF_TYPE_HARDWARE
#define RAW	PERF_TYPE_RAW
#define SW	PERF_TYPE_SOFTWARE

static const struct {
	const char *backend;
	u32 type;
	u64 config;
	const char *name;
} names[] = {
	{ "nmi", SW, PERF_COUNT_SW_CPU_CLOCK, "nmi" },
	{ "timer", SW, PERF_COUNT_SW_CPU_CLOCK, "timer" },
	{ "tsc", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "tsc" },
	{ "soft", SW, PERF_COUNT_SW_PAGE_FAULTS, "page-faults" },
	{ "soft", RAW, TPROF_LX_SOFT_TICKS, "ticks" },
	{ "soft", RAW, 77, "r4d" },
	{ "intel", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "ref-cycles" },
	{ "amd", HW, PERF_COUNT_HW_INSTRUCTIONS, "instructions" },
	/* The number of a software event is another event of a counter. */
	{ "intel", RAW, TPROF_LX_SOFT_TICKS, "r1" },
	{ "intel", RAW, 0x1b1, "r1b1" },
	{ "fake", 99, 5, "type 99 config 0x5" },
};

static void test_names(void)
{
	char text[WHO_EVENT_LEN];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct tprof_lx_listed event = { .type = names[i].type, .config = names[i].config };

		strcpy(event.backend, names[i].backend);
		unit_ok(!strcmp(who_event(&event, text, sizeof(text)), names[i].name),
			names[i].name);
	}
}

static bool has_scope(u32 scope, u32 nr_cpus, const char *expected)
{
	const struct tprof_lx_listed event = { .scope = scope, .nr_cpus = nr_cpus };
	char text[WHO_SCOPE_LEN];

	return !strcmp(who_scope(&event, text, sizeof(text)), expected);
}

static bool has_mode(u32 excludes, const char *expected)
{
	const struct tprof_lx_listed event = { .excludes = excludes };

	return !strcmp(who_mode(&event), expected);
}

static void test_scope_and_mode(void)
{
	unit_ok(has_scope(0, 8, "system"), "an event of all tasks and CPUs is the system's");
	unit_ok(has_scope(TPROF_LX_SCOPE_CPUS, 2, "system, 2 CPUs"), "some CPUs are counted");
	unit_ok(has_scope(TPROF_LX_SCOPE_CPUS | TPROF_LX_SCOPE_TARGETS, 1, "processes, 1 CPU"),
		"targets are processes");
	unit_ok(has_mode(TPROF_LX_EXCLUDE_IDLE, "all"), "an event of both modes is of all");
	unit_ok(has_mode(TPROF_LX_EXCLUDE_KERNEL, "user"), "without the kernel, it is of user mode");
	unit_ok(has_mode(TPROF_LX_EXCLUDE_USER, "kernel"), "without user mode, it is of the kernel");
	unit_ok(has_mode(TPROF_LX_EXCLUDE_USER | TPROF_LX_EXCLUDE_KERNEL, "none"),
		"without both, it is of none");
}

static bool has_period(u64 period, u64 freq, const char *expected)
{
	const struct tprof_lx_listed event = { .period = period, .freq = freq };
	char text[WHO_PERIOD_LEN];

	return !strcmp(who_period(&event, text, sizeof(text)), expected);
}

static void test_periods(void)
{
	unit_ok(has_period(0, 0, "counts"), "an event without a period counts");
	unit_ok(has_period(250000, 4000, "4,000 Hz"), "a frequency is shown as such");
	unit_ok(has_period(0, 99, "99 Hz"), "so is one to which the period adapts");
	unit_ok(has_period(100000, 0, "100,000"), "a fixed period is shown");
}

static void test_flags(void)
{
	const u32 excluded = TPROF_LX_EXCLUDE_GUEST | TPROF_LX_EXCLUDE_HV;
	char text[WHO_FLAGS_LEN], little[6];
	size_t i = 0;

	unit_ok(!strcmp(who_flags(TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_STALL, text,
				  sizeof(text)), "process,stall"), "flags are named");
	unit_ok(!strcmp(who_flags(0, text, sizeof(text)), ""), "no flags are no text");
	who_flags(~0U, text, sizeof(text));
	unit_ok(strlen(text) < sizeof(text) - 1 && strstr(text, "cpu-atom,parallelism"),
		"all flags fit");
	unit_ok(strlen(who_flags(~0U, little, sizeof(little))) == 5, "they are cut to the buffer");
	unit_ok(!strcmp(who_exclude_at(excluded, &i), "hv") &&
		!strcmp(who_exclude_at(excluded, &i), "guest") && !who_exclude_at(excluded, &i),
		"excluded modes are named one by one");
}

static void test_costs(void)
{
	struct tprof_lx_listed event = { .period = 1, .ran_ns = 1, .taken = 3 };

	unit_ok(!who_is_measured(&event), "the cost of samples that were not measured is unknown");
	event.interrupts = 64;
	unit_ok(who_is_measured(&event), "one that was measured is known");
	event.interrupts = 0;
	event.handler_ns = 5;
	unit_ok(who_is_measured(&event), "software events have no interrupts");
	event.handler_ns = 0;
	event.taken = 0;
	unit_ok(who_is_measured(&event), "no samples cost nothing");
	event.ran_ns = 0;
	unit_ok(!who_is_measured(&event), "an event that never ran has no cost");
	event.ran_ns = 600;
	event.nr_cpus = 2;
	unit_ok(who_time_on(&event, &(struct tprof_lx_listed){ .ran_ns = 7 }) == 7,
		"a CPU on which the event ran has a time of its own");
	unit_ok(who_time_on(&event, &(struct tprof_lx_listed){ .interrupts = 7 }) == 300,
		"a CPU that only has its timer has the mean time");
	unit_ok(who_percent(5, 200) == 2.5 && !who_percent(5, 0), "a cost is a share of the time");
	unit_ok(who_rate(50, 2 * NSEC_PER_SEC) == 25 && !who_rate(50, 0),
		"a rate is per second of the time");
}

int main(void)
{
	test_names();
	test_scope_and_mode();
	test_periods();
	test_flags();
	test_costs();
	return unit_exit();
}
