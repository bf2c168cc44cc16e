#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that vm/tcg.sh holds all code that the tests would make an emulated kernel patch.

. "$(dirname "$0")/lib.sh"

readonly tracing=/sys/kernel/tracing

probe_patches()
{
	[ -d $tracing/instances/hold1 ] || skip "the CPUs here are not emulated in threads"
	echo 'p:emulator/patch text_poke_bp_batch' >>$tracing/kprobe_events ||
		skip "this kernel has no text_poke_bp_batch()"
	trap 'unprobe_patches; cd /; rm -rf "$dir"' EXIT
	echo 1 >$tracing/events/emulator/patch/enable
}

# shellcheck disable=SC2317,SC2329	# called by the trap
unprobe_patches()
{
	echo 0 >$tracing/events/module/module_free/enable
	echo 0 >$tracing/events/emulator/patch/enable
	echo '-:emulator/patch' >>$tracing/kprobe_events
}

nr_patches()
{
	awk '$1 == "patch" { print $2 }' $tracing/kprobe_profile
}

# Run a command that must not make the kernel patch its code.
must_not_patch()
{
	local before

	before=$(nr_patches)
	must "$@"
	[ "$(nr_patches)" -eq "$before" ] || fail "the kernel has patched its code: $*"
}

use_memory_cgroup()
{
	local root=$dir/cgroups

	mkdir -p "$root" && mount -t cgroup2 none "$root" || return
	if grep -qw memory "$root/cgroup.controllers"; then
		echo +memory >"$root/cgroup.subtree_control"
		mkdir "$root/used" && rmdir "$root/used"
	fi
	umount "$root"
}

set_cpu_1_online()
{
	echo "$1" >/sys/devices/system/cpu/cpu1/online
}

# Last, patch code that no CPU runs, to check that patches are counted.
test_tests_patch_no_code()
{
	local before perf=task-clock,context-switches,cpu-migrations,page-faults
	local events=context-switches,cpu-migrations,page-faults,ticks,lock-contention,wakeups

	probe_patches
	must_not_patch use_memory_cgroup
	must_not_patch tprof-lx stat -e "$events" -- true
	must_not_patch tprof-lx record -o recording -- true
	! command -v perf >/dev/null ||
		must_not_patch perf stat -e $perf,minor-faults,major-faults -o counts -- true
	if [ -e /sys/devices/system/cpu/cpu1/online ]; then
		must_not_patch set_cpu_1_online 0
		must_not_patch set_cpu_1_online 1
	fi
	before=$(nr_patches)
	echo 1 >$tracing/events/module/module_free/enable
	[ "$(nr_patches)" -gt "$before" ] || fail "patches are not counted"
}

main "$1"
