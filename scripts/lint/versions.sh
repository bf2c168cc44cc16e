#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernel versions are named in kmod/compat.h alone: everything else reads as the
# newest kernel. And the oldest one is the same there and in dkms.conf.

set -u

. "$(dirname "$0")/../sources.sh"

status=0
if grep -rnE 'KERNEL_VERSION\(|LINUX_VERSION_CODE|RHEL_RELEASE' \
	--include='*.[ch]' --exclude=compat.h kmod include selftests; then
	say "a kernel version outside kmod/compat.h"
	status=1
fi

dkms=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL_MIN="\(.*\)"$/\1/p' dkms.conf)
compat=$(sed -n 's/^#if LINUX_VERSION_CODE < KERNEL_VERSION(\([0-9]*\), *\([0-9]*\), *0)$/\1.\2/p' \
	kmod/compat.h | head -n 1)
if [ -z "$dkms" ] || [ "$dkms" != "$compat" ]; then
	say "oldest kernel: dkms.conf says '$dkms', kmod/compat.h '$compat'"
	status=1
fi
exit $status
