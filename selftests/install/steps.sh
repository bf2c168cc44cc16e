#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# In a fresh Debian: install the packages, use them, upgrade them, install kernels
# that the module cannot be built for, and purge the packages. Commands and their
# output are shown. Each check prints a line "ok", "not ok" or "skip". In a chroot, the
# running kernel belongs to another system, so steps that load the module are skipped.
#
# usage: steps.sh PACKAGES chroot|vm

set -u -o pipefail

readonly packages=$1 where=$2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
failed=''

# The names of results begin with the version of Debian.
. /etc/os-release
readonly group=install/$VERSION_ID

# Show a command and run it. The caller checks its status; says() checks its output.
type_in()
{
	printf '\n$ %s\n' "$*"
	"$@" 2>&1 </dev/null | tee /tmp/said
}

judge()
{
	local name=$1

	shift
	if "$@"; then
		printf 'ok %s/%s\n' "$group" "$name"
	else
		printf 'not ok %s/%s  # failed: %s\n' "$group" "$name" "$*"
		failed=yes
	fi
}

in_vm_only()
{
	[ "$where" = vm ] || { printf 'skip %s/%s  # in a chroot\n' "$group" "$1"; return 1; }
}

says()
{
	grep -qE -- "$1" /tmp/said
}

# Is dpkg in a consistent state?
whole()
{
	[ -z "$(dpkg --audit)" ]
}

# Is version $1 of the module installed for each kernel that has headers?
built()
{
	local kernel any=''

	for kernel in /lib/modules/*; do
		[ -e "$kernel/build/include" ] || continue
		[ "$(modinfo -k "${kernel##*/}" -F version tprof-lx)" = "$1" ] || return
		any=yes
	done
	[ -n "$any" ]
}

# Is the module signed by a key that the owner can enrol for Secure Boot?
signed()
{
	local file

	file=$(find /lib/modules -name 'tprof-lx.ko*' | head -n 1)
	[ -n "$(modinfo -F signer "$file")" ] && [ -e /var/lib/dkms/mok.pub ]
}

version_of()
{
	dpkg-deb -f "$packages/$1"/tprof-lx-dkms_*.deb Version | sed 's/-[^-]*$//'
}

ours()
{
	find / /run -xdev \( -path "$packages" -o -path /proc -o -path /var/lib/apt/lists \
		-o -path /tmp \) -prune -o -iname '*tprof*' -print | sort -u
}

# In a chroot, the same sources are compiled twice. So cache what the compiler writes.
use_ccache()
{
	local compiler

	apt-get install -q -y --no-install-recommends ccache
	mkdir -p /tmp/ccache/bin
	for compiler in gcc gcc-12 gcc-14; do
		ln -s /usr/bin/ccache /tmp/ccache/bin/$compiler
	done
	export PATH=/tmp/ccache/bin:$PATH CCACHE_DIR=/tmp/ccache
	# apt-get runs dpkg with another PATH, unless this sets it.
	echo "DPkg::Path \"$PATH\";" >/etc/apt/apt.conf.d/90ccache
}

install_them()
{
	type_in apt-get update -q
	[ "$where" = vm ] || use_ccache
	judge system_has_no_files_of_ours test -z "$(ours)"
	type_in apt-get install -q -y "$packages"/now/tprof-lx_*.deb \
		"$packages"/now/tprof-lx-dkms_*.deb
	judge install_succeeds test $? -eq 0
	judge dpkg_is_consistent whole
	judge module_is_built built "$(version_of now)"
	judge module_is_signed signed
	type_in dkms status
}

use_them()
{
	in_vm_only uses || return
	judge module_is_loaded test -e /sys/module/tprof_lx
	type_in tprof-lx doctor
	judge doctor_succeeds test $? -eq 0
	type_in sudo tprof-lx record -- ls -R /usr/share
	judge record_succeeds test $? -eq 0
	type_in tprof-lx info -i tprof.data
	judge recording_has_samples says '[1-9][0-9,]* samples?'
	type_in tprof-lx report --stdio
	judge report_has_the_command says '^ +[0-9.]+% +ls '
}

# Install the examples of the package and check that they work as documented.
try_examples()
{
	local from=/usr/share/doc/tprof-lx/examples flight=/var/lib/tprof-lx-flight nr

	in_vm_only examples || return
	install -D -m 0644 $from/tprof-lx.sysusers /etc/sysusers.d/tprof-lx.conf
	cp $from/60-tprof-lx.rules /etc/udev/rules.d/
	cp $from/tprof-lx.modules-load /etc/modules-load.d/tprof-lx.conf
	sed 's/^#options/options/' $from/tprof-lx.modprobe >/etc/modprobe.d/tprof-lx.conf
	systemd-sysusers
	udevadm control --reload
	modprobe -r tprof-lx
	type_in systemctl restart systemd-modules-load
	udevadm settle
	type_in stat -c '%a %G' /dev/tprof-lx
	judge group_has_the_device says '^660 tprof$'
	judge parameters_are_applied test "$(cat /sys/module/tprof_lx/parameters/max_rate)" = 10000

	sed 's/SECONDS_EACH=60 FILES=60/SECONDS_EACH=3 FILES=2/' $from/tprof-lx-flight.service \
		>/etc/systemd/system/tprof-lx-flight.service
	systemctl daemon-reload
	type_in systemctl start tprof-lx-flight
	sleep 40
	type_in systemctl status --no-pager tprof-lx-flight
	judge flight_keeps_running says 'active \(running\)'
	systemctl stop tprof-lx-flight
	nr=$(find $flight -name '*.data' | wc -l)
	judge flight_keeps_the_last_files test "$nr" -eq 2
	type_in sh -c "tprof-lx report --stdio -i \$(find $flight -name '*.data' | sort | head -n 1)"
	judge flight_can_be_read says '^# Samples: '
	rm -r $flight /etc/systemd/system/tprof-lx-flight.service /etc/modprobe.d/tprof-lx.conf \
		/etc/modules-load.d/tprof-lx.conf /etc/udev/rules.d/60-tprof-lx.rules \
		/etc/sysusers.d/tprof-lx.conf
	systemctl daemon-reload
	udevadm control --reload
	groupdel tprof
}

# The doctor must report the line that matches $2, and "ok" after the fix that it prints.
# $1 names the checks.
mends()
{
	local name=$1 what=$2 fix

	type_in tprof-lx doctor
	fix=$(grep -E -A 20 "^$what" /tmp/said | sed -nE '2,${ /^[a-z]/q; s/^ +-> //p }' | head -n 1)
	judge "doctor_names_$name" test -n "$fix"
	type_in sh -c "$fix"
	type_in tprof-lx doctor
	judge "doctor_mends_$name" says "^${what%% *} +ok"
}

# Cause six problems, and remove each by the fix that the doctor prints.
provoke()
{
	local version

	in_vm_only doctor_mends || return
	modprobe -r tprof-lx
	mends unloaded_module 'module +problem +is not loaded'
	modprobe -r tprof-lx
	version=$(version_of now)
	dkms uninstall "tprof-lx/$version" -k "$(uname -r)" >/dev/null
	mends missing_module 'module +problem +there is none'
	apt-get remove -q -y "linux-headers-$(uname -r)" >/dev/null 2>&1
	mends headers 'headers +(note|problem)'
	sysctl -q kernel.kptr_restrict=2
	mends symbols 'symbols +note'
	echo 0 >/sys/devices/system/cpu/cpu1/online
	mends offline_cpu 'nmi +note'
	chmod 0600 /dev/tprof-lx
	mends_permission
}

# Run the doctor as a user without access to the device: it must report the problem and
# a fix.
mends_permission()
{
	local fix

	useradd -m -G sudo user
	echo 'user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/user
	type_in setpriv --reuid=user --regid=user --init-groups tprof-lx doctor
	fix=$(sed -nE '/^device +problem/,/->/s/^ +-> //p' /tmp/said)
	judge doctor_names_permission test -n "$fix"
	type_in setpriv --reuid=user --regid=user --init-groups sh -c "$fix"
	judge doctor_mends_permission says '^device +ok'
	userdel -r user 2>/dev/null
	rm /etc/sudoers.d/user
}

# Make a directory that looks to DKMS like the headers of kernel $1, with config $2.
fake_kernel()
{
	mkdir -p "/lib/modules/$1/build/include" "/lib/modules/$1/kernel"
	printf '%s\n' "$2" >"/lib/modules/$1/build/.config"
	cp "/lib/modules/$1/build/.config" "/boot/config-$1"
}

kernel_comes()
{
	fake_kernel "$1" "$2"
	type_in sh -c "run-parts --exit-on-error --arg=$1 /etc/kernel/postinst.d &&
		run-parts --exit-on-error --arg=$1 /etc/kernel/header_postinst.d"
}

# Run the hooks for newly installed headers, for the kernel that is already installed.
same_kernel_comes()
{
	local kernel

	kernel=$(basename /lib/modules/*-amd64)
	type_in sh -c "run-parts --exit-on-error --arg=$kernel /etc/kernel/header_postinst.d"
}

kernels_come()
{
	kernel_comes 6.99.0-small "$(printf 'CONFIG_%s=y\n' RD_GZIP X86_LOCAL_APIC \
		PERF_EVENTS TRACEPOINTS)"
	judge kernel_without_kprobes_is_installed test $? -eq 0
	judge kernel_without_kprobes_is_reported \
		says 'no module for 6.99.0-small: it has no CONFIG_KPROBES$'
	kernel_comes 5.10.0-old "$(printf 'CONFIG_%s=y\n' RD_GZIP X86_LOCAL_APIC \
		PERF_EVENTS KPROBES TRACEPOINTS)"
	judge old_kernel_is_installed test $? -eq 0
	judge old_kernel_is_reported says 'no module for 5.10.0-old: it is older than 6.1$'
	rm -rf /lib/modules/{6.99.0-small,5.10.0-old} /boot/*-{6.99.0-small,5.10.0-old}
}

# An upgrade keeps the loaded module, which may be in use, and says so.
upgrade()
{
	[ "$where" != vm ] || modprobe tprof-lx
	type_in apt-get install -q -y "$packages"/next/tprof-lx-dkms_*.deb
	if in_vm_only upgrade_with_loaded_module; then
		judge upgrade_keeps_loaded_module test -e /dev/tprof-lx
		judge upgrade_reports_loaded_module says 'the loaded module is not the installed one'
	fi
	judge upgrade_leaves_dpkg_consistent whole
	judge new_module_is_built built "$(version_of next)"
	type_in dkms status
	judge old_module_is_gone test "$(grep -c tprof-lx /tmp/said)" -eq \
		"$(grep -c "tprof-lx/$(version_of next)" /tmp/said)"

	type_in apt-get install -q -y "$packages"/broken/tprof-lx-dkms_*.deb
	judge failed_build_does_not_fail_dpkg test $? -eq 0
	judge dpkg_is_consistent_after_failed_build whole
	judge failed_build_is_reported says 'could not be built for '
	judge failed_build_says_what_is_missing says '^this kernel has no gone_in_the_future\(\)'
	same_kernel_comes
	judge failed_build_does_not_fail_a_kernel test $? -eq 0
	if in_vm_only doctor_knows_why; then
		type_in tprof-lx doctor
		judge doctor_knows_why says 'this kernel has no gone_in_the_future\(\)'
	fi
	type_in apt-get install -q -y --allow-downgrades "$packages"/now/tprof-lx-dkms_*.deb
	judge downgrade_builds_the_module built "$(version_of now)"
}

# Leave DKMS in the state in which it is if it was killed while it built the module.
end_builds()
{
	local version=$1 kernel

	for kernel in /lib/modules/*-amd64; do
		kernel=$(basename "$kernel")
		dkms remove "tprof-lx/$version" -k "$kernel" >/dev/null
		dkms add "tprof-lx/$version" >/dev/null 2>&1
		mkdir -p "/var/lib/dkms/tprof-lx/$version/$kernel/x86_64/log"
	done
}

interrupt()
{
	local version

	version=$(version_of now)
	if in_vm_only doctor_mends_interruption; then
		end_builds "$version"
		mends interruption 'dkms +(note|problem) +was interrupted'
	fi
	end_builds "$version"
	same_kernel_comes
	judge interrupted_build_is_repeated built "$version"
	mkdir -p "/var/lib/dkms/tprof-lx/$version/6.99.0-gone/x86_64/log"
}

purge()
{
	type_in apt-get purge -q -y tprof-lx tprof-lx-dkms
	judge purge_succeeds test $? -eq 0
	judge dpkg_is_consistent_after_purge whole
	type_in ours
	judge no_file_is_left test -z "$(ours)"
	in_vm_only module_is_unloaded || return
	judge module_is_unloaded test ! -e /sys/module/tprof_lx -a ! -e /dev/tprof-lx
}

mkdir -p /tmp/work
cd /tmp/work || exit
install_them
use_them
try_examples
provoke
kernels_come
upgrade
interrupt
purge
[ -z "$failed" ]
