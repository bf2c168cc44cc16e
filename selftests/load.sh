#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Load the modules. Tests that have unloaded them source this; as a test itself:
# load.sh NAME ...

# Expect the lines that the module logs about counters that do not work, when
# the counters are first used.
expect_counters()
{
	echo "# expect-dmesg: tprof_lx: intel: "
	echo "# expect-dmesg: tprof_lx: amd: "
}

# Expect the lines that are logged when the modules are loaded, and the above.
expect_load()
{
	echo "# expect-dmesg: loading out-of-tree module taints kernel"
	echo "# expect-dmesg: module verification failed"
	echo "# expect-dmesg: is ready"
	expect_counters
}

# Load modules of $TPROF_MODULES, by name. Counters that do not work are logged
# only at their first use: use them here, and not in the middle of a test.
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
