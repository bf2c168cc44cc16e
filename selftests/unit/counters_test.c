// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - names of counters, and the processes that use them
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number_text.h"
#include "live/counters.h"
#include "live/holders.h"
#include "show/counter_choice.h"
#include "unit.h"

static bool names(const char *text, u32 kind, u32 number)
{
	struct tprof_lx_row_admin arg = { .kind = ~0U };
	struct tprof_lx_row row = { .kind = kind, .number = number };
	char name[COUNTER_NAME_LEN];

	return !counter_parse(text, &arg) && arg.kind == kind && arg.number == number &&
	       !strcmp(counter_name(&row, name, sizeof(name)), text);
}

static void test_names(void)
{
	static const char *const wrong[] = { "", "gp", "gp-1", "gp1x", "gp 1", "pg1", "fixed",
					     "gp4294967296", "GP0", "gp0x1" };
	struct tprof_lx_row_admin arg;
	bool refused = true;
	size_t i;

	unit_ok(names("gp0", TPROF_LX_ROW_GENERAL, 0) && names("gp12", TPROF_LX_ROW_GENERAL, 12) &&
		names("fixed2", TPROF_LX_ROW_FIXED, 2),
		"names of counters are parsed and printed");
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		refused = refused && counter_parse(wrong[i], &arg) == -EINVAL;
	unit_ok(refused, "wrong names of counters are refused");
}

static bool event_is(u32 type, u64 config, const char *expected)
{
	struct tprof_lx_row row = { .type = type, .config = config };
	char event[COUNTER_EVENT_LEN];

	return !strcmp(counter_event(&row, event, sizeof(event)), expected);
}

static void test_events(void)
{
	unit_ok(event_is(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, "branch-misses"),
		"a generic event has its name");
	unit_ok(event_is(PERF_TYPE_RAW, 0x1c2, "r1c2"),
		"a raw event has its code");
	unit_ok(event_is(PERF_TYPE_HARDWARE, 99, "type 0 config 0x63"),
		"an unknown event has its type and config");
}

static void test_who(void)
{
	struct tprof_lx_row rows[] = {
		{ .state = TPROF_LX_ROW_TAKEN, .pid = 812, .comm = "tprof-lx" },
		{ .number = 1, .state = TPROF_LX_ROW_FREE },
		{ .number = 2, .state = TPROF_LX_ROW_DISABLED },
		{ .kind = TPROF_LX_ROW_FIXED, .state = TPROF_LX_ROW_TAKEN, .pid = 9, .comm = "x" },
	};
	char who[128], little[8];

	unit_ok(counters_holders(rows, ARRAY_SIZE(rows), who, sizeof(who)) == 3 &&
		!strcmp(who, "gp0 tprof-lx (process 812), gp2 disabled, fixed0 x (process 9)"),
		"the holder of each counter is listed");
	unit_ok(counters_holders(rows, ARRAY_SIZE(rows), little, sizeof(little)) == 3 &&
		strlen(little) < sizeof(little),
		"a list of holders is cut to the buffer");
	rows[0].in_way = 1;
	rows[0].sharers = 2;
	unit_ok(counters_holders(rows, ARRAY_SIZE(rows), who, sizeof(who)) == 3 &&
		!strcmp(who, "gp0 tprof-lx (process 812) and 2 more"),
		"only the holder that is in the way is listed");
	rows[0].in_way = 0;
	rows[0].sharers = 0;
	unit_ok(counters_holders(&rows[1], 1, who, sizeof(who)) == 0 && !*who,
		"a free counter has no holder");
	strcpy(rows[0].comm, "a\033[2J");
	unit_ok(counters_holders(rows, 1, who, sizeof(who)) == 1 &&
		!strcmp(who, "gp0 a\\x1b[2J (process 812)"),
		"the name of a holder is escaped");
}

static void test_holders(void)
{
	char dir[] = "/tmp/tprof-lx-unit.XXXXXX", path[128];
	struct holders who;
	FILE *file;

	mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/41", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/41/comm", dir);
	file = fopen(path, "w");
	fputs("(process\0331)\n", file);
	fclose(file);
	snprintf(path, sizeof(path), "%s/41/fd", dir);
	mkdir(path, 0700);
	holders_find(&who, dir);
	unit_ok(!who.nr && !*who.text && !who.perf,
		"a process without perf events and VMs is no holder");
	snprintf(path, sizeof(path), "%s/41/fd/3", dir);
	unit_ok(!symlink("anon_inode:kvm-vm", path),
		"the test links a virtual machine");
	holders_find(&who, dir);
	unit_ok(who.nr == 1 && !who.perf,
		"a process with a VM is a holder, but not to be killed");
	unlink(path);
	unit_ok(!symlink("anon_inode:[perf_event]", path),
		"the test links an event of perf");
	holders_find(&who, dir);
	unit_ok(who.nr == 1 && !strcmp(who.text, "(process\\x1b1) (process 41)") && who.perf == 41,
		"a process with an event of perf is a holder, whatever its name");
	snprintf(path, sizeof(path), "%s/41/fd/4", dir);
	unit_ok(!symlink("anon_inode:kvm-vm", path),
		"the test links a virtual machine as well");
	holders_find(&who, dir);
	unit_ok(who.nr == 1 && who.guests && !who.perf,
		"a process with an event and a VM is not to be killed either");
	snprintf(path, sizeof(path), "rm -r %s", dir);
	unit_ok(!system(path), "the directory of the test is removed");
}

static void test_texts(void)
{
	struct cpu_list cpus = { .bits = { 0x8b, 0xff }, .bytes = 2 };
	char buf[64], little[6];

	unit_ok(!strcmp(cpus_text(&cpus, buf, sizeof(buf)), "0-1,3,7-15"),
		"a set of CPUs is printed as ranges");
	unit_ok(strlen(cpus_text(&cpus, little, sizeof(little))) == 5,
		"a set of CPUs is cut to the buffer");
	cpus.bytes = 0;
	unit_ok(!strcmp(cpus_text(&cpus, buf, sizeof(buf)), ""),
		"an empty set of CPUs is an empty text");
}

static bool chooses(const struct counter_choice *choice, const char *expected)
{
	char text[128];

	return !strcmp(counter_choice_text(choice, text, sizeof(text)), expected);
}

static void test_choice(void)
{
	static const struct tprof_lx_row core[] = {
		{ .number = 0 }, { .number = 1 }, { .number = 10 },
		{ .kind = TPROF_LX_ROW_FIXED, .number = 0 },
	};
	static const struct tprof_lx_row atom[] = { { .number = 1 }, { .number = 2 } };
	struct counter_choice choice = { 0 };
	char little[6];

	unit_ok(counter_is_pattern("gp*") && counter_is_pattern("gp?") &&
		counter_is_pattern("gp[01]") && !counter_is_pattern("gp10"),
		"what has a wildcard is a pattern");
	unit_ok(!counter_choose_fits(&choice, "gp?", core, ARRAY_SIZE(core)) &&
		chooses(&choice, "gp0, gp1"), "a pattern fits whole names");
	unit_ok(!counter_choose_fits(&choice, "gp*", atom, ARRAY_SIZE(atom)) &&
		chooses(&choice, "gp0, gp1, gp2"), "a counter of several CPUs is chosen once");
	unit_ok(strlen(counter_choice_text(&choice, little, sizeof(little))) == 5,
		"the names are cut to the buffer");
	choice.nr = 0;
	unit_ok(!counter_choose_fits(&choice, "*[0]", core, ARRAY_SIZE(core)) &&
		chooses(&choice, "gp0, gp10, fixed0"), "a pattern fits both kinds");
	choice.nr = 0;
	unit_ok(!counter_choose_fits(&choice, "gp[3-9]", core, ARRAY_SIZE(core)) && !choice.nr,
		"a pattern may fit nothing");
	unit_ok(!counter_choose_name(&choice, "gp00000000000000003") && chooses(&choice, "gp3"),
		"a number may have zeros before it");
	choice.nr = COUNTER_CHOICE_MAX;
	unit_ok(counter_choose(&choice, "gp77"), "a full choice is an error");
}

int main(void)
{
	test_choice();
	test_names();
	test_events();
	test_who();
	test_holders();
	test_texts();
	return unit_exit();
}
