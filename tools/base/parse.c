// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - parse numbers, sizes, times and lists of the command line
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"

/*
 * Parse the number at the start of @text. strtoull() alone would accept signs and
 * blanks and, with base 0, would parse 010 as 8.
 */
static int number(const char *text, const char **end, u64 *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *stop;
	u64 n;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &stop, hex ? 16 : 10);
	if (errno == ERANGE)
		return -ERANGE;
	*end = stop;
	*value = n;
	return 0;
}

/* Parse a decimal number, or a hexadecimal one with the prefix 0x. */
int parse_u64(const char *text, u64 *value)
{
	const char *end;
	u64 n;
	int err = number(text, &end, &n);

	if (err)
		return err;
	if (*end)
		return -EINVAL;
	*value = n;
	return 0;
}

static int unit_shift(const char *unit)
{
	switch (toupper((unsigned char)unit[0])) {
	case '\0':
		return 0;
	case 'K':
		return unit[1] ? -EINVAL : 10;
	case 'M':
		return unit[1] ? -EINVAL : 20;
	case 'G':
		return unit[1] ? -EINVAL : 30;
	default:
		return -EINVAL;
	}
}

/* Parse a number of bytes, with an optional suffix K, M or G. */
int parse_size(const char *text, u64 *bytes)
{
	const char *unit;
	u64 n;
	int shift, err = number(text, &unit, &n);

	if (err)
		return err;
	shift = unit_shift(unit);
	if (shift < 0)
		return shift;
	if (n > ULLONG_MAX >> shift)
		return -ERANGE;
	*bytes = n << shift;
	return 0;
}

/*
 * Parse a time in seconds, with an optional fraction of at most 9 digits. A longer
 * fraction is an error, because it would have to be rounded.
 */
int parse_seconds(const char *text, u64 *ns)
{
	u64 unit = NSEC_PER_SEC, total = 0;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++) {
		if (total > ULLONG_MAX / 100 / NSEC_PER_SEC)
			return -ERANGE;
		total = total * 10 + (*text - '0');
	}
	total *= NSEC_PER_SEC;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text) && unit > 1; text++) {
			unit /= 10;
			total += (*text - '0') * unit;
		}
	}
	if (*text)
		return -EINVAL;
	*ns = total;
	return 0;
}

/*
 * Parse a time in whole microseconds, milliseconds or seconds, such as 100ms. It must have a
 * unit, and must not be 0.
 */
int parse_duration(const char *text, u64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = { { "us", NSEC_PER_USEC }, { "ms", NSEC_PER_MSEC }, { "s", NSEC_PER_SEC } };
	const char *unit;
	size_t i;
	u64 n;
	int err = number(text, &unit, &n);

	for (i = 0; i < ARRAY_SIZE(units) && !err; i++) {
		if (strcmp(unit, units[i].name))
			continue;
		if (!n || n > ULLONG_MAX / units[i].ns)
			return -ERANGE;
		*ns = n * units[i].ns;
		return 0;
	}
	return err ? err : -EINVAL;
}

static int add_cpus(struct cpu_list *cpus, u64 first, u64 last)
{
	u64 cpu;

	if (first > last)
		return -EINVAL;
	if (last >= CPU_LIST_MAX)
		return -ERANGE;
	for (cpu = first; cpu <= last; cpu++)
		cpus->bits[cpu / 8] |= 1 << cpu % 8;
	if (cpus->bytes < last / 8 + 1)
		cpus->bytes = last / 8 + 1;
	return 0;
}

/* Parse a set of CPUs in the kernel's format, such as 0-3,8,10-11. */
int parse_cpu_list(const char *text, struct cpu_list *cpus)
{
	struct cpu_list found = { 0 };
	u64 first, last;
	int err;

	for (;; text++) {
		err = number(text, &text, &first);
		last = first;
		if (!err && *text == '-')
			err = number(text + 1, &text, &last);
		if (!err)
			err = add_cpus(&found, first, last);
		if (err)
			return err;
		if (*text != ',')
			break;
	}
	if (*text)
		return -EINVAL;
	*cpus = found;
	return 0;
}

bool cpu_list_has(const struct cpu_list *cpus, u32 cpu)
{
	return cpu / 8 < cpus->bytes && cpus->bits[cpu / 8] & 1 << cpu % 8;
}

/* Parse process ids separated by commas and append them to @pids. */
int parse_pid_list(const char *text, struct pid_list *pids)
{
	u32 nr = pids->nr;
	u64 pid;
	int err;

	for (;; text++) {
		err = number(text, &text, &pid);
		if (err)
			return err;
		if (pid > INT_MAX || nr == PID_LIST_MAX)
			return -ERANGE;
		pids->pids[nr++] = pid;
		if (*text != ',')
			break;
	}
	if (*text)
		return -EINVAL;
	pids->nr = nr;
	return 0;
}

bool pid_list_has(const struct pid_list *pids, s32 pid)
{
	u32 i = 0;

	while (i < pids->nr && pids->pids[i] != pid)
		i++;
	return i < pids->nr;
}
