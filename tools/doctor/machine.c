// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what a machine has that a profiler depends on
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "doctor/machine.h"
#include "live/holders.h"

#define PATH_LEN	512

/**
 * machine_has - is there a file?
 * @machine:	the machine
 * @format:	its path
 *
 * Return: true if it can be seen.
 */
bool machine_has(const struct machine *machine, const char *format, ...)
{
	char path[PATH_LEN];
	va_list args;
	int used;

	used = snprintf(path, sizeof(path), "%s", machine->root);
	if (used >= (int)sizeof(path))
		return false;
	va_start(args, format);
	vsnprintf(path + used, sizeof(path) - used, format, args);
	va_end(args);
	return !access(path, F_OK);
}

static size_t read_from(const struct machine *machine, const char *path, bool from_end,
			char *text, size_t len)
{
	char whole[PATH_LEN];
	size_t bytes = 0;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", machine->root, path);
	file = fopen(whole, "re");
	if (file) {
		/* A file that is shorter has its end in its beginning. */
		if (from_end && fseek(file, -(long)(len - 1), SEEK_END))
			rewind(file);
		bytes = fread(text, 1, len - 1, file);
		fclose(file);
	}
	text[bytes] = '\0';
	return bytes;
}

/**
 * machine_read - read a small file
 * @machine:	the machine
 * @path:	its path
 * @text:	what it holds, up to the last byte, which becomes a zero
 * @len:	size of @text
 *
 * Return: bytes; 0 if it cannot be read.
 */
size_t machine_read(const struct machine *machine, const char *path, char *text, size_t len)
{
	return read_from(machine, path, false, text, len);
}

/**
 * machine_read_end - read the end of a file
 * @machine:	the machine
 * @path:	its path
 * @text:	as much of it as there is room for, and a zero
 * @len:	size of @text
 *
 * Return: bytes; 0 if it cannot be read.
 */
size_t machine_read_end(const struct machine *machine, const char *path, char *text, size_t len)
{
	return read_from(machine, path, true, text, len);
}

static void read_line(const struct machine *machine, const char *path, char *text, size_t len)
{
	machine_read(machine, path, text, len);
	text[strcspn(text, "\n")] = '\0';
}

static u32 read_number(const struct machine *machine, const char *path)
{
	char text[32];

	machine_read(machine, path, text, sizeof(text));
	return strtoul(text, NULL, 0);
}

/* Switches of modules are letters, and some are numbers. */
static bool read_switch(const struct machine *machine, const char *path)
{
	char text[8];

	return machine_read(machine, path, text, sizeof(text)) &&
	       (text[0] == 'Y' || text[0] == '1');
}

/* ID=debian, or ID_LIKE="rhel fedora": without the quotes. */
static void add_words(const char *text, const char *key, char *words, size_t len)
{
	size_t used = strlen(words);
	const char *line = text;

	while (*line && strncmp(line, key, strlen(key)))
		line += strcspn(line, "\n") + !!line[strcspn(line, "\n")];
	if (!*line)
		return;
	line += strlen(key);
	line += strspn(line, "\"'");
	snprintf(words + used, len - used, "%s%.*s", used ? " " : "",
		 (int)strcspn(line, "\"'\n"), line);
}

static void look_for_distribution(struct machine *machine)
{
	char text[4096];

	machine_read(machine, "/etc/os-release", text, sizeof(text));
	add_words(text, "ID=", machine->distribution, sizeof(machine->distribution));
	add_words(text, "ID_LIKE=", machine->distribution, sizeof(machine->distribution));
}

/* CPUs in a list such as 0-3,8. */
static u32 count_cpus(const struct machine *machine, const char *path)
{
	struct cpu_list list = { 0 };
	char text[256];
	u32 cpu, nr = 0;

	read_line(machine, path, text, sizeof(text));
	if (parse_cpu_list(text, &list))
		return 0;
	for (cpu = 0; cpu < CPU_LIST_MAX; cpu++)
		nr += cpu_list_has(&list, cpu);
	return nr;
}

static void look_for_processor(struct machine *machine)
{
	char text[8192];

	machine_read(machine, "/proc/cpuinfo", text, sizeof(text));
	machine->is_virtual = strstr(text, " hypervisor");
	read_line(machine, "/sys/class/dmi/id/sys_vendor", machine->vendor,
		  sizeof(machine->vendor));
	machine->nr_present = count_cpus(machine, "/sys/devices/system/cpu/present");
}

/* "none [integrity] confidentiality" */
static void look_for_lockdown(struct machine *machine)
{
	char text[128];

	machine_read(machine, "/sys/kernel/security/lockdown", text, sizeof(text));
	if (strstr(text, "[integrity]"))
		machine->lockdown = LOCKDOWN_INTEGRITY;
	else if (strstr(text, "[confidentiality]"))
		machine->lockdown = LOCKDOWN_CONFIDENTIALITY;
}

static void look_for_counters(struct machine *machine)
{
	static const char *const hosts[] = { "kvm_intel", "kvm_amd" };
	char path[PATH_LEN];
	size_t i;

	machine->watchdog = read_switch(machine, "/proc/sys/kernel/nmi_watchdog");
	machine->modules_disabled = read_switch(machine, "/proc/sys/kernel/modules_disabled");
	snprintf(path, sizeof(path), "%s/proc", machine->root);
	holders_find(&machine->holders, path);
	for (i = 0; i < ARRAY_SIZE(hosts); i++) {
		snprintf(path, sizeof(path), "/sys/module/%s/parameters/enable_mediated_pmu",
			 hosts[i]);
		if (read_switch(machine, path))
			snprintf(machine->mediated_pmu, sizeof(machine->mediated_pmu), "%s",
				 hosts[i]);
	}
}

static void look_for_symbols(struct machine *machine)
{
	static const char *const places[][2] = {
		{ "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
		{ "/lib/modules/", "/build/vmlinux" },
	};
	char path[PATH_LEN];
	size_t i;

	machine->kptr_restrict = read_number(machine, "/proc/sys/kernel/kptr_restrict");
	for (i = 0; i < ARRAY_SIZE(places) && !*machine->vmlinux; i++) {
		snprintf(path, sizeof(path), "%s%s%s", places[i][0], machine->release,
			 places[i][1]);
		if (machine_has(machine, "%s", path))
			snprintf(machine->vmlinux, sizeof(machine->vmlinux), "%.150s", path);
	}
}

/**
 * machine_is_like - what is its distribution made of?
 * @machine:	the machine
 * @id:		of a distribution, such as "debian"
 *
 * Return: true if it is that, or made like it.
 */
bool machine_is_like(const struct machine *machine, const char *id)
{
	const char *at = machine->distribution;
	size_t len = strlen(id);

	for (; *at; at += strcspn(at, " ") + !!at[strcspn(at, " ")]) {
		if (!strncmp(at, id, len) && (!at[len] || at[len] == ' '))
			return true;
	}
	return false;
}

/**
 * machine_look - find all of it
 * @machine:	what is found
 * @root:	below which
 * @release:	of the kernel, as uname(2) tells
 * @architecture: likewise
 */
void machine_look(struct machine *machine, const char *root, const char *release,
		  const char *architecture)
{
	*machine = (struct machine){ .root = root };
	snprintf(machine->release, sizeof(machine->release), "%s", release);
	snprintf(machine->architecture, sizeof(machine->architecture), "%s", architecture);
	look_for_distribution(machine);
	look_for_processor(machine);
	look_for_lockdown(machine);
	look_for_counters(machine);
	look_for_symbols(machine);
	machine_look_for_module(machine);
}
