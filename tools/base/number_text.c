// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - numbers and sets as people read them
 */
#include <stdio.h>

#include "base/number_text.h"

/* Write a number of bytes as "1.5 MiB". 16 bytes of @buf are enough. */
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

/* Write a count as "1,234,567". 32 bytes of @buf are enough. */
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

/* Write a set of CPUs as the kernel does, "0-3,8". The text is cut at @len. */
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
