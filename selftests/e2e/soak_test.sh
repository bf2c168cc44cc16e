#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sample at high rates on busy CPUs for $SOAK_SECONDS (default 10). The kernel must log
# nothing. `make soak-nmi` and `make soak-pmu` run this for ten minutes.

. "$(dirname "$0")/lib.sh"

# Run a program on each CPU, and one on CPU 0 that disables interrupts: NMIs are then
# late, are merged, and interrupt code that nothing else interrupts.
make_busy()
{
	local cpu

	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" "$hotcold" "$1" >/dev/null &
	done
	taskset -c 0 "$TPROF_TESTS/workloads/burn" irqs_off "$1" >/dev/null &
}

# Reload the module, and the fake back end, which depends on it.
reload()
{
	rmmod tprof-lx-fake tprof-lx || fail "cannot unload"
	load_modules tprof-lx tprof-lx-fake || fail "cannot load"
}

# Sample event $1 at $2 Hz. Each sample must be in the recording, or counted as lost or
# filtered in its ledger.
soak()
{
	local seconds=${SOAK_SECONDS:-10}

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
