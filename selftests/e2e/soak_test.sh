#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# NMIs at high rates on CPUs that are busy, for SOAK_SECONDS (20), and the kernel
# has nothing to say. `make soak-nmi` and `make soak-pmu` do it for ten minutes.

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
	rmmod tprof-lx-fake tprof-lx || fail "cannot unload"
	load_modules tprof-lx tprof-lx-fake || fail "cannot load"
}

# All samples of event $1 at $2 Hz, of which each is in the file or in the ledger.
soak()
{
	local seconds=${SOAK_SECONDS:-20}

	make_busy "$seconds"
	{ tprof-lx record -a -e "$1" -F "$2" --duration "$seconds" -o - 2>out; echo $? >status; } |
		ledger_must_add_up - || exit
	[ "$(cat status)" = 0 ] || { cat out; fail "status $(cat status)"; }
	[ "$(sed -n 's/^  SAMPLE *//p' facts)" -ge $((seconds * 100)) ] ||
		{ cat out; fail "hardly any sample"; }
	tail -n 1 out
	reload
}

test_nmi_at_10_khz()
{
	soak nmi 10000
}

test_cycles_at_50_khz()
{
	need_counters
	soak cycles 50000
}

main "$@"
