// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - format numbers and sets of CPUs for people
 */
#include <stdio.h>

#include "base/number_text.h"

/* Format a number of bytes like "1.5 MiB". @buf needs 16 bytes. */
const char *size_text(u64 bytes, char *buf, size_t len)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double size = bytes;
	size_t i = 0;

	if (bytes < 1024) {
		snprintf(buf, len, "%llu B", bytes);
		return buf;
	}
	for (size /= 1024; size >= 1024 && i < ARRAY_SIZE(units) - 1; i++)
		size /= 1024;
	snprintf(buf, len, "%.1f %s", size, units[i]);
	return buf;
}

/* Format a count like "1,234,567". @buf needs 32 bytes. */
const char *count_text(u64 count, char *buf, size_t len)
{
	char digits[24];
	int nr = snprintf(digits, sizeof(digits), "%llu", count);
	size_t out = 0;
	int i;

	for (i = 0; i < nr && out + 2 < len; i++) {
		if (i && (nr - i) % 3 == 0)
			buf[out++] = ',';
		buf[out++] = digits[i];
	}
	buf[out] = '\0';
	return buf;
}

/* Format a set of CPUs as the kernel does, like "0-3,8", truncated to @len bytes. */
const char *cpus_text(const struct cpu_list *cpus, char *buf, size_t len)
{
	u32 cpu, last, nr = cpus->bytes * 8;
	size_t used = 0;

	buf[0] = '\0';
	for (cpu = 0; cpu < nr && used < len; cpu = last + 1) {
		last = cpu;
		if (!cpu_list_has(cpus, cpu))
			continue;
		while (cpu_list_has(cpus, last + 1))
			last++;
		used += snprintf(buf + used, len - used, "%s%u", used ? "," : "", cpu);
		if (last > cpu && used < len)
			used += snprintf(buf + used, len - used, "-%u", last);
	}
	return buf;
}
