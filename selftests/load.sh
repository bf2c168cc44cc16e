#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Load the modules: load.sh NAME ... . Tests that unload modules source this file.

# Let the guard accept log lines about counters that do not work. The module logs them
# when the counters are first used.
expect_counters()
{
	echo "# expect-dmesg: tprof_lx: intel: "
	echo "# expect-dmesg: tprof_lx: amd: "
}

# Let the guard accept log lines of loading the modules, and those of expect_counters().
expect_load()
{
	echo "# expect-dmesg: loading out-of-tree module taints kernel"
	echo "# expect-dmesg: module verification failed"
	echo "# expect-dmesg: is ready"
	expect_counters
}

# Load the modules $@ from $TPROF_MODULES. Then use the counters, so that log lines about
# counters that do not work are logged here and not during a test.
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
