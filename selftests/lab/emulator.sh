# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Where the emulator with a PMU is. Sourced after lib.sh.

# build.sh makes this one.
readonly LAB_EMULATOR=$TPROF_CACHE/lab

# One that came with the tree is used instead, if there is one.
readonly OTHER_EMULATOR=$TPROF_TOP/../shared/lab

# Print the directory of the emulator that lab.sh uses. Fail if there is none.
emulator_dir()
{
	local dir

	for dir in "$OTHER_EMULATOR" "$LAB_EMULATOR"; do
		[ -x "$dir/qemu-system-x86_64" ] || continue
		echo "$dir"
		return
	done
	return 1
}
