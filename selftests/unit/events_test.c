// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - event strings of -e
 *
 * The test makes libpfm4 use the events of Skylake-X on any CPU. If perf accepts an
 * event string, the test expects the type, config and exclusions that perf 6.1 shows
 * (perf stat -vv -e EVENT true, on a Skylake-X). Exceptions: exclude_hv and
 * exclude_guest, which perf sets by itself, and cpu/instructions/, which perf looks
 * up in sysfs.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events/event_attr.h"
#include "events/event_parse.h"
#include "unit.h"

#define CONFIG_EDGE	(1ULL << 18)
#define CONFIG_ANY	(1ULL << 21)
#define CONFIG_INV	(1ULL << 23)

static const struct tprof_lx_backend backends[] = {
	{ .name = "nmi", .max_period = 1ULL << 40,
	  .flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_CLOCK },
	{ .name = "timer", .max_period = 1ULL << 40,
	  .flags = TPROF_LX_BACKEND_CLOCK },
	{ .name = "fake", .max_period = 1ULL << 40 },
	{ .name = "tsc", .flags = TPROF_LX_BACKEND_COUNTS },
	{ .name = "soft", .max_period = 1ULL << 40, .flags = TPROF_LX_BACKEND_COUNTS },
	{ .name = "intel", .max_period = 1ULL << 40,
	  .flags = TPROF_LX_BACKEND_NMI | TPROF_LX_BACKEND_COUNTS |
		   TPROF_LX_BACKEND_COUNTER },
};

#define NR_BACKENDS	ARRAY_SIZE(backends)
/* On a machine without counters, the last of backends[] is missing. */
#define NR_CLOCKS	(NR_BACKENDS - 1)

#define HW		PERF_TYPE_HARDWARE
#define RAW		PERF_TYPE_RAW
#define SW		PERF_TYPE_SOFTWARE

/*
 * Valid event strings and what they mean. Letters in @excluded: u user, k kernel, g
 * guest, H host, i idle.
 */
static const struct {
	const char *text;
	const char *backend;
	u32 type;
	u64 config;
	const char *excluded;
} spellings[] = {
	{ "nmi", "nmi", SW, PERF_COUNT_SW_CPU_CLOCK, "" },
	{ "timer:u", "timer", SW, PERF_COUNT_SW_CPU_CLOCK, "k" },
	{ "cpu-clock", "timer", SW, PERF_COUNT_SW_CPU_CLOCK, "" },
	{ "tsc", "tsc", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "" },

	{ "task-clock", "soft", SW, PERF_COUNT_SW_TASK_CLOCK, "" },
	{ "context-switches", "soft", SW, PERF_COUNT_SW_CONTEXT_SWITCHES, "" },
	{ "cs", "soft", SW, PERF_COUNT_SW_CONTEXT_SWITCHES, "" },
	{ "cpu-migrations", "soft", SW, PERF_COUNT_SW_CPU_MIGRATIONS, "" },
	{ "migrations", "soft", SW, PERF_COUNT_SW_CPU_MIGRATIONS, "" },
	{ "page-faults:u", "soft", SW, PERF_COUNT_SW_PAGE_FAULTS, "k" },
	{ "faults", "soft", SW, PERF_COUNT_SW_PAGE_FAULTS, "" },
	{ "ticks", "soft", RAW, TPROF_LX_SOFT_TICKS, "" },
	{ "lock-contention", "soft", RAW, TPROF_LX_SOFT_LOCK_CONTENTION, "" },
	{ "off-cpu", "soft", RAW, TPROF_LX_SOFT_OFF_CPU, "" },
	{ "wakeups", "soft", RAW, TPROF_LX_SOFT_WAKEUPS, "" },

	{ "cycles", "intel", HW, 0, "" },
	{ "cpu-cycles", "intel", HW, 0, "" },
	{ "instructions", "intel", HW, 1, "" },
	{ "cache-references", "intel", HW, 2, "" },
	{ "cache-misses", "intel", HW, 3, "" },
	{ "branches", "intel", HW, 4, "" },
	{ "branch-instructions", "intel", HW, 4, "" },
	{ "branch-misses", "intel", HW, 5, "" },
	{ "bus-cycles", "intel", HW, 6, "" },
	{ "stalled-cycles-frontend", "intel", HW, 7, "" },
	{ "idle-cycles-frontend", "intel", HW, 7, "" },
	{ "stalled-cycles-backend", "intel", HW, 8, "" },
	{ "idle-cycles-backend", "intel", HW, 8, "" },
	{ "ref-cycles", "intel", HW, 9, "" },

	{ "cpu_core/instructions/", "intel", HW, 1, "" },
	{ "cpu_atom/instructions/u", "intel", HW, 1, "k" },
	{ "cpu_core/event=0x3c,umask=0x1/", "intel", RAW, 0x13c, "" },
	{ "cycles:u", "intel", HW, 0, "k" },
	{ "instructions:k", "intel", HW, 1, "u" },
	{ "cycles:uk", "intel", HW, 0, "" },
	{ "cycles:G", "intel", HW, 0, "H" },
	{ "cycles:H", "intel", HW, 0, "g" },
	{ "cycles:GH", "intel", HW, 0, "" },
	{ "cycles:uH", "intel", HW, 0, "kg" },
	{ "cycles:I", "intel", HW, 0, "i" },
	{ "cycles/period=1000/u", "intel", HW, 0, "k" },
	{ "cycles/freq=99/:k", "intel", HW, 0, "u" },

	{ "r01c2", "intel", RAW, 0x1c2, "" },
	{ "r1C2:u", "intel", RAW, 0x1c2, "k" },
	{ "r10001c2", "intel", RAW, 0x10001c2, "" },
	{ "cpu/event=0xc2/", "intel", RAW, 0xc2, "" },
	{ "cpu/event=0xc2,umask=0x1,cmask=1/", "intel", RAW, 0x10001c2, "" },
	{ "cpu/event=0xc2,umask=1,inv,edge/u", "intel", RAW,
	  0x1c2 | CONFIG_INV | CONFIG_EDGE, "k" },
	{ "cpu/event=0x3c,any=1/", "intel", RAW, 0x3c | CONFIG_ANY, "" },
	{ "cpu/event=0x3c,any=0,inv=0/", "intel", RAW, 0x3c, "" },
	{ "cpu/config=0x1c2/k", "intel", RAW, 0x1c2, "u" },
	{ "cpu/umask=1,event=0xc2,name=mine/", "intel", RAW, 0x1c2, "" },
	{ "cpu/instructions/", "intel", HW, 1, "" },

	/* Intel's version 6 has eight more bits of the unit mask, and the threshold as a number. */
	{ "cpu/event=0xc2,umask=0xa501,cmask=1,eq/", "intel", RAW, 0xa510010001c2, "" },

	/* Bits 8 to 11 of the event number are bits 32 to 35 of config. */
	{ "cpu/event=0x1c2/", "intel", RAW, 0x1000000c2, "" },

	/* libpfm4's names of events, and a vendor's name, which has a dot. */
	{ "INST_RETIRED:ANY_P", "intel", RAW, 0xc0, "" },
	{ "inst_retired.any_p:u", "intel", RAW, 0xc0, "k" },
	{ "skx::MEM_LOAD_RETIRED:L1_MISS:k", "intel", RAW, 0x8d1, "u" },
	{ "MEM_LOAD_RETIRED:L1_MISS:uk", "intel", RAW, 0x8d1, "" },
	{ "UOPS_ISSUED:ANY:c=2:i:e:u", "intel", RAW,
	  0x200010e | CONFIG_INV | CONFIG_EDGE, "k" },
	{ "UNHALTED_CORE_CYCLES:t", "intel", RAW, 0x3c | CONFIG_ANY, "" },
	{ "UNHALTED_REFERENCE_CYCLES", "intel", RAW, 0x300, "" },
	{ "BR_INST_RETIRED:NEAR_CALL/period=77/u", "intel", RAW, 0x2c4, "k" },
	{ "cpu/BR_INST_RETIRED:NEAR_CALL/", "intel", RAW, 0x2c4, "" },

	{ "intel/event=0xc2,umask=1/", "intel", RAW, 0x1c2, "" },
	{ "fake/config=3/:k", "fake", RAW, 3, "u" },
};

/* Event strings that are refused, and a word in the error message. */
static const struct {
	const char *text;
	const char *reason;
} wrong[] = {
	{ "", "no name" }, { ":u", "no name" }, { "/period=1/", "no name" },
	{ "nmi:", "modifiers are missing" }, { "nmi:x", "'x'" },
	{ "cycles:ux", "'x'" }, { "cycles:h", "hypervisor" },
	{ "cycles:pp", "precise" }, { "cycles:P", "precise" },
	{ "INST_RETIRED:ANY_P:p", "precise" }, { "cycles:D", "pinned" },
	{ "cycles:W", "grouped" },
	{ "nmi/", "slash" }, { "nmi/period=1", "slash" },
	{ "nmi/period/", "number" }, { "nmi/period=/", "number" },
	{ "nmi/period=1x/", "number" }, { "nmi/period=0/", "1 or more" },
	{ "nmi/freq=0/", "1 or more" }, { "nmi/perod=1/", "'period'" },
	{ "nmi/period=1,freq=2/", "both" }, { "nmi/period=1/x", "'x'" },
	{ "cycles/name=/", "name=mine" }, { "cycles/random=2/", "0x1" },
	{ "cycles/umask=1/", "cpu/event" }, { "r01c2/cmask=1/", "cpu/event" },
	{ "INST_RETIRED/inv/", "cpu/event" },
	{ "cpu", "event=" }, { "cpu//", "event=" }, { "cpu/period=3/", "event=" },
	{ "cpu_core/period=3/", "cpu_core/event=" }, { "cpu_atom", "cpu_atom/event=" },
	{ "cpu_core/cpu_atom/", "no event term" },
	{ "cpu/event/", "number" }, { "cpu/event=0x1000/", "0xfff" },
	{ "cycles/cpu/", "cpu=0-3" }, { "cycles/cpu=x/", "cpu=0-3" },
	{ "cpu/event=1,umask=0x10000/", "0xffff" }, { "cpu/event=1,inv=2/", "0x1" },
	{ "cpu/evnt=1/", "'event'" }, { "cpu/xyzzy/", "the terms are" },
	{ "cpu/nmi/", "the terms are" }, { "cpu/instructions,umask=1/", "a name" },
	{ "cpu/event=1,ldlat=3/", "register" },
	{ "cpu/event=1,in_tx=1/", "transactions" },
	{ "{cycles,instructions}", "group" }, { "{cycles}:S", "group" },
	{ "r11112222333344445", "no event" },
	{ "a_name_that_is_too_long", "no event" },
	{ "sched:sched_switch", "no event" },
	{ "L1-dcache-load-misses", "generic cache" }, { "LLC-loads:u", "generic cache" },
	{ "INST_RETIERD:ANY_P", "'INST_RETIRED'" },
	{ "INST_RETIRED:ANY_PP", "'ANY_P'" },
	{ "INST_RETIRED:XYZZY", "no unit mask 'XYZZY'" },
	{ "INST_RETIRED:ANY_P:c=256", "INST_RETIRED" },
	{ "skx::NONESUCH", "no event" }, { "skz::INST_RETIRED", "no CPU model" },
	{ "amd64_k7::CPU_CLK_UNHALTED", "which this CPU is not" },
	{ "OFFCORE_RESPONSE_0:ANY_DATA", "second register" },
};

static bool make(const char *text, const struct event_defaults *defaults,
		 struct perf_event_attr *attr, struct event_spec *spec,
		 struct message *msg)
{
	const struct tprof_lx_backend *backend;

	msg->text[0] = '\0';
	if (event_parse(text, spec, msg))
		return false;
	backend = event_backend(spec, backends, NR_BACKENDS, msg);
	return backend &&
	       !event_attr(spec, defaults, backend, true, attr, msg);
}

static bool excludes(const struct perf_event_attr *attr, const char *what)
{
	return attr->exclude_user == !!strchr(what, 'u') &&
	       attr->exclude_kernel == !!strchr(what, 'k') &&
	       attr->exclude_guest == !!strchr(what, 'g') &&
	       attr->exclude_host == !!strchr(what, 'H') &&
	       attr->exclude_idle == !!strchr(what, 'i');
}

static void test_spellings(void)
{
	struct event_defaults counting = { .clockid = CLOCK_MONOTONIC };
	const struct tprof_lx_backend *backend;
	struct perf_event_attr attr;
	struct event_spec spec;
	struct message msg;
	char name[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spellings); i++) {
		snprintf(name, sizeof(name), "event string %s", spellings[i].text);
		if (!make(spellings[i].text, &counting, &attr, &spec, &msg)) {
			printf("# %s\n", msg.text);
			unit_ok(false, name);
			continue;
		}
		backend = event_backend(&spec, backends, NR_BACKENDS, &msg);
		unit_ok(!strcmp(backend->name, spellings[i].backend) &&
			attr.type == spellings[i].type &&
			attr.config == spellings[i].config &&
			excludes(&attr, spellings[i].excluded) &&
			!attr.precise_ip && !attr.config1, name);
	}
}

static void test_cpus(void)
{
	struct event_defaults counting = { .clockid = CLOCK_MONOTONIC };
	struct perf_event_attr attr;
	struct event_spec spec;
	struct message msg;

	unit_ok(make("cycles/cpu=1-2,cpu=9/u", &counting, &attr, &spec, &msg) &&
		spec.cpus.bytes == 2 && spec.cpus.bits[0] == 0x06 && spec.cpus.bits[1] == 0x02,
		"the CPUs of several terms add up");
	unit_ok(make("cpu/event=0xc2,cpu=0/", &counting, &attr, &spec, &msg) &&
		spec.cpus.bytes == 1 && attr.config == 0xc2, "a raw event has CPUs, too");
	unit_ok(make("cycles", &counting, &attr, &spec, &msg) && !spec.cpus.bytes,
		"an event has all CPUs without a term");
}

static void test_refusals(void)
{
	char long_text[300], name[128];
	struct event_spec spec;
	struct message msg;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		int err;

		msg.text[0] = '\0';
		err = event_parse(wrong[i].text, &spec, &msg);
		snprintf(name, sizeof(name), "event string '%s' is refused", wrong[i].text);
		if (err != -EINVAL || !strstr(msg.text, wrong[i].reason))
			printf("# %d: %s\n", err, msg.text);
		unit_ok(err == -EINVAL && strstr(msg.text, wrong[i].reason),
			name);
	}
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	unit_ok(event_parse(long_text, &spec, &msg) == -EINVAL &&
		strstr(msg.text, "too long"),
		"an event string that is too long is refused");
}

#define SHORT (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define EXACT .is_sole = true, .features = TPROF_LX_FEATURE_EXACT_PERIODS

/* Test which fields samples have in addition to address, thread and time. */
static void test_sample_types(void)
{
	static const struct {
		const char *what;
		const char *event;
		struct event_defaults defaults;
		u64 more;
	} cases[] = {
		{ "samples of user mode have no period if it is fixed",
		  "cycles:u", { EXACT, .period = 10000 }, 0 },
		{ "samples have a period that is shorter than an interrupt may be late",
		  "cycles:u", { EXACT, .period = 9999 }, PERF_SAMPLE_PERIOD },
		{ "samples of kernel mode have a period, which may grow",
		  "cycles", { EXACT, .period = 10000 }, PERF_SAMPLE_PERIOD },
		{ "samples have a period that the module may lengthen",
		  "cycles:u", { .is_sole = true, .period = 10000 }, PERF_SAMPLE_PERIOD },
		{ "samples have a period if it is random",
		  "cycles/random/u", { EXACT, .period = 10000 }, PERF_SAMPLE_PERIOD },
		{ "samples have a period if it is adapted to a frequency",
		  "cycles:u", { EXACT, .freq = 1000 }, PERF_SAMPLE_PERIOD },
		{ "samples of a clock have a period, as ticks may be merged",
		  "nmi:u", { EXACT, .period = 77777 }, PERF_SAMPLE_PERIOD },
		{ "samples have the CPU if it is requested",
		  "cycles:u", { EXACT, .period = 10000, .sample_cpu = true },
		  PERF_SAMPLE_CPU },
		{ "samples of several events have the identifier of their event",
		  "cycles:u", { .features = TPROF_LX_FEATURE_EXACT_PERIODS, .period = 10000 },
		  PERF_SAMPLE_IDENTIFIER },
		{ "samples have the parallelism if it is requested",
		  "cycles:u", { EXACT, .period = 10000, .parallelism = true },
		  PERF_SAMPLE_WEIGHT },
		{ "samples of threads that wait have no parallelism",
		  "off-cpu:u", { EXACT, .period = 10000, .parallelism = true },
		  PERF_SAMPLE_PERIOD },
		{ "nor do samples of tasks that are no targets",
		  "wakeups:u", { EXACT, .period = 10000, .parallelism = true },
		  PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW },
	};
	struct perf_event_attr attr;
	struct event_spec spec;
	struct message msg;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		unit_ok(make(cases[i].event, &cases[i].defaults, &attr, &spec, &msg) &&
			attr.sample_type == (SHORT | cases[i].more), cases[i].what);
}

static void test_names(void)
{
	const struct perf_event_attr plain = { 0 };
	const struct perf_event_attr chains = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	const struct perf_event_attr weighed = { .sample_type = PERF_SAMPLE_WEIGHT };
	const struct perf_event_attr kernels = {
		.sample_type = PERF_SAMPLE_CALLCHAIN,
		.exclude_callchain_user = 1,
	};
	struct event_spec spec;
	struct message msg;

	unit_ok(!event_parse("timer/period=5000/:uk", &spec, &msg) &&
		!strcmp(spec.name, "timer/period=5000/:uk") &&
		spec.period == 5000 && spec.user && spec.kernel,
		"the name of an event is the text that was typed");
	unit_ok(!event_parse("cpu/event=1,name=a.b/u", &spec, &msg) &&
		!strcmp(spec.name, "a.b") && spec.user,
		"the term name= names an event");
	unit_ok(!event_parse("cycles/period=9,random/", &spec, &msg) &&
		spec.random && event_flags(&spec, &plain, ~0ULL) == TPROF_LX_EVENT_RANDOM,
		"the term random sets TPROF_LX_EVENT_RANDOM");
	unit_ok(!event_parse("cycles/random=0/", &spec, &msg) &&
		!event_flags(&spec, &plain, ~0ULL),
		"the term random=0 sets no flag");
	unit_ok(event_flags(&spec, &weighed, ~0ULL) == TPROF_LX_EVENT_PARALLELISM,
		"a weight is the parallelism");
	unit_ok(event_flags(&spec, &chains, ~0ULL) == TPROF_LX_EVENT_DEFERRED,
		"call chains with a user part are deferred");
	unit_ok(!event_flags(&spec, &kernels, ~0ULL),
		"call chains of the kernel only are not deferred");
	unit_ok(!event_flags(&spec, &chains, TPROF_LX_FEATURE_CHAINS),
		"call chains are not deferred if the module cannot");
}

static void test_list(void)
{
	struct event_spec specs[3];
	struct message msg;
	u32 nr = 0;

	unit_ok(!event_parse_list("cpu/event=1,umask=2/u,INST_RETIRED:ANY_P",
				  specs, 3, &nr, &msg) && nr == 2 &&
		specs[0].config == 0x201 && specs[0].user &&
		specs[1].config == 0xc0 && !specs[1].user,
		"commas between slashes do not end an event");
	unit_ok(!event_parse_list("nmi", specs, 3, &nr, &msg) && nr == 3 &&
		!strcmp(specs[2].backend, "nmi"),
		"a second list of events is appended");
	unit_ok(event_parse_list("timer", specs, 3, &nr, &msg) == -EINVAL &&
		strstr(msg.text, "at most 3"), "more events than fit are refused");
	nr = 0;
	unit_ok(event_parse_list("cycles,", specs, 3, &nr, &msg) == -EINVAL,
		"a list that ends with a comma is refused");
	nr = 0;
	unit_ok(event_parse_list("cycles,,nmi", specs, 3, &nr, &msg) == -EINVAL,
		"a list with two commas in a row is refused");
	nr = 0;
	unit_ok(event_parse_list("nmi,{cycles,branches}", specs, 3, &nr, &msg) ==
			-EINVAL && strstr(msg.text, "group"),
		"a list with a group is refused");
}

static u32 cores_of(const char *text)
{
	struct perf_event_attr plain = { 0 };
	struct event_spec spec;
	struct message msg;

	return event_parse(text, &spec, &msg) ? ~0U : event_flags(&spec, &plain, 0);
}

static void test_cores(void)
{
	struct event_spec spec;
	struct message msg;

	unit_ok(cores_of("cpu_core/instructions/") == TPROF_LX_EVENT_CPU_CORE &&
		cores_of("cpu_core/event=0xc0/u") == TPROF_LX_EVENT_CPU_CORE,
		"cpu_core is for performance cores");
	unit_ok(cores_of("cpu_atom/r01c2/") == TPROF_LX_EVENT_CPU_ATOM,
		"cpu_atom is for efficient cores");
	unit_ok(!cores_of("cpu/instructions/") && !cores_of("instructions"),
		"cpu is for all cores");
	unit_ok(!event_parse("cpu_atom/instructions/", &spec, &msg) &&
		!strcmp(spec.name, "cpu_atom/instructions/"),
		"the event is named with its kind of cores");
}

static void test_backend(void)
{
	struct event_spec spec;
	struct message msg;

	event_parse("fake", &spec, &msg);
	unit_ok(event_backend(&spec, backends, NR_BACKENDS, &msg) == &backends[2],
		"a back end is found by its name");
	event_parse("tiemr", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'timer'"), "timer is suggested for tiemr");
	event_parse("cylces:u", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'cycles'"),
		"cycles is suggested for cylces:u");
	event_parse("r0x1c2", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "no event 'r0x1c2'"),
		"r0x1c2 is not taken for a raw event");
	event_parse("cpu-clok", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'cpu-clock'"),
		"cpu-clock is suggested for cpu-clok");
	event_parse("fakee", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'fake'"),
		"a back end of another module is suggested too");
	event_parse("inst_retird", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'INST_RETIRED'"),
		"an event of the processor is suggested too");
	event_parse("branch", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_BACKENDS, &msg) &&
		strstr(msg.text, "'branches'"),
		"branches is suggested for branch");
	event_parse("cycles", &spec, &msg);
	unit_ok(!event_backend(&spec, backends, NR_CLOCKS, &msg) &&
		strstr(msg.text, "cycles needs a hardware counter") &&
		strstr(msg.text, event_why_no_counters()) &&
		strstr(msg.text, "nmi"),
		"without counters, cycles is refused with the reason");
	unit_ok(event_counters(backends, NR_BACKENDS) == &backends[NR_CLOCKS] &&
		!event_counters(backends, NR_CLOCKS),
		"the back end of the hardware counters is found");
}

static void test_rate(void)
{
	struct event_defaults by_freq = { .freq = 1000 };
	struct event_defaults by_period = { .period = 77, .freq = 1000 };
	struct event_defaults counting = { 0 };
	struct perf_event_attr attr;
	struct event_spec spec;
	struct message msg;

	unit_ok(make("nmi", &by_freq, &attr, &spec, &msg) && attr.freq &&
		attr.sample_freq == 1000,
		"a clock takes the default frequency");
	unit_ok(make("cycles", &by_freq, &attr, &spec, &msg) && attr.freq &&
		attr.sample_freq == 1000,
		"a counter takes the default frequency");
	unit_ok(make("nmi", &by_period, &attr, &spec, &msg) && !attr.freq &&
		attr.sample_period == 77, "-c overrides the default frequency");
	unit_ok(make("nmi/freq=5/", &by_period, &attr, &spec, &msg) &&
		attr.freq && attr.sample_freq == 5,
		"the frequency of an event overrides -c");
	unit_ok(make("r01c2/period=5/", &by_period, &attr, &spec, &msg) &&
		!attr.freq && attr.sample_period == 5,
		"the period of an event overrides -c");
	unit_ok(make("tsc", &counting, &attr, &spec, &msg) && !attr.freq &&
		!attr.sample_period,
		"an event without any rate is only counted");
	unit_ok(!make("tsc", &by_freq, &attr, &spec, &msg) &&
		strstr(msg.text, "stat"), "sampling with tsc is refused");
	unit_ok(make("page-faults", &by_freq, &attr, &spec, &msg) && !attr.freq &&
		attr.sample_period == 1, "each software event is sampled by default");
	unit_ok(make("page-faults", &by_period, &attr, &spec, &msg) && !attr.freq &&
		attr.sample_period == 77, "-c sets the period of software events");
	unit_ok(make("page-faults", &counting, &attr, &spec, &msg) && !attr.sample_period,
		"a software event without any rate is only counted");
	unit_ok(!make("page-faults/freq=5/", &by_freq, &attr, &spec, &msg) &&
		strstr(msg.text, "period"), "a frequency of a software event is refused");
	unit_ok(!make("task-clock", &by_freq, &attr, &spec, &msg) &&
		strstr(msg.text, "timer"), "sampling with the task clock is refused");
}

static void test_attr(void)
{
	struct event_defaults defaults = { .freq = 1, .clockid = CLOCK_TAI };
	struct event_defaults user = { .freq = 1, .all_user = true };
	struct event_defaults waits = { .freq = 1, .features = TPROF_LX_FEATURE_WAITS };
	struct perf_event_attr attr;
	struct event_spec spec;
	struct message msg;

	unit_ok(!make("nmi:k", &user, &attr, &spec, &msg) &&
		strstr(msg.text, "excludes both"),
		"modifier k is refused with --all-user");
	unit_ok(make("cycles", &user, &attr, &spec, &msg) &&
		attr.exclude_kernel && !attr.exclude_user,
		"--all-user excludes the kernel");
	unit_ok(make("nmi", &defaults, &attr, &spec, &msg) && attr.size == 112 &&
		attr.use_clockid && attr.clockid == CLOCK_TAI &&
		attr.sample_id_all, "the attr has the clock of the recording");
	unit_ok(attr.comm && attr.comm_exec && attr.mmap && attr.mmap2 &&
		attr.build_id && attr.task && !attr.context_switch,
		"the first event asks for the side-band records");
	unit_ok(!event_attr(&spec, &defaults, &backends[0], false, &attr, &msg) &&
		!attr.comm && !attr.mmap && !attr.task,
		"other events ask for no side-band records");
	unit_ok(!make("nmi/config=3/", &defaults, &attr, &spec, &msg),
		"a clock with a config is refused");
	unit_ok(!make("nmi:G", &defaults, &attr, &spec, &msg) &&
		strstr(msg.text, "guests"), "a clock cannot select guests");
	unit_ok(!make("timer/random/", &defaults, &attr, &spec, &msg) &&
		strstr(msg.text, "random"),
		"a clock cannot have random periods");
	unit_ok(make("off-cpu", &defaults, &attr, &spec, &msg) &&
		!(attr.sample_type & PERF_SAMPLE_RAW) &&
		make("off-cpu", &waits, &attr, &spec, &msg) &&
		attr.sample_type & PERF_SAMPLE_RAW &&
		make("context-switches", &waits, &attr, &spec, &msg) &&
		!(attr.sample_type & PERF_SAMPLE_RAW),
		"samples of off-cpu have a state if the module can record it");
	unit_ok(make("wakeups", &defaults, &attr, &spec, &msg) &&
		attr.sample_type & PERF_SAMPLE_RAW, "samples of wakeups have the thread");
	unit_ok(make("cycles/random/", &defaults, &attr, &spec, &msg),
		"a counter can have random periods");
}

int main(void)
{
	setenv("LIBPFM_FORCE_PMU", "skx", 1);
	test_spellings();
	test_cpus();
	test_refusals();
	test_names();
	test_sample_types();
	test_list();
	test_cores();
	test_backend();
	test_rate();
	test_attr();
	return unit_exit();
}
