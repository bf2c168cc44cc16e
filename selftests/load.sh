#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Load the modules. Tests that unload them source this. Run as a test: load.sh NAME ...

# Expect the log lines about counters that do not work. The module logs them when the
# counters are first used.
expect_counters()
{
	echo "# expect-dmesg: tprof_lx: intel: "
	echo "# expect-dmesg: tprof_lx: amd: "
}

# Expect the log lines of loading the modules, and the lines of expect_counters().
expect_load()
{
	echo "# expect-dmesg: loading out-of-tree module taints kernel"
	echo "# expect-dmesg: module verification failed"
	echo "# expect-dmesg: is ready"
	expect_counters
}

# Load modules of $TPROF_MODULES, by name. Then use the counters, so that the log lines
# about counters that do not work come here and not in the middle of a test.
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
