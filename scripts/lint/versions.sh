#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that only kmod/compat.h depends on the kernel version, as all other code is written
# for the newest kernel. Check that kmod/compat.h, dkms.conf and the doctor have the same
# oldest kernel, that the documents have the tested kernels of dkms.conf, which are those of
# kernels.sh, and that Debian's changelog has the version in dkms.conf.

set -u

. "$(dirname "$0")/../sources.sh"
. "$(dirname "$0")/../kernels.sh"

# Print the versions on stdin as a list: "6.1, 6.12".
as_list()
{
	sort -uV | paste -s -d, | sed 's/,/, /g'
}

status=0
if grep -rnE 'KERNEL_VERSION\(|LINUX_VERSION_CODE|RHEL_RELEASE' \
	--include='*.[ch]' --exclude=compat.h kmod include selftests; then
	say "a kernel version outside kmod/compat.h"
	status=1
fi

dkms=$(dkms_conf BUILD_EXCLUSIVE_KERNEL_MIN)
compat=$(sed -n 's/^#if LINUX_VERSION_CODE < KERNEL_VERSION(\([0-9]*\), *\([0-9]*\), *0)$/\1.\2/p' \
	kmod/compat.h | head -n 1)
doctor=$(sed -nE 's/^#define OLDEST_(MAJOR|MINOR)[[:space:]]+([0-9]+)$/\2/p' \
	tools/doctor/diagnosis.c | paste -s -d .)
if [ -z "$dkms" ] || [ "$dkms" != "$compat" ] || [ "$dkms" != "$doctor" ]; then
	say "oldest kernel: dkms.conf says '$dkms', kmod/compat.h '$compat', doctor '$doctor'"
	status=1
fi
# DKMS versions without BUILD_EXCLUSIVE_KERNEL_MIN use the pattern BUILD_EXCLUSIVE_KERNEL.
pattern=$(dkms_conf BUILD_EXCLUSIVE_KERNEL)
before=${dkms%.*}.$((${dkms#*.} - 1))
if ! [[ $dkms.0-1 =~ $pattern && $dkms.99-x =~ $pattern && 10.0.1 =~ $pattern ]] ||
	[[ $before.99 =~ $pattern || 5.10.0-1 =~ $pattern ]]; then
	say "BUILD_EXCLUSIVE_KERNEL in dkms.conf does not begin with $dkms"
	status=1
fi
tested=$(dkms_conf TESTED_KERNELS)
built=$(dkms_conf BUILT_KERNELS)
run=$(kernels | sed -nE 's/^([0-9.]+)\t.*/\1/p' | as_list)
if [ "$tested" != "$run" ]; then
	say "tested kernels: dkms.conf says '$tested', the tests run on '$run'"
	status=1
fi
compiled=$(kernels | sed -nE 's/^-\t([0-9]+)\\\.([0-9]+)\\\..*/\1.\2/p' |
	grep -vxF "${tested//, /$'\n'}" | as_list)
if [ "$built" != "$compiled" ]; then
	say "kernels that are only built for: dkms.conf says '$built', kernels.sh '$compiled'"
	status=1
fi
for file in README.md INSTALL.md; do
	if [[ $(tr '\n' ' ' <$file) != *"on $tested"* ]]; then
		say "$file does not say that tprof-lx is tested on $tested"
		status=1
	fi
done
if [[ $(tr '\n' ' ' <INSTALL.md) != *"only built for $built"* ]]; then
	say "INSTALL.md does not say that the module is only built for $built"
	status=1
fi
debian=$(sed -n '1s/^tprof-lx (\(.*\)-.*) .*/\1/p' packaging/debian/changelog)
if [ "$debian" != "$(dkms_conf PACKAGE_VERSION)" ]; then
	say "packaging/debian/changelog begins with version '$debian', dkms.conf says" \
		"'$(dkms_conf PACKAGE_VERSION)'"
	status=1
fi
exit $status
