// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the doctor: cause each problem, check its finding and its fix
 *
 * The examined machine is a tree of files below a temporary directory. At first, it
 * has no problem.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/diagnosis.h"
#include "doctor/machine_look.h"
#include "unit.h"

#define RELEASE	"6.12.0-test"
#define BUILT	"/var/lib/dkms/tprof-lx/1.2/" RELEASE "/x86_64/module/tprof-lx.ko"
#define FILE_OF_MODULE "/lib/modules/" RELEASE "/updates/dkms/tprof-lx.ko"
#define MODULES_DEP "/lib/modules/" RELEASE "/modules.dep"
#define SIGNATURE "~Module signature appended~\n"
/* Parts of certificates, and of a module that is signed with the key of CERTIFICATE. */
#define SERIAL "\x02\x02\x11\x22"
#define ISSUER "\x30\x06ISSUER"
#define CERTIFICATE "\x30\x16\x30\x14\xa0\x03\x02\x01\x02" SERIAL "\x30\x01Z" ISSUER
#define OTHERS_CERTIFICATE "\x30\x11\x30\x0f" SERIAL "\x30\x01Z\x30\x06OTHERS"
#define SIGNED ISSUER SERIAL "what it signs with" SIGNATURE
#define ENROLLED "/sys/firmware/efi/efivars/MokListRT1-605dab50-e046-4300-abb6-3dd810dd8b23"

#define APT_LIST "/var/lib/apt/lists/deb_Packages"
#define APT_CACHE "/var/cache/apt/pkgcache.bin"

static char root[] = "/tmp/doctor.XXXXXX";
static struct answer answer;

static const char *below(const char *path)
{
	static char whole[512];

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	return whole;
}

static void put_bytes(const char *path, const void *bytes, size_t len)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s", below(path));
	for (char *at = strchr(whole + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(whole, 0700);
		*at = '/';
	}
	file = fopen(whole, "w");
	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
		exit(2);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static void take(const char *path)
{
	unlink(below(path));
}

static void take_tree(const char *path)
{
	char command[600];

	snprintf(command, sizeof(command), "rm -r '%s'", below(path));
	if (system(command))
		exit(2);
}

/* Make the files of a Debian system with Secure Boot and without any problem. */
static void make_well(void)
{
	static const struct answer well = {
		.info.info.version = TPROF_LX_VERSION,
		.info.info.nr_backends = 2,
		.info.backends[0] = {
			.name = "intel",
			.flags = TPROF_LX_BACKEND_COUNTER,
			.text = "4 counters",
		},
		.info.backends[1] = {
			.name = "nmi",
			.flags = TPROF_LX_BACKEND_CLOCK,
			.text = "a clock",
		},
		.is_root = true,
	};

	answer = well;
	put("/etc/os-release", "NAME=\"Debian GNU/Linux\"\nID=debian\n");
	put(APT_LIST, "Package: linux-headers-" RELEASE "\nVersion: 1\n\n"
	    "Package: proxmox-headers-6.12.0-1-pve\n");
	put("/proc/cpuinfo", "flags\t\t: fpu vme sse2\n");
	put("/sys/devices/system/cpu/present", "0-7\n");
	put("/proc/sys/kernel/modules_disabled", "0\n");
	put("/lib/modules/" RELEASE "/build/Makefile", "");
	put("/var/lib/dkms/tprof-lx/1.2/source", "");
	put(BUILT, "");
	put(FILE_OF_MODULE, "code" SIGNED);
	put(MODULES_DEP, "kernel/a.ko: kernel/b.ko\nupdates/dkms/tprof-lx.ko:\n");
	put("/sys/module/tprof_lx/version", TPROF_LX_VERSION "\n");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	put("/var/lib/dkms/mok.pub", CERTIFICATE);
	put("/usr/bin/mokutil", "");
	put("/sys/module/module/parameters/sig_enforce", "Y\n");
	put(ENROLLED, "1234 OTHER " CERTIFICATE " more");
	put("/proc/sys/kernel/nmi_watchdog", "0\n");
	put("/proc/sys/kernel/kptr_restrict", "0\n");
	put("/usr/lib/debug/boot/vmlinux-" RELEASE, "");
}

static struct diagnosis *look(const char *release, const char *architecture)
{
	static struct diagnosis diagnosis;
	static struct machine machine;

	machine_look(&machine, root, release, architecture);
	diagnosis_make(&diagnosis, &machine, &answer);
	return &diagnosis;
}

/*
 * Return true if finding @name has level @level and a fix or advice that contains @fix,
 * and all other findings have level FINDING_OK.
 */
static bool finds_on(struct diagnosis *diagnosis, const char *name, enum finding_level level,
		     const char *fix)
{
	const struct finding *finding = diagnosis->findings;

	while (finding < diagnosis->findings + diagnosis->nr && strcmp(finding->name, name))
		finding++;
	if (finding == diagnosis->findings + diagnosis->nr || finding->level != level ||
	    (!strstr(finding->fix, fix) && !strstr(finding->advice, fix)))
		return false;
	return diagnosis_count(diagnosis, FINDING_PROBLEM) +
	       diagnosis_count(diagnosis, FINDING_NOTE) == 1;
}

static bool finds(const char *name, enum finding_level level, const char *fix)
{
	return finds_on(look(RELEASE, "x86_64"), name, level, fix);
}

static bool is_well(void)
{
	const struct diagnosis *diagnosis = look(RELEASE, "x86_64");

	return diagnosis->nr > 8 && diagnosis_count(diagnosis, FINDING_OK) == diagnosis->nr;
}

static bool finds_untested(const char *release)
{
	const struct finding *finding = &look(release, "x86_64")->findings[0];

	return finding->level == FINDING_NOTE && strstr(finding->text, " is untested; ") &&
	       strstr(finding->text, "tested are 6.1, 6.12, 7.3") && strstr(finding->advice, "report");
}

static void test_kernel(void)
{
	unit_ok(is_well(), "a healthy machine has no problems and no notes");
	unit_ok(finds_on(look(RELEASE, "aarch64"), "kernel", FINDING_PROBLEM, "perf"),
		"another architecture is a problem");
	unit_ok(look("5.10.0", "x86_64")->findings[0].level == FINDING_PROBLEM &&
		strstr(look("5.10.0", "x86_64")->findings[0].advice, "newer"),
		"a kernel that is too old is a problem");
	unit_ok(look("6.1.0-57-amd64", "x86_64")->findings[0].level == FINDING_OK &&
		look("6.12", "x86_64")->findings[0].level == FINDING_OK &&
		look("7.3.4", "x86_64")->findings[0].level == FINDING_OK,
		"a tested kernel is no note");
	unit_ok(finds_untested("6.2.0") && finds_untested("6.14.0-15-generic") &&
		finds_untested("6.120.1") && finds_untested("7.12.0") && finds_untested("61.2.0"),
		"a kernel between or after the tested ones is a note that names them");
	unit_ok(look("7.2.12", "x86_64")->findings[0].level == FINDING_NOTE &&
		strstr(look("7.2.12", "x86_64")->findings[0].text, "only built"),
		"a kernel that the module is only built for is a note");
}

static void unload(void)
{
	answer.err = -ENOENT;
	take("/sys/module/tprof_lx/version");
	rmdir(below("/sys/module/tprof_lx"));
}

/* Return the finding @name. Ignore all other findings. */
static const struct finding *finding_of(const char *name)
{
	const struct diagnosis *diagnosis = look(RELEASE, "x86_64");
	const struct finding *finding = diagnosis->findings;

	while (finding < diagnosis->findings + diagnosis->nr && strcmp(finding->name, name))
		finding++;
	return finding < diagnosis->findings + diagnosis->nr ? finding : NULL;
}

static bool has_problem(const char *name, const char *fix)
{
	const struct finding *finding = finding_of(name);

	return finding && finding->level == FINDING_PROBLEM &&
	       !strcmp(*finding->fix ? finding->fix : finding->advice, fix);
}

static void test_headers(void)
{
	static const char *const systems[][3] = {
		{ "ID=debian\n", RELEASE, "apt install linux-headers-" RELEASE },
		{ "ID=kali\nID_LIKE=debian\n", RELEASE, "apt install linux-headers-" RELEASE },
		{ "ID=debian\n", "6.12.0-1-pve", "apt install proxmox-headers-6.12.0-1-pve" },
		{ "NAME=x\nID=\"fedora\"\n", RELEASE, "dnf install kernel-devel-" RELEASE },
		{ "ID=ol\nID_LIKE=\"rhel fedora\"\n", RELEASE,
		  "dnf install kernel-devel-" RELEASE },
		{ "ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n", "6.12.0-default",
		  "zypper install kernel-default-devel" },
		{ "ID=arch\n", "6.12.9-arch1-1", "pacman -S linux-headers" },
		{ "ID=manjaro\nID_LIKE=arch\n", "6.12.9-1-lts", "pacman -S linux-lts-headers" },
		{ "ID=something\n", RELEASE, "install the headers of kernel " RELEASE },
		{ "", RELEASE, "install the headers of kernel " RELEASE },
	};
	const struct finding *finding;

	take("/lib/modules/" RELEASE "/build/Makefile");
	for (size_t i = 0; i < ARRAY_SIZE(systems); i++) {
		put("/etc/os-release", systems[i][0]);
		finding = &look(systems[i][1], "x86_64")->findings[1];
		unit_ok(!strcmp(*finding->fix ? finding->fix : finding->advice, systems[i][2]),
			systems[i][2]);
	}
	make_well();
	take("/lib/modules/" RELEASE "/build/Makefile");
	take(MODULES_DEP);
	put(APT_LIST, "Package: linux-headers-" RELEASE "-cloud\n");
	unit_ok(finds("headers", FINDING_NOTE, "apt has no headers for " RELEASE),
		"headers that apt does not list are not advised");
	put_bytes(APT_CACHE, "\0linux-headers-" RELEASE, sizeof("\0linux-headers-" RELEASE));
	unit_ok(finds("headers", FINDING_NOTE, "apt install linux-headers-" RELEASE),
		"headers that are in apt's cache are advised");
	take(APT_CACHE);
	put(APT_LIST, "Package: linux-headers-" RELEASE "\n");
	unit_ok(finds("headers", FINDING_NOTE, "apt"),
		"missing headers are a note when the module is loaded");
	unload();
	unit_ok(has_problem("headers", "apt install linux-headers-" RELEASE),
		"missing headers are a problem when the module is missing too");
	make_well();
}

/* Put a log of DKMS 3.2, of a failed build that dkms-build.sh explains by @reason. */
static void put_failed(const char *reason)
{
	char log[4096];

	snprintf(log, sizeof(log),
		 "DKMS (dkms-3.2.2) make.log for tprof-lx/1.2 for kernel " RELEASE " (x86_64)\n"
		 "%02000d error: x\ntprof-lx: %s\nmake: *** [modules] Error 2\n\n# exit code: 2\n",
		 0, reason);
	put("/var/lib/dkms/tprof-lx/1.2/build/make.log", log);
}

static void test_reason(void)
{
	put_failed("this kernel has no get_dumpable(): x.c:2");
	unit_ok(finds("dkms", FINDING_NOTE, "boot a kernel that is tested: 6.1, 6.12, 7.3") &&
		!strcmp(finding_of("dkms")->detail, "this kernel has no get_dumpable(): x.c:2"),
		"a kernel that lacks a function is the reason of a failed build");
	unload();
	take(MODULES_DEP);
	unit_ok(!*finding_of("module")->fix &&
		strstr(finding_of("module")->advice, "newer tprof-lx"),
		"no other build is advised for a kernel that lacks a function");
	make_well();
	take_tree("/var/lib/dkms/tprof-lx/1.2/" RELEASE);
	put_failed("the kernel's compiler is not installed: gcc-14");
	unit_ok(finds("dkms", FINDING_NOTE, "dkms install") &&
		strstr(finding_of("dkms")->detail, ": gcc-14"),
		"a build that failed for another reason is repeated");
}

static void test_dkms(void)
{
	take(BUILT);
	unit_ok(finds("dkms", FINDING_NOTE, "rm -r /var/lib/dkms/tprof-lx/1.2/" RELEASE
		      " && dkms install --force tprof-lx/1.2 -k " RELEASE),
		"an interrupted build of DKMS is removed and repeated");
	take_tree("/var/lib/dkms/tprof-lx/1.2/" RELEASE);
	unit_ok(finds("dkms", FINDING_NOTE, "dkms install --force tprof-lx/1.2 -k " RELEASE) &&
		!strstr(finding_of("dkms")->fix, "rm "),
		"a module that DKMS has not built is built");
	put("/var/lib/dkms/tprof-lx/1.2/build/make.log",
	    "DKMS make.log for tprof-lx-1.2 for kernel " RELEASE "1 (x86_64)\nerror: x\n");
	unit_ok(!finding_of("dkms")->detail,
		"a build log of another kernel is not shown");
	put("/var/lib/dkms/tprof-lx/1.2/build/make.log",
	    "DKMS make.log for tprof-lx-1.2 for kernel " RELEASE " (x86_64)\nwhat went wrong\n");
	unit_ok(finds("dkms", FINDING_NOTE, "dkms install") &&
		strstr(finding_of("dkms")->detail, "what went wrong"),
		"a failed build is shown with the end of its log");
	test_reason();
	put("/var/lib/dkms/tprof-lx/1.10/source", "");
	unit_ok(finds("dkms", FINDING_NOTE, "tprof-lx/1.10 "),
		"the newest version that DKMS knows is built");
	put(BUILT, "");
	unit_ok(is_well(), "one built version is enough");
	take("/var/lib/dkms/tprof-lx/1.10/source");
	take("/var/lib/dkms/tprof-lx/1.2/build/make.log");
}

static void test_module(void)
{
	unload();
	unit_ok(finds("module", FINDING_PROBLEM, "modprobe tprof-lx"),
		"a module that is not loaded is a problem");
	put("/proc/sys/kernel/modules_disabled", "1\n");
	unit_ok(finds("module", FINDING_PROBLEM, "reboot"),
		"with modules disabled a reboot is advised");
	make_well();
	unload();
	take(MODULES_DEP);
	unit_ok(has_problem("module", "dkms install --force tprof-lx/1.2 -k " RELEASE
			    " && modprobe tprof-lx"),
		"a module that is not installed is built and loaded");
	take_tree("/var/lib/dkms/tprof-lx/1.2");
	put("/usr/src/tprof-lx-1.3/dkms.conf", "");
	unit_ok(has_problem("module", "dkms install --force tprof-lx/1.3 -k " RELEASE
			    " && modprobe tprof-lx"),
		"sources unknown to DKMS are taken from /usr/src");
	take("/usr/src/tprof-lx-1.3/dkms.conf");
	unit_ok(finds("module", FINDING_PROBLEM, "make install"),
		"without sources for DKMS, make install is advised");
	make_well();
	unit_ok(is_well(), "a loaded module is no problem");
}

static void test_signature(void)
{
	static const char enrol[] =
		"apt install mokutil && mokutil --import /var/lib/dkms/mok.pub && reboot";

	unload();
	put(FILE_OF_MODULE, "code without");
	unit_ok(has_problem("signature", "dkms build --force tprof-lx/1.2 -k " RELEASE
			    " && dkms install --force tprof-lx/1.2 -k " RELEASE),
		"an unsigned module is rebuilt where it must be signed");
	put(FILE_OF_MODULE, "code" SIGNED);
	put(ENROLLED, OTHERS_CERTIFICATE);
	put("/var/lib/shim-signed/mok/MOK.der", OTHERS_CERTIFICATE);
	unit_ok(has_problem("signature", "mokutil --import /var/lib/dkms/mok.pub && reboot"),
		"a signing key that is not enrolled must be enrolled");
	take("/usr/bin/mokutil");
	unit_ok(has_problem("signature", enrol),
		"mokutil must be installed to enrol the signing key");
	put(FILE_OF_MODULE, "code\x30\x06OTHERS" SERIAL SIGNATURE);
	unit_ok(finds("module", FINDING_PROBLEM, "modprobe") &&
		strstr(finding_of("signature")->text, "MOK.der, which is enrolled"),
		"a signature by another enrolled key is accepted");
	take("/var/lib/shim-signed/mok/MOK.der");
	put("/etc/dkms/framework.conf", "# one's own\nmok_certificate=/nonesuch\n");
	put("/etc/dkms/framework.conf.d/key.conf", "mok_certificate=\"/root/own.der\"\n");
	put("/root/own.der", OTHERS_CERTIFICATE);
	unit_ok(strstr(finding_of("signature")->text, "own.der, which is enrolled"),
		"the certificate in the configuration of DKMS is used");
	take_tree("/etc/dkms");
	put(ENROLLED, CERTIFICATE);
	unit_ok(finding_of("signature")->level == FINDING_NOTE &&
		strstr(finding_of("signature")->advice, "modprobe"),
		"a signature by an unknown key is a note");
	put(ENROLLED, OTHERS_CERTIFICATE);
	unit_ok(finding_of("signature")->level == FINDING_NOTE &&
		strstr(finding_of("signature")->text, "unknown"),
		"a signature by an unknown key is a note if DKMS's key is not enrolled");
	put(FILE_OF_MODULE, "code" SIGNED);
	take(ENROLLED);
	unit_ok(finding_of("signature")->level == FINDING_NOTE,
		"a note says that enrolled keys cannot be read");
	put(ENROLLED, CERTIFICATE);
	put(MODULES_DEP, "updates/dkms/tprof-lx.ko.xz:\n");
	unit_ok(finding_of("signature")->level == FINDING_NOTE &&
		strstr(finding_of("signature")->advice, "modinfo"),
		"the signature of a compressed module is a note");
	put(MODULES_DEP, "updates/dkms/tprof-lx.ko:\n");
	put("/sys/module/module/parameters/sig_enforce", "N\n");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	unit_ok(finds("module", FINDING_PROBLEM, "modprobe"),
		"keys do not matter to a kernel that needs no signature");
	make_well();
}

static void test_device(void)
{
	static const struct { int err; bool is_root; const char *fix; } refusals[] = {
		{ -EACCES, false, "sudo tprof-lx doctor" },
		{ -EPERM, false, "sudo tprof-lx doctor" },
		{ -EPERM, true, "run it outside of the container, or with CAP_PERFMON" },
		{ -EOPNOTSUPP, true, "run it outside of the container" },
		{ -EMFILE, true, "close sessions or files that are open" },
		{ -ENOENT, true, "modprobe -r tprof-lx && modprobe tprof-lx" },
		{ -EPROTO, true, "modprobe -r tprof-lx && modprobe tprof-lx" },
	};

	answer.why = "for a reason";
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		answer.err = refusals[i].err;
		answer.is_root = refusals[i].is_root;
		unit_ok(has_problem("device", refusals[i].fix), refusals[i].fix);
	}
	answer.err = -EPERM;
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	unit_ok(finds("lockdown", FINDING_PROBLEM, "lockdown=confidentiality"),
		"lockdown=confidentiality is a problem");
	make_well();
	strcpy(answer.info.info.version, "0.0.1");
	unit_ok(finds("version", FINDING_NOTE, "of one version"),
		"an installed module of another version is a note");
	take_tree("/var/lib/dkms/tprof-lx/1.2");
	unit_ok(finds("version", FINDING_NOTE, "modprobe -r"),
		"a loaded module of another version is a note");
	make_well();
}

static void test_users(void)
{
	const char *parameter = "/sys/module/tprof_lx/parameters/access";

	unit_ok(!finding_of("users"), "a module without the parameter `access` has no users");
	put(parameter, "0\n");
	put("/dev/tprof-lx", "");
	chmod(below("/dev/tprof-lx"), 0600);
	unit_ok(is_well() && strstr(finding_of("users")->text, "need root") &&
		strstr(finding_of("users")->advice,
		       "echo 1 > /sys/module/tprof_lx/parameters/access && chmod 666 /dev"),
		"doctor prints how to let users profile");
	put(parameter, "1\n");
	unit_ok(finds("users", FINDING_NOTE, "chmod 666 /dev/tprof-lx"),
		"a device that users cannot open is a note");
	chmod(below("/dev/tprof-lx"), 0660);
	unit_ok(is_well() && strstr(finding_of("users")->text, "access=1"),
		"a device for a group is no note");
	put(parameter, "2\n");
	unit_ok(finds("users", FINDING_NOTE, "echo 1 > ") &&
		strstr(finding_of("users")->text, "perf, guests and the NMI watchdog get none"),
		"doctor reports what counters of users cost others");
	put(parameter, "3\n");
	unit_ok(finds("users", FINDING_NOTE, "echo 1 > ") &&
		strstr(finding_of("users")->text, "sample the kernel (access=3)"),
		"doctor reports that users may sample the kernel");
	take_tree("/sys/module/tprof_lx/parameters");
	take_tree("/dev");
}

static void test_counters(void)
{
	answer.counters_err = -EIO;
	unit_ok(finds("counters", FINDING_NOTE, "nmi"),
		"counters that do not count are a note");
	put(APT_LIST, "Package: linux-headers-" RELEASE "\nVersion: 1\n\n"
	    "Package: proxmox-headers-6.12.0-1-pve\n");
	put("/proc/cpuinfo", "flags\t\t: fpu hypervisor sse2\n");
	put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
	unit_ok(finds("counters", FINDING_NOTE, "pmu=on"),
		"counters that do not count in a VM are the host's to fix");
	answer.info.backends[0].flags = 0;
	unit_ok(finds("counters", FINDING_NOTE, "pmu=on") &&
		strstr(finding_of("machine")->text, "virtual, of QEMU"),
		"missing counters in a VM are the host's to fix");
	make_well();
	answer.info.info.nr_backends = 3;
	answer.info.backends[2] = (struct tprof_lx_backend){ .name = "timer", .text = "slow",
							      .flags = TPROF_LX_BACKEND_CLOCK };
	unit_ok(is_well() && !strcmp(finding_of("timer")->text, "slow"),
		"another back end is listed with its text");
	answer.info.backends[2].flags |= TPROF_LX_BACKEND_DEGRADED;
	unit_ok(finds("timer", FINDING_NOTE, ""),
		"another back end that is degraded is a note");
	make_well();
	answer.info.backends[1].flags |= TPROF_LX_BACKEND_DEGRADED;
	unit_ok(finds("nmi", FINDING_NOTE, "online"),
		"nmi is degraded when one of several CPUs is online");
	put("/sys/devices/system/cpu/present", "0\n");
	unit_ok(finds("nmi", FINDING_NOTE, "second"),
		"nmi is degraded when there is a single CPU");
	make_well();
}

/* If the module reports that the counters are in use, exactly one finding is about them. */
static void test_holders(void)
{
	answer.info.backends[0].flags |= TPROF_LX_BACKEND_DEGRADED;
	answer.counters_err = -EBUSY;
	unit_ok(finds("holders", FINDING_NOTE, "tprof-lx control"),
		"an invisible holder of the counters is looked up in the module");
	answer.is_root = false;
	unit_ok(finds("holders", FINDING_NOTE, "sudo"),
		"an invisible holder of the counters is looked up as root");
	put("/proc/sys/kernel/nmi_watchdog", "1\n");
	unit_ok(finds("watchdog", FINDING_NOTE, "sysctl kernel.nmi_watchdog=0"),
		"the NMI watchdog is named as a holder");
	put("/proc/sys/kernel/nmi_watchdog", "0\n");
	put("/proc/12/comm", "(process 1)\n");
	mkdir(below("/proc/12/fd"), 0700);
	if (symlink("anon_inode:kvm-vm", below("/proc/12/fd/3")))
		exit(2);
	unit_ok(finds("holders", FINDING_NOTE, "PMU") && !*finding_of("holders")->fix,
		"a virtual machine is named as a holder and not killed");
	take("/proc/12/fd/3");
	if (symlink("anon_inode:[perf_event]", below("/proc/12/fd/3")))
		exit(2);
	unit_ok(finds("holders", FINDING_NOTE, "") &&
		!strcmp(finding_of("holders")->fix, "kill 12"),
		"a perf process is named as a holder, whatever its name");
	answer.counters_err = 0;
	unit_ok(is_well(),
		"a perf process that holds no counter is no finding");
	take("/proc/12/fd/3");
	make_well();
	put("/sys/module/kvm_amd/parameters/enable_mediated_pmu", "Y\n");
	unit_ok(finds("guests", FINDING_NOTE,
		      "modprobe -r kvm_amd && modprobe kvm_amd enable_mediated_pmu=N"),
		"a mediated PMU of KVM is a note");
	put("/sys/module/kvm_amd/parameters/enable_mediated_pmu", "N\n");
	unit_ok(is_well(), "a PMU that is not mediated is no finding");
}

static void test_symbols(void)
{
	put("/proc/sys/kernel/kptr_restrict", "2\n");
	unit_ok(finds("symbols", FINDING_NOTE, "sysctl kernel.kptr_restrict=1"),
		"hidden kernel symbols are a note");
	put("/proc/sys/kernel/kptr_restrict", "1\n");
	unit_ok(is_well(), "kernel symbols that only root sees are no finding");
	unit_ok(strstr(finding_of("debug")->text, "-k /usr/lib/debug/boot/vmlinux-" RELEASE),
		"debug information is listed with the option that uses it");
	take("/usr/lib/debug/boot/vmlinux-" RELEASE);
	unit_ok(is_well() && strstr(finding_of("debug")->text, "no source lines"),
		"missing debug information is no problem");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(root))
		return 2;
	make_well();
	test_kernel();
	test_headers();
	test_dkms();
	test_module();
	test_signature();
	test_device();
	test_users();
	test_counters();
	test_holders();
	test_symbols();
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) ? 2 : unit_exit();
}
