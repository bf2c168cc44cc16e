#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of switch.sh that runs in the guest. It prints a line for each measurement,
#
#	switch WHO SCOPE EVENTS ROUNDS TSC
#
# WHO is none; perf or tprof-lx, which counts EVENTS events; threads, which is tprof-lx that
# counts by thread; sampling, which is tprof-lx with events that sample, but whose periods
# are too long for a sample; latency, the same with --latency; or clock, the same with clocks.
# With $1, only these are measured. Two processes pass a
# byte back and forth ROUNDS times, which takes TSC ticks of the TSC. SCOPE says which
# processes WHO counts: "outside" means neither of the two, "inside" both, and "border" one
# of them.

set -u

readonly workload=build/selftests/workloads/pass chosen=${1:-}
readonly rounds="2000 12000"

events_of()
{
	case $1 in
	1) echo instructions:u ;;
	4) echo instructions:u,branches:u,cycles:u,cache-misses:u ;;
	esac
}

clocks_of()
{
	case $1 in
	1) echo timer:u ;;
	4) echo timer:u,timer:u,timer:u,timer:u ;;
	esac
}

# Start the profiler $1 in the background. It counts $3 events of the processes $4.
start_counting()
{
	case $1 in
	none) sleep 1000 & ;;
	perf) perf stat -e "$(events_of "$3")" -p "$4" >/tmp/stat.out 2>&1 & ;;
	tprof-lx) tprof-lx stat -e "$(events_of "$3")" -p "$4" >/tmp/stat.out 2>&1 & ;;
	threads) tprof-lx stat --per-thread -e "$(events_of "$3")" -p "$4" \
		>/tmp/stat.out 2>&1 & ;;
	sampling) tprof-lx record -e "$(events_of "$3")" -c 100000000000 -o /tmp/stat.data \
		-p "$4" >/tmp/stat.out 2>&1 & ;;
	latency) tprof-lx record --latency -e "$(events_of "$3")" -c 100000000000 \
		-o /tmp/stat.data -p "$4" >/tmp/stat.out 2>&1 & ;;
	clock) tprof-lx record -e "$(clocks_of "$3")" -c 1000000000000 -o /tmp/stat.data \
		-p "$4" >/tmp/stat.out 2>&1 & ;;
	esac
	counting=$!
	# Let it start its events, and then sleep.
	sleep 3
}

# Measure with the profiler $1, the scope $2 and $3 events.
measure()
{
	local parent child pids nr tsc stranger

	[ -z "$chosen" ] || [[ " none $chosen " = *" $1 "* ]] || return 0
	coproc pass { $workload; }
	read -r parent child <&"${pass[0]}"
	sleep 1000 &
	stranger=$!
	case $2 in
	outside) pids=$stranger ;;
	inside) pids=$parent,$child ;;
	border) pids=$child ;;
	esac
	start_counting "$1" "$2" "$3" "$pids"
	kill -0 $counting || cat /tmp/stat.out >&2
	for nr in 1000 $rounds; do
		echo "$nr" >&"${pass[1]}"
		read -r tsc <&"${pass[0]}"
		[ "$nr" -eq 1000 ] || echo "switch $1 $2 $3 $nr $tsc"
	done
	kill -INT $counting
	[ "$1" != none ] || kill -TERM $counting
	eval "exec ${pass[1]}>&-"
	kill $stranger
	wait
}

echo 0 >/proc/sys/kernel/nmi_watchdog
# Wait for services that start at boot.
sleep 5
measure none outside 1 >/dev/null
measure none outside 1
for nr in 1 4; do
	for scope in outside inside border; do
		measure perf $scope $nr
	done
done
insmod "build/$(uname -r)/tprof-lx.ko" || exit 2
for nr in 1 4; do
	for scope in outside inside border; do
		measure tprof-lx $scope $nr
		measure threads $scope $nr
		measure sampling $scope $nr
		measure latency $scope $nr
		measure clock $scope $nr
	done
done
