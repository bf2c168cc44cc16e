// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find what prevents profiling on a machine, and how to fix it
 *
 * A check adds findings, good or bad. A check that depends on a failed check adds
 * none: if the module is not loaded, for example, there is no finding about its device.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor/diagnosis.h"
#include "doctor/diagnosis_module.h"

/* The oldest kernel that the module can be built for. */
#define OLDEST_MAJOR	6
#define OLDEST_MINOR	1

#define PARAMETER	"/sys/module/tprof_lx/parameters/access"

/* Return true if @list has version @major.@minor of the kernel. */
static bool is_listed(const char *list, unsigned int major, unsigned int minor)
{
	unsigned int listed_major, listed_minor;
	int len;

	for (; sscanf(list, "%u.%u%n", &listed_major, &listed_minor, &len) == 2; list += len) {
		if (listed_major == major && listed_minor == minor)
			return true;
		len += strspn(list + len, ", ");
	}
	return false;
}

static void note_untested(struct diagnosis *diagnosis, const struct machine *machine, bool is_built)
{
	struct finding *finding;

	finding = finding_add(diagnosis, "kernel", FINDING_NOTE,
			      "%s is untested%s; tested are " TPROF_LX_TESTED_KERNELS,
			      machine->release, is_built ? ", the module is only built for it" : "");
	finding_advise(finding,
		       "the module tests its counters; report what goes wrong with the output of tprof-lx info");
}

static void check_kernel(struct diagnosis *diagnosis, const struct machine *machine)
{
	unsigned int major = 0, minor = 0;
	struct finding *finding;

	if (sscanf(machine->release, "%u.%u", &major, &minor) != 2)
		major = 0;
	if (strcmp(machine->architecture, "x86_64")) {
		finding = finding_add(diagnosis, "kernel", FINDING_PROBLEM,
				      "%s is for %s, but tprof-lx needs x86_64", machine->release,
				      machine->architecture);
		finding_advise(finding, "use perf");
	} else if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
		finding = finding_add(diagnosis, "kernel", FINDING_PROBLEM,
				      "%s is older than %u.%u", machine->release, OLDEST_MAJOR,
				      OLDEST_MINOR);
		finding_advise(finding, "boot a newer kernel");
	} else if (!is_listed(TPROF_LX_TESTED_KERNELS, major, minor)) {
		note_untested(diagnosis, machine, is_listed(TPROF_LX_BUILT_KERNELS, major, minor));
	} else {
		finding_add(diagnosis, "kernel", FINDING_OK, "%s, %s", machine->release,
			    machine->architecture);
	}
}

static void check_lockdown(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->lockdown != LOCKDOWN_CONFIDENTIALITY) {
		finding_add(diagnosis, "lockdown", FINDING_OK, "%s",
			    machine->lockdown == LOCKDOWN_NONE ? "none" :
								 "integrity, which allows profiling");
		return;
	}
	finding = finding_add(diagnosis, "lockdown", FINDING_PROBLEM,
			      "lockdown=confidentiality forbids to sample the kernel");
	finding_advise(finding, "boot without lockdown=confidentiality");
}

static void check_device(struct diagnosis *diagnosis, const struct machine *machine,
			 const struct answer *answer)
{
	struct finding *finding;

	if (!answer->err) {
		finding_add(diagnosis, "device", FINDING_OK, "opens, interface %u",
			    answer->info.info.abi_version);
		return;
	}
	/* check_module() or check_lockdown() has reported the cause. */
	if (!machine->is_loaded || machine->lockdown == LOCKDOWN_CONFIDENTIALITY)
		return;
	finding = finding_add(diagnosis, "device", FINDING_PROBLEM, "%s", answer->why);
	switch (-answer->err) {
	case EACCES:
	case EPERM:
		if (answer->is_root)
			finding_advise(finding, "run it outside of the container, or with CAP_PERFMON");
		else
			finding_mend(finding, "sudo tprof-lx doctor");
		break;
	case EOPNOTSUPP:
		finding_advise(finding, "run it outside of the container");
		break;
	case EMFILE:
	case ENFILE:
	case EBUSY:
		finding_advise(finding, "close sessions or files that are open");
		break;
	default:
		finding_mend(finding, "modprobe -r tprof-lx && modprobe tprof-lx");
	}
}

/* Report what users without privileges may observe, and what that costs others. */
static void check_degree(struct diagnosis *diagnosis, int access)
{
	struct finding *finding;

	if (access < TPROF_LX_ACCESS_COUNTERS) {
		finding_add(diagnosis, "users", FINDING_OK,
			    "may observe their own processes by clocks, in user mode (access=%d)",
			    access);
		return;
	}
	finding = finding_add(diagnosis, "users", FINDING_NOTE,
			      "may use the counters%s (access=%d); meanwhile perf, guests and the NMI watchdog get none",
			      access < TPROF_LX_ACCESS_KERNEL ? "" : " and sample the kernel",
			      access);
	finding_mend(finding, "echo 1 > " PARAMETER);
}

/* Report whether users without privileges may use the module. */
static void check_users(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (!machine->is_loaded || machine->access < 0)
		return;
	if (!machine->access) {
		finding = finding_add(diagnosis, "users", FINDING_OK,
				      "need root or CAP_PERFMON (access=0)");
		finding_advise(finding, "to let all observe what they run: echo 1 > " PARAMETER
			       " && chmod 666 " DEVICE_PATH);
	} else if (!(machine->device_mode & 0066)) {
		finding = finding_add(diagnosis, "users", FINDING_NOTE,
				      "may observe their own processes (access=%d), but not open "
				      DEVICE_PATH, machine->access);
		finding_mend(finding, "chmod 666 " DEVICE_PATH);
	} else {
		check_degree(diagnosis, machine->access);
	}
}

/*
 * A module of another version works too. Report a note, because the module may have
 * been updated but not reloaded.
 */
static void check_version(struct diagnosis *diagnosis, const struct machine *machine,
			  const struct answer *answer)
{
	const char *version = answer->info.info.version;
	struct finding *finding;

	if (answer->err)
		return;
	if (!strcmp(version, TPROF_LX_VERSION)) {
		finding_add(diagnosis, "version", FINDING_OK, "%s", version);
		return;
	}
	finding = finding_add(diagnosis, "version", FINDING_NOTE,
			      "the module has version %s, and tprof-lx %s", version,
			      TPROF_LX_VERSION);
	if (*machine->dkms_version && strcmp(machine->dkms_version, TPROF_LX_VERSION))
		finding_advise(finding, "install tprof-lx and tprof-lx-dkms of one version");
	else
		finding_mend(finding, "modprobe -r tprof-lx && modprobe tprof-lx");
}

static const struct tprof_lx_backend *backend_of(const struct answer *answer, const char *name,
						 u32 flag)
{
	const struct tprof_lx_backend *backend = answer->info.backends;

	for (; backend < answer->info.backends + answer->info.info.nr_backends; backend++) {
		if (name ? !strcmp(backend->name, name) : !!(backend->flags & flag))
			return backend;
	}
	return NULL;
}

static void check_hypervisor(struct diagnosis *diagnosis, const struct machine *machine)
{
	finding_add(diagnosis, "machine", FINDING_OK, "%s%s",
		    machine->is_virtual ? "virtual, of " : "",
		    *machine->vendor ? machine->vendor : "an unknown vendor");
}

static void mend_counters(struct finding *finding, const struct machine *machine)
{
	if (machine->is_virtual)
		finding_advise(finding, "enable the guest's PMU on the host (QEMU: -cpu host,pmu=on)");
	else
		finding_mend(finding, "tprof-lx record -e nmi");
}

/* Check that the counters work. check_holders() reports what else uses the counters. */
static void check_counters(struct diagnosis *diagnosis, const struct machine *machine,
			   const struct answer *answer)
{
	const struct tprof_lx_backend *counters = backend_of(answer, NULL,
							     TPROF_LX_BACKEND_COUNTER);
	struct finding *finding;

	if (answer->err)
		return;
	if (!counters) {
		finding = finding_add(diagnosis, "counters", FINDING_NOTE,
				      "there are none; use -e nmi");
		mend_counters(finding, machine);
	} else if (answer->counters_err == -EIO) {
		finding = finding_add(diagnosis, "counters", FINDING_NOTE, "%s: %s", counters->name,
				      counters->text);
		mend_counters(finding, machine);
	} else {
		finding_add(diagnosis, "counters", FINDING_OK, "%s: %s", counters->name,
			    counters->text);
	}
}

static void check_clock(struct diagnosis *diagnosis, const struct machine *machine,
			const struct answer *answer)
{
	const struct tprof_lx_backend *clock = backend_of(answer, "nmi", 0);
	struct finding *finding;

	if (answer->err || !clock)
		return;
	if (!(clock->flags & TPROF_LX_BACKEND_DEGRADED)) {
		finding_add(diagnosis, "nmi", FINDING_OK, "%s", clock->text);
		return;
	}
	finding = finding_add(diagnosis, "nmi", FINDING_NOTE, "%s", clock->text);
	if (machine->nr_present > 1)
		finding_mend(finding, "echo 1 | tee /sys/devices/system/cpu/cpu*/online");
	else
		finding_advise(finding, "give the machine a second CPU");
}

/* Report likely holders of the counters. Never suggest killing a virtual machine. */
static void blame(struct diagnosis *diagnosis, const struct machine *machine,
		  const struct answer *answer)
{
	struct finding *finding;

	if (!machine->holders.nr) {
		finding = finding_add(diagnosis, "holders", FINDING_NOTE,
				      "the counters are held by a process that cannot be seen%s",
				      answer->is_root ? "" : " without being root");
		finding_mend(finding,
			     answer->is_root ? "tprof-lx control" : "sudo tprof-lx doctor");
		return;
	}
	finding = finding_add(diagnosis, "holders", FINDING_NOTE,
			      "the counters are held, probably for %s", machine->holders.text);
	if (machine->holders.guests)
		finding_advise(finding, "end those that you do not need; a guest with a PMU holds counters");
	else
		finding_mend(finding, "kill %d", machine->holders.perf);
}

/* Report each back end that no other check reports. */
static void check_other_backends(struct diagnosis *diagnosis, const struct answer *answer)
{
	const struct tprof_lx_backend *backend = answer->info.backends;

	if (answer->err)
		return;
	for (; backend < answer->info.backends + answer->info.info.nr_backends; backend++) {
		bool is_degraded = backend->flags & TPROF_LX_BACKEND_DEGRADED;

		if (strcmp(backend->name, "nmi") && !(backend->flags & TPROF_LX_BACKEND_COUNTER))
			finding_add(diagnosis, backend->name,
				    is_degraded ? FINDING_NOTE : FINDING_OK, "%s", backend->text);
	}
}

/*
 * Report holders of the counters as notes, not as problems: profiling works without
 * counters.
 */
static void check_holders(struct diagnosis *diagnosis, const struct machine *machine,
			  const struct answer *answer)
{
	struct finding *finding;

	if (machine->watchdog) {
		finding = finding_add(diagnosis, "watchdog", FINDING_NOTE,
				      "the NMI watchdog holds a counter of each CPU; record and stat park it");
		finding_mend(finding, "sysctl kernel.nmi_watchdog=0");
	}
	if (answer->counters_err == -EBUSY && !machine->watchdog)
		blame(diagnosis, machine, answer);
	if (*machine->mediated_pmu) {
		finding = finding_add(diagnosis, "guests", FINDING_NOTE,
				      "KVM takes the counters away while a guest with a PMU runs");
		finding_mend(finding, "modprobe -r %s && modprobe %s enable_mediated_pmu=N",
			     machine->mediated_pmu, machine->mediated_pmu);
	}
}

static void check_symbols(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->kptr_restrict >= 2) {
		finding = finding_add(diagnosis, "symbols", FINDING_NOTE,
				      "kernel.kptr_restrict is %u, which hides kernel addresses from root too",
				      machine->kptr_restrict);
		finding_mend(finding, "sysctl kernel.kptr_restrict=1");
	} else {
		finding_add(diagnosis, "symbols", FINDING_OK, "root can read those of the kernel");
	}
	if (*machine->vmlinux)
		finding_add(diagnosis, "debug", FINDING_OK,
			    "source lines of the kernel: tprof-lx report -k %s", machine->vmlinux);
	else
		finding_add(diagnosis, "debug", FINDING_OK,
			    "none for this kernel: functions have no source lines");
}

/* Run all checks. */
void diagnosis_make(struct diagnosis *diagnosis, const struct machine *machine,
		    const struct answer *answer)
{
	diagnosis->nr = 0;
	check_kernel(diagnosis, machine);
	diagnosis_of_module(diagnosis, machine);
	check_lockdown(diagnosis, machine);
	check_device(diagnosis, machine, answer);
	check_users(diagnosis, machine);
	check_version(diagnosis, machine, answer);
	check_hypervisor(diagnosis, machine);
	check_counters(diagnosis, machine, answer);
	check_clock(diagnosis, machine, answer);
	check_other_backends(diagnosis, answer);
	check_holders(diagnosis, machine, answer);
	check_symbols(diagnosis, machine);
}
