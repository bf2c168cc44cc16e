// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - checking a list of CPUs against the CPUs of the machine
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/cpus.h"
#include "unit.h"

static char directory[] = "/tmp/tprof-cpus.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

static void take(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	unlink(path);
}

static int check(const char *list, struct message *msg)
{
	struct cpu_list cpus = { 0 };

	if (*list && parse_cpu_list(list, &cpus))
		abort();
	return cpus_check(&cpus, directory, msg);
}

int main(void)
{
	struct message msg;

	if (!mkdtemp(directory))
		abort();
	put("possible", "0-15\n");
	put("online", "0-2,8\n");
	unit_ok(check("", &msg) == 0, "an empty list stands for all CPUs");
	unit_ok(check("0-2,8", &msg) == 0 && check("1", &msg) == 0,
		"a list of online CPUs is accepted");
	unit_ok(check("0,3", &msg) == -ENODEV && strstr(msg.text, "CPU 3 is"),
		"an offline CPU is refused and named");
	unit_ok(check("0,16-18,99", &msg) == -EINVAL && strstr(msg.text, "CPU 16-18,99;"),
		"impossible CPUs are refused and named");
	take("online");
	take("possible");
	unit_ok(check("5", &msg) == 0,
		"without sysfs any CPU is accepted: the module checks it");
	rmdir(directory);
	return unit_exit();
}
