/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - properties of a machine that profiling depends on
 *
 * All properties are read from files below a root directory, so that tests can simulate
 * a machine. The module's device is not used.
 */
#ifndef TPROF_MACHINE_H
#define TPROF_MACHINE_H

#include "base/types.h"
#include "live/holders.h"

#define MACHINE_LOG_LEN	1024
#define MACHINE_REASON_LEN 192

/*
 * Kernel lockdown: INTEGRITY forbids modifying the running kernel, CONFIDENTIALITY
 * forbids reading its memory too.
 */
enum lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

/* State of the module for this kernel in DKMS. */
enum dkms_state {
	DKMS_UNKNOWN,	/* DKMS does not have the module */
	DKMS_ADDED,
	DKMS_HALF,	/* a build was interrupted; DKMS refuses to start another */
	DKMS_FAILED,
	DKMS_BUILT,
};

/* Signature of the module's file. */
enum signature {
	SIGNATURE_UNKNOWN,	/* there is no file, or it is compressed */
	SIGNATURE_NONE,
	SIGNATURE_THERE,
};

/**
 * struct machine - properties of a machine
 * @root:	directory in place of /; "" for this machine
 * @release:	release of the running kernel
 * @architecture: architecture of the running kernel
 * @distribution: ID and ID_LIKE of os-release; empty if unknown
 * @vendor:	vendor of the machine or of its emulator
 * @is_virtual:	it runs under a hypervisor
 * @nr_present: number of CPUs, online or not
 * @has_headers: the headers to build modules for this kernel are installed
 * @headers_package: Debian's package of the headers; empty if apt has none
 * @module_file: file of the module for this kernel; empty if there is none
 * @is_loaded:	the module is loaded
 * @access:	enum tprof_lx_access of the loaded module, or -1 if it has no such parameter
 * @device_mode: permissions of the device; 0 if there is none
 * @signature:	signature of @module_file
 * @sig_enforce: the kernel only loads signed modules
 * @mok:	file of the certificate whose key signed @module_file; if that is not
 *		found, file of the certificate that DKMS uses; empty if there is none
 * @has_signed:	the key of @mok signed @module_file
 * @mok_enrolled: @mok is enrolled in the firmware
 * @mok_unknown: the firmware's list of enrolled certificates cannot be read
 * @lockdown:	lockdown of the kernel
 * @dkms:	state of the module in DKMS
 * @dkms_version: version in DKMS or of a source below /usr/src; empty if there is none
 * @dkms_log:	end of the log of a failed build
 * @dkms_reason: why the build failed, by scripts/dkms-build.sh; empty if it does not say so
 * @watchdog:	the NMI watchdog is on
 * @holders:	processes that have a perf event or a virtual machine open
 * @mediated_pmu: KVM module that passes the counters to guests; empty if none does
 * @modules_disabled: kernel.modules_disabled is 1, so no module can be loaded
 * @kptr_restrict: kernel.kptr_restrict; 2 hides kernel addresses from root too
 * @has_mokutil: mokutil, which enrols certificates, is installed
 * @vmlinux:	file with debug information of this kernel; empty if there is none
 */
struct machine {
	const char *root;
	char	release[65];
	char	architecture[65];
	char	distribution[128];
	char	vendor[64];
	bool	is_virtual;
	u32	nr_present;
	bool	has_headers;
	char	headers_package[96];
	char	module_file[256];
	bool	is_loaded;
	int	access;
	u32	device_mode;
	enum signature signature;
	bool	sig_enforce;
	char	mok[160];
	bool	has_signed;
	bool	mok_enrolled;
	bool	mok_unknown;
	enum lockdown lockdown;
	enum dkms_state dkms;
	char	dkms_version[32];
	char	dkms_log[MACHINE_LOG_LEN];
	char	dkms_reason[MACHINE_REASON_LEN];
	bool	watchdog;
	struct holders holders;
	char	mediated_pmu[16];
	bool	modules_disabled;
	u32	kptr_restrict;
	bool	has_mokutil;
	char	vmlinux[160];
};

#endif /* TPROF_MACHINE_H */
