// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check that the wanted CPUs are possible and online
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "live/cpus.h"

static int read_list(const char *directory, const char *name, struct cpu_list *cpus)
{
	char path[256], line[4096];
	FILE *file;
	bool is_read;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	is_read = fgets(line, sizeof(line), file);
	fclose(file);
	if (!is_read)
		return -EIO;
	line[strcspn(line, "\n")] = '\0';
	return parse_cpu_list(line, cpus);
}

/* Remove the CPUs in @there from @cpus. Return whether any CPU remains. */
static bool take_away(struct cpu_list *cpus, const struct cpu_list *there)
{
	u8 rest = 0;

	for (size_t i = 0; i < sizeof(cpus->bits); i++) {
		cpus->bits[i] &= ~there->bits[i];
		rest |= cpus->bits[i];
	}
	return rest;
}

/*
 * Check that the CPUs in @wanted are possible and online. An empty @wanted
 * means all CPUs, for which there is nothing to check. On failure, set @msg and
 * return:
 * - -EINVAL if a CPU is not possible;
 * - -ENODEV if a CPU is offline. It counts nothing until it is online.
 */
int cpus_check(const struct cpu_list *wanted, const char *directory, struct message *msg)
{
	struct cpu_list there = { 0 }, missing = *wanted;
	char text[256];

	if (!wanted->bytes)
		return 0;
	if (read_list(directory, "possible", &there) == 0 && take_away(&missing, &there))
		return message_set(msg, -EINVAL, "this machine has no CPU %s; see %s/possible",
				   cpus_text(&missing, text, sizeof(text)), directory);
	missing = *wanted;
	there = (struct cpu_list){ 0 };
	if (read_list(directory, "online", &there) == 0 && take_away(&missing, &there))
		return message_set(msg, -ENODEV, "CPU %s is offline",
				   cpus_text(&missing, text, sizeof(text)));
	return 0;
}
