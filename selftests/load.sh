# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# How the modules come into the kernel, for run.sh and for tests that took them
# out. Sourced.

# Load modules of $TPROF_MODULES, by name. What there is to say of counters that
# do not work, the log is told at their first use and never again: that is here,
# and not in the middle of some test.
load_modules()
{
	local module

	for module; do
		insmod "$TPROF_MODULES/$module.ko" || return
	done
	tprof-lx stat -e cycles -- true >/dev/null 2>&1 || true
}
