/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what a machine has that a profiler depends on
 *
 * Everything is read from files below a root, so that a test can have a machine of
 * its own. Nothing is asked of the module here.
 */
#ifndef TPROF_MACHINE_H
#define TPROF_MACHINE_H

#include "base/types.h"
#include "live/holders.h"

#define MACHINE_LOG_LEN	1024

/* Of the kernel: how much of it may be changed, and read. */
enum lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

/* How far DKMS has come with the module for this kernel. */
enum dkms_state {
	DKMS_UNKNOWN,	/* it does not know the module */
	DKMS_ADDED,
	DKMS_HALF,	/* it was interrupted, and does not begin again */
	DKMS_FAILED,
	DKMS_BUILT,
};

/* What is known of a signature of the module's file. */
enum signature {
	SIGNATURE_UNKNOWN,	/* no file, or a compressed one */
	SIGNATURE_NONE,
	SIGNATURE_THERE,
};

/**
 * struct machine - what was found
 * @root:	below which; "" is this machine
 * @release:	of the running kernel
 * @architecture: likewise
 * @distribution: ID of os-release, and what it is like; empty if not known
 * @vendor:	who made the machine, or the emulator of it
 * @is_virtual:	there is a hypervisor
 * @nr_present: CPUs, with those that are not online
 * @has_headers: to build modules for this kernel with
 * @headers_package: Debian's package with the headers, empty if apt has none
 * @module_file: for this kernel, empty if there is none
 * @is_loaded:	the module is
 * @signature:	of @module_file
 * @sig_enforce: the kernel only loads what is signed
 * @mok:	certificate that @module_file is signed with, or that one will be signed
 *		with here; empty if there is none
 * @has_signed:	@mok has
 * @mok_enrolled: the firmware knows @mok
 * @mok_unknown: what it knows cannot be read
 * @lockdown:	of the kernel
 * @dkms:	state of the module there
 * @dkms_version: that it knows, or could, as its source is there
 * @dkms_log:	end of the log of a build that failed
 * @watchdog:	the NMI watchdog is on
 * @holders:	processes with events of perf or virtual machines
 * @mediated_pmu: module that gives guests the counters themselves, or empty
 * @modules_disabled: none can be loaded
 * @kptr_restrict: who sees the kernel's addresses: 2 is nobody
 * @has_mokutil: what enrols a certificate
 * @vmlinux:	debug information of this kernel, empty if there is none
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
	bool	watchdog;
	struct holders holders;
	char	mediated_pmu[16];
	bool	modules_disabled;
	u32	kptr_restrict;
	bool	has_mokutil;
	char	vmlinux[160];
};

#endif /* TPROF_MACHINE_H */
