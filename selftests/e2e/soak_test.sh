#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# NMIs at 10 kHz on CPUs that are busy, for SOAK_SECONDS (20), and the kernel
# has nothing to say. `make soak-nmi` does it for ten minutes.

. "$(dirname "$0")/lib.sh"

# Programs on every CPU, and interrupts off on one: then NMIs come late, meet,
# and find code that can least bear a mistake.
make_busy()
{
	local cpu

	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" "$hotcold" "$1" >/dev/null &
	done
	taskset -c 0 "$TPROF_TESTS/workloads/burn" irqs_off "$1" >/dev/null &
}

# The fake back end needs the module too.
reload()
{
	echo "# expect-dmesg: is ready"
	echo "# expect-dmesg: counter"
	rmmod tprof-lx-fake tprof-lx || fail "cannot unload"
	load_modules tprof-lx tprof-lx-fake || fail "cannot load"
}

test_nmi_at_10_khz()
{
	local seconds=${SOAK_SECONDS:-20}

	make_busy "$seconds"
	tprof-lx record -a -e nmi -F 10000 --duration "$seconds" -o - \
		2>out >/dev/null || { cat out; fail "status $?"; }
	tail -n 1 out
	reload
}

main "$@"
