// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - parsing of numbers, sizes, times and lists
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "unit.h"

static const struct {
	const char *text;
	int err;
	u64 value;
} numbers[] = {
	{ "0", 0, 0 },
	{ "42", 0, 42 },
	{ "010", 0, 10 },
	{ "0x10", 0, 16 },
	{ "18446744073709551615", 0, ~0ULL },
	{ "18446744073709551616", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ " 1", -EINVAL, 0 },
	{ "1x", -EINVAL, 0 },
	{ "0x", -EINVAL, 0 },
}, sizes[] = {
	{ "4096", 0, 4096 },
	{ "64K", 0, 65536 },
	{ "2m", 0, 2 << 20 },
	{ "3G", 0, 3ULL << 30 },
	{ "64KB", -EINVAL, 0 },
	{ "K", -EINVAL, 0 },
	{ "64k ", -EINVAL, 0 },
	{ "18014398509481984K", -ERANGE, 0 },
	{ "18014398509481983K", 0, 18014398509481983ULL << 10 },
}, seconds[] = {
	{ "1", 0, NSEC_PER_SEC },
	{ "0.5", 0, NSEC_PER_SEC / 2 },
	{ "2.000000001", 0, 2 * NSEC_PER_SEC + 1 },
	{ "1.", 0, NSEC_PER_SEC },
	{ "0.0000000001", -EINVAL, 0 },
	{ ".5", -EINVAL, 0 },
	{ "1s", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ "99999999999999999999", -ERANGE, 0 },
};

static const struct {
	const char *text;
	int err;
	u64 value;
} durations[] = {
	{ "500us", 0, 500000 },
	{ "1ms", 0, 1000000 },
	{ "18446744073s", 0, 18446744073 * NSEC_PER_SEC },
	{ "18446744074s", -ERANGE, 0 },
	{ "0ms", -ERANGE, 0 },
	{ "5", -EINVAL, 0 },
	{ "5m", -EINVAL, 0 },
	{ "5ms ", -EINVAL, 0 },
	{ "ms", -EINVAL, 0 },
	{ "-1s", -EINVAL, 0 },
	{ "", -EINVAL, 0 },
};

static bool is_parsed(int (*parse)(const char *text, u64 *value),
		      const char *text, int err, u64 expected)
{
	const u64 untouched = 0x5a5a5a5a5a5a5a5aULL;
	u64 value = untouched;
	int got = parse(text, &value);

	return got == err && value == (err ? untouched : expected);
}

static void test_numbers(void)
{
	char name[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		snprintf(name, sizeof(name), "number '%s'", numbers[i].text);
		unit_ok(is_parsed(parse_u64, numbers[i].text, numbers[i].err,
				  numbers[i].value), name);
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		snprintf(name, sizeof(name), "size '%s'", sizes[i].text);
		unit_ok(is_parsed(parse_size, sizes[i].text, sizes[i].err,
				  sizes[i].value), name);
	}
	for (i = 0; i < ARRAY_SIZE(seconds); i++) {
		snprintf(name, sizeof(name), "seconds '%s'", seconds[i].text);
		unit_ok(is_parsed(parse_seconds, seconds[i].text,
				  seconds[i].err, seconds[i].value), name);
	}
}

static void test_durations(void)
{
	char name[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(durations); i++) {
		snprintf(name, sizeof(name), "duration '%s'", durations[i].text);
		unit_ok(is_parsed(parse_duration, durations[i].text, durations[i].err,
				  durations[i].value), name);
	}
}

static void test_cpu_list(void)
{
	static const char *const wrong[] = { "", ",", "1,", "3-1", "1-", "a",
					     "1-2-3", "1 2" };
	struct cpu_list cpus = { 0 };
	char name[64];
	size_t i;

	unit_ok(!parse_cpu_list("0-2,9", &cpus) && cpus.bytes == 2 &&
		cpus.bits[0] == 0x07 && cpus.bits[1] == 0x02,
		"the list of CPUs 0-2,9 is parsed");
	unit_ok(!parse_cpu_list("8191", &cpus) && cpus.bytes == 1024 &&
		cpus.bits[1023] == 0x80 && !cpus.bits[0],
		"a list of CPUs replaces the one before");
	unit_ok(parse_cpu_list("8192", &cpus) == -ERANGE,
		"CPU 8192 is out of range");
	unit_ok(parse_cpu_list("0-99999999999", &cpus) == -ERANGE,
		"a range of CPUs up to 99999999999 is out of range");
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(name, sizeof(name), "list of CPUs '%s' is refused", wrong[i]);
		unit_ok(parse_cpu_list(wrong[i], &cpus) == -EINVAL, name);
	}
	unit_ok(cpus.bytes == 1024 && cpus.bits[1023] == 0x80,
		"a wrong list of CPUs changes nothing");
}

static void test_pid_list(void)
{
	static struct pid_list pids;
	char text[6 * PID_LIST_MAX + 8] = "";
	int i;

	unit_ok(!parse_pid_list("12,3", &pids) && pids.nr == 2 &&
		pids.pids[0] == 12 && pids.pids[1] == 3,
		"the list of pids 12,3 is parsed");
	unit_ok(!parse_pid_list("7", &pids) && pids.nr == 3 &&
		pids.pids[2] == 7, "a second list of pids is added");
	unit_ok(!parse_pid_list("0", &pids) && pids.nr == 4 && pids.pids[3] == 0,
		"pid 0, the idle task, is accepted");
	unit_ok(pid_list_has(&pids, 0) && !pid_list_has(&pids, 1),
		"a pid is found in the list");
	unit_ok(parse_pid_list("1,,2", &pids) == -EINVAL,
		"the list of pids 1,,2 is refused");
	unit_ok(parse_pid_list("2147483648", &pids) == -ERANGE,
		"a pid of 2^31 is out of range");
	for (i = 0; i < PID_LIST_MAX; i++)
		strcat(text, i ? ",10000" : "10000");
	unit_ok(parse_pid_list(text, &pids) == -ERANGE && pids.nr == 4,
		"more pids than a session takes are refused");
}

int main(void)
{
	test_numbers();
	test_durations();
	test_cpu_list();
	test_pid_list();
	return unit_exit();
}
