#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How the modules come into the kernel: for tests that took them out, which source
# this, and as a test itself: load.sh NAME ...

# What the kernel's log is told of counters that do not work, when they are first used.
expect_counters()
{
	echo "# expect-dmesg: tprof_lx: intel: "
	echo "# expect-dmesg: tprof_lx: amd: "
}

# And when the modules come.
expect_load()
{
	echo "# expect-dmesg: loading out-of-tree module taints kernel"
	echo "# expect-dmesg: module verification failed"
	echo "# expect-dmesg: is ready"
	expect_counters
}

# Load modules of $TPROF_MODULES, by name. What there is to say of counters that
# do not work, the log is told at their first use and never again: that is here,
# and not in the middle of some test.
load_modules()
{
	local module

	expect_load
	for module; do
		insmod "$TPROF_MODULES/$module.ko" || return
	done
	tprof-lx stat -e cycles -- true >/dev/null 2>&1 || true
}

[ "$0" != "${BASH_SOURCE[0]}" ] || load_modules "$@"
