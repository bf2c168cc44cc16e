#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Code with interrupts off, on a machine without a PMU: tprof-lx samples it, perf does
# not. perf's cpu-clock uses a timer interrupt, which is delayed while interrupts are off.

. "$(dirname "$0")/lib.sh"

burn=$TPROF_TESTS/workloads/burn

# Print the sum of the periods of the samples in tprof_lx_burn_$1 in recording $2, in
# percent of the time that the function took (in the file "spent").
percent_seen()
{
	perf_script "$2" -F period,ip,sym |
		awk -v symbol="tprof_lx_burn_$1" -v spent="$(cat spent)" '
			$3 == symbol { seen += $1 }
			END { printf "%d\n", 100 * seen / spent }'
}

# Record everything on CPU 0, as the program itself sleeps while a hard interrupt burns
# time. With -N, perf does not copy all binaries, which takes half a minute.
record_by_perf()
{
	must perf record -q -N -e cpu-clock -F 1000 -a -C 0 -o perf.data -- \
		taskset -c 0 sh -c "$burn $1 3 >spent"
	percent_seen "$1" perf.data
}

# Record up to five times and keep the highest share: blind_test.c explains why.
record_by_us()
{
	local best=0 percent
	late=0

	for _ in 1 2 3 4 5; do
		must tprof-lx record -q -a -C 0 -F 1000 -o tprof.data -- \
			taskset -c 0 sh -c "$burn $1 2 >spent"
		percent=$(percent_seen "$1" tprof.data)
		[ "$percent" -le "$best" ] || {
			best=$percent
			late=$(late_share tprof.data)
		}
		[ "$best" -lt 90 ] || break
	done
	us=$best
}

compare()
{
	local perf us late

	have_perf
	perf=$(record_by_perf "$1")
	record_by_us "$1"
	echo "# tprof_lx_burn_$1: perf saw $perf percent, tprof-lx $us"
	[ "$perf" -le 5 ] || fail "perf's cpu-clock saw $perf percent"
	[ "$us" -ge 90 ] || [ "$late" -le 10 ] ||
		skip "the host takes the CPUs away: $late % of the ticks came late"
	[ "$us" -ge 90 ] || fail "tprof-lx saw $us percent"
}

test_interrupts_off_is_seen()
{
	compare irqs_off
}

test_hard_interrupt_is_seen()
{
	compare hardirq
}

main "$@"
