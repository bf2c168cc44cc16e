// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the properties of a machine that profiling depends on
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "doctor/apt_lists.h"
#include "doctor/distribution.h"
#include "doctor/machine_files.h"
#include "doctor/machine_look.h"
#include "doctor/machine_module.h"
#include "live/holders.h"

#define PATH_LEN	512

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

/* Read a bool: a module parameter reads as Y or N, a sysctl as 1 or 0. */
static bool read_switch(const struct machine *machine, const char *path)
{
	char text[8];

	return machine_read(machine, path, text, sizeof(text)) &&
	       (text[0] == 'Y' || text[0] == '1');
}

/* Return the number of CPUs in a file that has a list such as 0-3,8. */
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

static void look_for_headers_package(struct machine *machine)
{
	const char *maker = strstr(machine->release, "-pve") ? "proxmox" : "linux";
	char *package = machine->headers_package;

	if (!machine_is_like(machine, "debian"))
		return;
	snprintf(package, sizeof(machine->headers_package), "%s-headers-%s", maker,
		 machine->release);
	if (!apt_lists_have(machine, package))
		*package = '\0';
}

/*
 * The lockdown file is like "none [integrity] confidentiality", with the current
 * mode in brackets.
 */
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

/* Fill in @machine. The caller gets @release and @architecture from uname(2). */
void machine_look(struct machine *machine, const char *root, const char *release,
		  const char *architecture)
{
	*machine = (struct machine){ .root = root };
	snprintf(machine->release, sizeof(machine->release), "%s", release);
	snprintf(machine->architecture, sizeof(machine->architecture), "%s", architecture);
	machine_look_for_distribution(machine);
	look_for_headers_package(machine);
	look_for_processor(machine);
	look_for_lockdown(machine);
	look_for_counters(machine);
	look_for_symbols(machine);
	machine_look_for_module(machine);
}
