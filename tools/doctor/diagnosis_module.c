// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find what prevents loading the module, and how to fix it
 */
#include <stdio.h>
#include <string.h>

#include "doctor/diagnosis_module.h"
#include "doctor/distribution.h"

#define NEEDS_MODULE "make install (in the source of tprof-lx), or install tprof-lx-dkms"

/*
 * Return the flavour of the kernel, such as "-lts" for release 6.12.9-1-lts, or @usual if
 * the release ends in a number.
 */
static const char *flavour_of(const struct machine *machine, const char *usual)
{
	const char *last = strrchr(machine->release, '-');

	return last && last[1] >= 'a' && last[1] <= 'z' ? last : usual;
}

static void mend_headers(struct finding *finding, const struct machine *machine)
{
	const char *release = machine->release;

	if (*machine->headers_package)
		finding_mend(finding, "apt install %s", machine->headers_package);
	else if (machine_is_like(machine, "debian"))
		finding_advise(finding,
			       "apt has no headers for %s; try apt update, or ask the vendor of this kernel",
			       release);
	else if (machine_is_like(machine, "fedora") || machine_is_like(machine, "rhel"))
		finding_mend(finding, "dnf install kernel-devel-%s", release);
	else if (machine_is_like(machine, "suse"))
		finding_mend(finding, "zypper install kernel%s-devel",
			     flavour_of(machine, "-default"));
	else if (machine_is_like(machine, "arch"))
		finding_mend(finding, "pacman -S linux%s-headers", flavour_of(machine, ""));
	else
		finding_advise(finding, "install the headers of kernel %s", release);
}

static bool has_module(const struct machine *machine)
{
	return machine->is_loaded || *machine->module_file;
}

/*
 * If the module is built already, missing headers are only a note: the machine needs
 * them only to build the module again.
 */
static void check_headers(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->has_headers) {
		finding_add(diagnosis, "headers", FINDING_OK, "are installed");
		return;
	}
	finding = finding_add(diagnosis, "headers",
			      has_module(machine) ? FINDING_NOTE : FINDING_PROBLEM,
			      "there are none for %s to build the module with", machine->release);
	mend_headers(finding, machine);
}

/*
 * Suggest a build with DKMS, followed by the command @then. After an interrupted build,
 * DKMS refuses to build even with --force until the remains of that build are removed.
 */
static void mend_by_dkms(struct finding *finding, const struct machine *machine,
			 const char *then)
{
	const char *version = machine->dkms_version, *release = machine->release;
	char first[160] = "";

	if (machine->dkms == DKMS_HALF)
		snprintf(first, sizeof(first), "rm -r /var/lib/dkms/tprof-lx/%s/%s && ", version,
			 release);
	finding_mend(finding, "%sdkms install --force tprof-lx/%s -k %s%s", first, version, release,
		     then);
}

/*
 * Suggest how to get a module, followed by the command @then. If the kernel lacks what the
 * module uses, another build would fail, too.
 */
static void mend_build(struct finding *finding, const struct machine *machine, const char *then)
{
	static const char is_lacking[] = "this kernel";

	if (machine->dkms == DKMS_FAILED &&
	    !strncmp(machine->dkms_reason, is_lacking, strlen(is_lacking)))
		finding_advise(finding, "install a newer tprof-lx, or boot a kernel that is tested: "
			       TPROF_LX_TESTED_KERNELS);
	else
		mend_by_dkms(finding, machine, then);
}

static void check_dkms(struct diagnosis *diagnosis, const struct machine *machine)
{
	const char *reason = *machine->dkms_reason ? machine->dkms_reason : machine->dkms_log;
	static const char *const states[] = {
		[DKMS_ADDED] = "has not built",
		[DKMS_HALF] = "was interrupted while it built",
		[DKMS_FAILED] = "could not build",
	};
	struct finding *finding;

	if (machine->dkms == DKMS_UNKNOWN) {
		finding_add(diagnosis, "dkms", FINDING_OK, "does not have the module");
		return;
	}
	if (machine->dkms == DKMS_BUILT) {
		finding_add(diagnosis, "dkms", FINDING_OK, "has built version %s for this kernel",
			    machine->dkms_version);
		return;
	}
	finding = finding_add(diagnosis, "dkms",
			      has_module(machine) ? FINDING_NOTE : FINDING_PROBLEM,
			      "%s version %s for this kernel", states[machine->dkms],
			      machine->dkms_version);
	finding->detail = machine->dkms == DKMS_FAILED ? reason : NULL;
	mend_build(finding, machine, "");
}

static void check_module(struct diagnosis *diagnosis, const struct machine *machine)
{
	struct finding *finding;

	if (machine->is_loaded) {
		finding_add(diagnosis, "module", FINDING_OK, "is loaded");
		return;
	}
	if (machine->modules_disabled) {
		finding = finding_add(diagnosis, "module", FINDING_PROBLEM,
				      "is not loaded, and kernel.modules_disabled forbids to load it");
		finding_mend(finding, "reboot");
		return;
	}
	if (*machine->module_file) {
		finding = finding_add(diagnosis, "module", FINDING_PROBLEM, "is not loaded");
		finding_mend(finding, "modprobe tprof-lx");
		return;
	}
	finding = finding_add(diagnosis, "module", FINDING_PROBLEM,
			      "there is none for this kernel");
	if (*machine->dkms_version)
		mend_build(finding, machine, " && modprobe tprof-lx");
	else
		finding_advise(finding, NEEDS_MODULE);
}

/* Suggest a new build with DKMS, which signs the modules that it builds. */
static void mend_signature(struct finding *finding, const struct machine *machine)
{
	const char *version = machine->dkms_version, *release = machine->release;

	if (!*version)
		finding_advise(finding, NEEDS_MODULE);
	else
		finding_mend(finding, "dkms build --force tprof-lx/%s -k %s && dkms install --force tprof-lx/%s -k %s",
			     version, release, version, release);
}

static void check_mok(struct diagnosis *diagnosis, const struct machine *machine)
{
	bool is_known = machine->has_signed && !machine->mok_unknown;
	bool needs_mokutil = !machine->has_mokutil && machine_is_like(machine, "debian");
	struct finding *finding;

	finding = finding_add(diagnosis, "signature", is_known ? FINDING_PROBLEM : FINDING_NOTE,
			      "the module %s signed with %s, which is %s",
			      machine->has_signed ? "is" : "may be", machine->mok,
			      machine->mok_unknown ? "perhaps not enrolled" : "not enrolled");
	finding_mend(finding, "%smokutil --import %s && reboot",
		     needs_mokutil ? "apt install mokutil && " : "", machine->mok);
}

/* A signature matters only if the kernel requires one and the module is not loaded. */
static void check_signature(struct diagnosis *diagnosis, const struct machine *machine)
{
	bool is_needed = machine->sig_enforce || machine->lockdown != LOCKDOWN_NONE;
	struct finding *finding;

	if (!is_needed || machine->is_loaded || !*machine->module_file) {
		finding_add(diagnosis, "signature", FINDING_OK, "%s",
			    is_needed ? "is needed here" : "is not needed here");
		return;
	}
	if (machine->signature == SIGNATURE_NONE) {
		finding = finding_add(diagnosis, "signature", FINDING_PROBLEM,
				      "this kernel loads signed modules only, and %s is not signed",
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
		finding = finding_add(diagnosis, "signature", FINDING_NOTE,
				      "is needed here, and cannot be read from %s",
				      machine->module_file);
		finding_advise(finding, "modinfo -F signer tprof-lx shows it");
		return;
	}
	if (!machine->has_signed) {
		finding = finding_add(diagnosis, "signature", FINDING_NOTE,
				      "is by a key that is unknown here");
		finding_advise(finding, "try whether the kernel accepts it: modprobe tprof-lx");
		return;
	}
	finding_add(diagnosis, "signature", FINDING_OK, "is by %s, which is enrolled",
		    machine->mok);
}

/* Run the checks of the module. Called by diagnosis_make(). */
void diagnosis_of_module(struct diagnosis *diagnosis, const struct machine *machine)
{
	check_headers(diagnosis, machine);
	check_dkms(diagnosis, machine);
	check_module(diagnosis, machine);
	check_signature(diagnosis, machine);
}
