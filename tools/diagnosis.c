// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what keeps a machine from being profiled, and what mends it
 *
 * Each thing that is looked at makes one finding, good or bad. What cannot be wrong
 * as long as something else is (there is nothing to sign without a module) is left
 * out until that is mended.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diagnosis.h"

/* In kmod/ the oldest kernel that it builds for. */
#define OLDEST_MAJOR	6
#define OLDEST_MINOR	1

#define NEEDS_MODULE "make install (in the source of tprof-lx), or install tprof-lx-dkms"

static struct finding *find(struct diagnosis *diagnosis, const char *name,
			    enum finding_level level, const char *format, ...) __printf(4, 5);
static void mend(struct finding *finding, const char *format, ...) __printf(2, 3);
static void advise(struct finding *finding, const char *format, ...) __printf(2, 3);

static struct finding *find(struct diagnosis *diagnosis, const char *name,
			    enum finding_level level, const char *format, ...)
{
	struct finding *finding = &diagnosis->findings[diagnosis->nr++];
	va_list args;

	*finding = (struct finding){ .name = name, .level = level };
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
	return finding;
}

static void mend(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->fix, sizeof(finding->fix), format, args);
	va_end(args);
}

static void advise(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->advice, sizeof(finding->advice), format, args);
	va_end(args);
}

static bool is_like(const struct machine *machine, const char *id)
{
	const char *at = machine->distribution;
	size_t len = strlen(id);

	for (; *at; at += strcspn(at, " ") + !!at[strcspn(at, " ")]) {
		if (!strncmp(at, id, len) && (!at[len] || at[len] == ' '))
			return true;
	}
	return false;
}

/* Of a release such as 6.12.9-1-lts: "-lts", or a name if a number comes last. */
static const char *flavour_of(const struct machine *machine, const char *usual)
{
	const char *last = strrchr(machine->release, '-');

	return last && last[1] >= 'a' && last[1] <= 'z' ? last : usual;
}

static void mend_headers(struct finding *finding, const struct machine *machine)
{
	const char *release = machine->release;

	if (strstr(release, "-pve"))
		mend(finding, "apt install proxmox-headers-%s", release);
	else if (is_like(machine, "debian"))
		mend(finding, "apt install linux-headers-%s", release);
	else if (is_like(machine, "fedora") || is_like(machine, "rhel"))
		mend(finding, "dnf install kernel-devel-%s", release);
	else if (is_like(machine, "suse"))
		mend(finding, "zypper install kernel%s-devel", flavour_of(machine, "-default"));
	else if (is_like(machine, "arch"))
		mend(finding, "pacman -S linux%s-headers", flavour_of(machine, ""));
	else
		advise(finding, "install the headers of kernel %s", release);
}

static void check_kernel(struct diagnosis *diagnosis, const struct machine *machine)
{
	unsigned int major = 0, minor = 0;
	struct finding *finding;

	if (sscanf(machine->release, "%u.%u", &major, &minor) != 2)
		major = 0;
	if (strcmp(machine->architecture, "x86_64")) {
		finding = find(diagnosis, "kernel", FINDING_PROBLEM,
			       "%s is for %s, and tprof-lx for x86_64", machine->release,
			       machine->architecture);
		advise(finding, "use perf");
	} else if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
		finding = find(diagnosis, "kernel", FINDING_PROBLEM, "%s is older than %u.%u",
			       machine->release, OLDEST_MAJOR, OLDEST_MINOR);
		advise(finding, "boot a newer kernel");
	} else {
		find(diagnosis, "kernel", FINDING_OK, "%s, %s", machine->release,
		     machine->architecture);
	}
}

static bool has_module(const struct machine *machine)
{
	return machine->is_loaded || *machine->module_file;
}

/* Whoever has the module needs no headers, until the next kernel comes. */
static void check_headers(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->has_headers) {
		find(diagnosis, "headers", FINDING_OK, "are there");
		return;
	}
	finding = find(diagnosis, "headers",
		       has_module(machine) ? FINDING_NOTE : FINDING_PROBLEM,
		       "there are none for %s, to build the module with", machine->release);
	mend_headers(finding, machine);
}

/* One that was interrupted keeps it from another try, also by force. */
static void mend_by_dkms(struct finding *finding, const struct machine *machine,
			 const char *then)
{
	const char *version = machine->dkms_version, *release = machine->release;
	char first[160] = "";

	if (machine->dkms == DKMS_HALF)
		snprintf(first, sizeof(first), "rm -r /var/lib/dkms/tprof-lx/%s/%s && ", version,
			 release);
	mend(finding, "%sdkms install --force tprof-lx/%s -k %s%s", first, version, release,
	     then);
}

static void check_dkms(struct diagnosis *diagnosis, const struct machine *machine)
{
	static const char *const states[] = {
		[DKMS_ADDED] = "has not built",
		[DKMS_HALF] = "was interrupted when it built",
		[DKMS_FAILED] = "could not build",
	};
	struct finding *finding;

	if (machine->dkms == DKMS_UNKNOWN) {
		find(diagnosis, "dkms", FINDING_OK, "does not know the module");
		return;
	}
	if (machine->dkms == DKMS_BUILT) {
		find(diagnosis, "dkms", FINDING_OK, "has built version %s for this kernel",
		     machine->dkms_version);
		return;
	}
	finding = find(diagnosis, "dkms",
		       has_module(machine) ? FINDING_NOTE : FINDING_PROBLEM,
		       "%s version %s for this kernel", states[machine->dkms],
		       machine->dkms_version);
	finding->detail = machine->dkms == DKMS_FAILED ? machine->dkms_log : NULL;
	mend_by_dkms(finding, machine, "");
}

static void check_module(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->is_loaded) {
		find(diagnosis, "module", FINDING_OK, "is loaded");
		return;
	}
	if (machine->modules_disabled) {
		finding = find(diagnosis, "module", FINDING_PROBLEM,
			       "is not loaded, and kernel.modules_disabled lets nobody do that");
		mend(finding, "reboot");
		return;
	}
	if (*machine->module_file) {
		finding = find(diagnosis, "module", FINDING_PROBLEM, "is not loaded");
		mend(finding, "modprobe tprof-lx");
		return;
	}
	finding = find(diagnosis, "module", FINDING_PROBLEM, "there is none for this kernel");
	if (*machine->dkms_version)
		mend_by_dkms(finding, machine, " && modprobe tprof-lx");
	else
		advise(finding, NEEDS_MODULE);
}

/* DKMS signs what it builds, and builds nothing again that it has built. */
static void mend_signature(struct finding *finding, const struct machine *machine)
{
	const char *version = machine->dkms_version, *release = machine->release;

	if (!*version)
		advise(finding, NEEDS_MODULE);
	else
		mend(finding, "dkms build --force tprof-lx/%s -k %s && dkms install --force tprof-lx/%s -k %s",
		     version, release, version, release);
}

static void check_mok(struct diagnosis *diagnosis, const struct machine *machine)
{
	bool is_known = machine->has_signed && !machine->mok_unknown;
	bool needs_mokutil = !machine->has_mokutil && is_like(machine, "debian");
	struct finding *finding;

	finding = find(diagnosis, "signature", is_known ? FINDING_PROBLEM : FINDING_NOTE,
		       "the module %s signed with %s, which is %s",
		       machine->has_signed ? "is" : "may be", machine->mok,
		       machine->mok_unknown ? "perhaps not enrolled" : "not enrolled");
	mend(finding, "%smokutil --import %s && reboot",
	     needs_mokutil ? "apt install mokutil && " : "", machine->mok);
}

/* Only a kernel that loads nothing else minds, and until it is loaded. */
static void check_signature(struct diagnosis *diagnosis, const struct machine *machine)
{
	bool is_needed = machine->sig_enforce || machine->lockdown != LOCKDOWN_NONE;
	struct finding *finding;

	if (!is_needed || machine->is_loaded || !*machine->module_file) {
		find(diagnosis, "signature", FINDING_OK, "%s",
		     is_needed ? "is needed here" : "is not needed here");
		return;
	}
	if (machine->signature == SIGNATURE_NONE) {
		finding = find(diagnosis, "signature", FINDING_PROBLEM,
			       "this kernel only loads modules that are signed, and %s is not",
			       machine->module_file);
		mend_signature(finding, machine);
		return;
	}
	if (*machine->mok && !machine->mok_enrolled &&
	    (machine->has_signed || machine->signature == SIGNATURE_UNKNOWN)) {
		check_mok(diagnosis, machine);
		return;
	}
	if (machine->signature == SIGNATURE_UNKNOWN) {
		finding = find(diagnosis, "signature", FINDING_NOTE,
			       "is needed here, and cannot be looked at in %s",
			       machine->module_file);
		advise(finding, "modinfo -F signer tprof-lx shows it");
		return;
	}
	if (!machine->has_signed) {
		finding = find(diagnosis, "signature", FINDING_NOTE,
			       "is by a key that is not known here");
		advise(finding, "the kernel says whether it takes it: modprobe tprof-lx");
		return;
	}
	find(diagnosis, "signature", FINDING_OK, "is by %s, which is enrolled", machine->mok);
}

static void check_lockdown(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->lockdown != LOCKDOWN_CONFIDENTIALITY) {
		find(diagnosis, "lockdown", FINDING_OK, "%s",
		     machine->lockdown == LOCKDOWN_NONE ? "none" : "integrity, which allows it");
		return;
	}
	finding = find(diagnosis, "lockdown", FINDING_PROBLEM,
		       "the kernel is locked down to confidentiality: nobody may read it by samples");
	advise(finding, "boot without lockdown=confidentiality");
}

static void check_device(struct diagnosis *diagnosis, const struct machine *machine,
			 const struct answer *answer)
{
	struct finding *finding;

	if (!answer->err) {
		find(diagnosis, "device", FINDING_OK, "opens, interface %u",
		     answer->info.info.abi_version);
		return;
	}
	/* That is said already. */
	if (!machine->is_loaded || machine->lockdown == LOCKDOWN_CONFIDENTIALITY)
		return;
	finding = find(diagnosis, "device", FINDING_PROBLEM, "%s", answer->why);
	switch (-answer->err) {
	case EACCES:
	case EPERM:
		if (answer->is_root)
			advise(finding, "run it outside of the container, or with CAP_PERFMON");
		else
			mend(finding, "sudo tprof-lx doctor");
		break;
	case EOPNOTSUPP:
		advise(finding, "run it outside of the container");
		break;
	case EMFILE:
	case ENFILE:
	case EBUSY:
		advise(finding, "close what has too many files open");
		break;
	default:
		mend(finding, "modprobe -r tprof-lx && modprobe tprof-lx");
	}
}

/* A module of another release works, but who updates wants what he has updated. */
static void check_version(struct diagnosis *diagnosis, const struct machine *machine,
			  const struct answer *answer)
{
	const char *version = answer->info.info.version;
	struct finding *finding;

	if (answer->err)
		return;
	if (!strcmp(version, TPROF_LX_VERSION)) {
		find(diagnosis, "version", FINDING_OK, "%s", version);
		return;
	}
	finding = find(diagnosis, "version", FINDING_NOTE,
		       "the module is of version %s, and this is %s", version, TPROF_LX_VERSION);
	if (*machine->dkms_version && strcmp(machine->dkms_version, TPROF_LX_VERSION))
		advise(finding, "install tprof-lx and tprof-lx-dkms of one version");
	else
		mend(finding, "modprobe -r tprof-lx && modprobe tprof-lx");
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
	find(diagnosis, "machine", FINDING_OK, "%s%s", machine->is_virtual ? "virtual, of " : "",
	     *machine->vendor ? machine->vendor : "an unknown maker");
}

static void mend_counters(struct finding *finding, const struct machine *machine)
{
	if (machine->is_virtual)
		advise(finding, "have the host give the guest a PMU (QEMU: -cpu host,pmu=on)");
	else
		mend(finding, "tprof-lx record -e nmi");
}

/* Whether somebody else has them is another finding. */
static void check_counters(struct diagnosis *diagnosis, const struct machine *machine,
			   const struct answer *answer)
{
	const struct tprof_lx_backend *counters = backend_of(answer, NULL,
							     TPROF_LX_BACKEND_COUNTER);
	struct finding *finding;

	if (answer->err)
		return;
	if (!counters) {
		finding = find(diagnosis, "counters", FINDING_NOTE,
			       "there are none: nmi samples without");
		mend_counters(finding, machine);
	} else if (answer->counters_err == -EIO) {
		finding = find(diagnosis, "counters", FINDING_NOTE, "%s: %s", counters->name,
			       counters->text);
		mend_counters(finding, machine);
	} else {
		find(diagnosis, "counters", FINDING_OK, "%s: %s", counters->name,
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
		find(diagnosis, "nmi", FINDING_OK, "%s", clock->text);
		return;
	}
	finding = find(diagnosis, "nmi", FINDING_NOTE, "%s", clock->text);
	if (machine->nr_present > 1)
		mend(finding, "echo 1 | tee /sys/devices/system/cpu/cpu*/online");
	else
		advise(finding, "give the machine a second CPU");
}

/* The kernel does not say who has them; virtual machines are nobody's to be ended. */
static void blame(struct diagnosis *diagnosis, const struct machine *machine,
		  const struct answer *answer)
{
	struct finding *finding;

	if (!machine->holders.nr) {
		finding = find(diagnosis, "holders", FINDING_NOTE,
			       "somebody holds the counters who cannot be seen%s",
			       answer->is_root ? "" : " without being root");
		mend(finding, answer->is_root ? "tprof-lx control" : "sudo tprof-lx doctor");
		return;
	}
	finding = find(diagnosis, "holders", FINDING_NOTE,
		       "the counters are held, probably for %s", machine->holders.text);
	if (machine->holders.guests)
		advise(finding, "end whom of them you can spare; a guest holds counters if it has a PMU");
	else
		mend(finding, "kill %d", machine->holders.perf);
}

/* What has no finding of its own. */
static void check_other_backends(struct diagnosis *diagnosis, const struct answer *answer)
{
	const struct tprof_lx_backend *backend = answer->info.backends;

	if (answer->err)
		return;
	for (; backend < answer->info.backends + answer->info.info.nr_backends; backend++) {
		if (strcmp(backend->name, "nmi") && !(backend->flags & TPROF_LX_BACKEND_COUNTER))
			find(diagnosis, backend->name,
			     backend->flags & TPROF_LX_BACKEND_DEGRADED ? FINDING_NOTE : FINDING_OK,
			     "%s", backend->text);
	}
}

/* Each of them is a note, as it is only in the way of who wants counters. */
static void check_holders(struct diagnosis *diagnosis, const struct machine *machine,
			  const struct answer *answer)
{
	struct finding *finding;

	if (machine->watchdog) {
		finding = find(diagnosis, "watchdog", FINDING_NOTE,
			       "the NMI watchdog has a counter of each CPU; record and stat park it");
		mend(finding, "sysctl kernel.nmi_watchdog=0");
	}
	if (answer->counters_err == -EBUSY && !machine->watchdog)
		blame(diagnosis, machine, answer);
	if (*machine->mediated_pmu) {
		finding = find(diagnosis, "guests", FINDING_NOTE,
			       "KVM gives its guests the counters, and takes them from us meanwhile");
		mend(finding, "modprobe -r %s && modprobe %s enable_mediated_pmu=N",
		     machine->mediated_pmu, machine->mediated_pmu);
	}
}

static void check_symbols(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->kptr_restrict >= 2) {
		finding = find(diagnosis, "symbols", FINDING_NOTE,
			       "kernel.kptr_restrict is %u: nobody sees where the kernel's functions are",
			       machine->kptr_restrict);
		mend(finding, "sysctl kernel.kptr_restrict=1");
	} else {
		find(diagnosis, "symbols", FINDING_OK, "root sees those of the kernel");
	}
	if (*machine->vmlinux)
		find(diagnosis, "debug", FINDING_OK, "lines of the kernel: tprof-lx report -k %s",
		     machine->vmlinux);
	else
		find(diagnosis, "debug", FINDING_OK,
		     "no debug information of this kernel is here: functions without lines");
}

/**
 * diagnosis_make - look at everything
 * @diagnosis:	what is found
 * @machine:	what the machine has
 * @answer:	what the module says
 */
void diagnosis_make(struct diagnosis *diagnosis, const struct machine *machine,
		    const struct answer *answer)
{
	diagnosis->nr = 0;
	check_kernel(diagnosis, machine);
	check_headers(diagnosis, machine);
	check_dkms(diagnosis, machine);
	check_module(diagnosis, machine);
	check_signature(diagnosis, machine);
	check_lockdown(diagnosis, machine);
	check_device(diagnosis, machine, answer);
	check_version(diagnosis, machine, answer);
	check_hypervisor(diagnosis, machine);
	check_counters(diagnosis, machine, answer);
	check_clock(diagnosis, machine, answer);
	check_other_backends(diagnosis, answer);
	check_holders(diagnosis, machine, answer);
	check_symbols(diagnosis, machine);
}

/**
 * diagnosis_count - how many are that bad
 * @diagnosis:	all findings
 * @level:	how bad
 *
 * Return: their number.
 */
u32 diagnosis_count(const struct diagnosis *diagnosis, enum finding_level level)
{
	u32 i, nr = 0;

	for (i = 0; i < diagnosis->nr; i++)
		nr += diagnosis->findings[i].level == level;
	return nr;
}
