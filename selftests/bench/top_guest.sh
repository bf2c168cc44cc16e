#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of top.sh that runs in the guest. It prints a line for each run,
#
#	top PROFILER EVENT USER SYS SECONDS
#
# USER and SYS are the CPU time of the profiler in seconds, its start included. For each event,
# it then prints
#
#	share PROFILER EVENT PERCENT
#
# the share of one CPU after the start: from the differences between a short and a long run.

set -u -o pipefail

readonly seconds=$1
modules=build/$(uname -r)
readonly modules
readonly workload=build/selftests/workloads/hotcold
readonly hz=1000 interval=2

# Run the command $4... for $3 seconds, and print its CPU time as profiler $1 with event $2.
run_for()
{
	local name=$1 event=$2 length=$3 spent
	local TIMEFORMAT='%U %S %R'

	shift 3
	spent=$({ time timeout -s INT "$length" "$@" >top.out 2>&1 < <(sleep "$length"); } 2>&1)
	[ -s top.out ] || { echo "$name printed nothing"; exit 1; }
	echo "top $name $event $spent"
}

# Run the command $3... as profiler $1 with event $2, for a short and for a long time.
run()
{
	local name=$1 event=$2

	shift 2
	{
		run_for "$name" "$event" "$seconds" "$@"
		run_for "$name" "$event" $((3 * seconds)) "$@"
	} | tee runs
	awk '{
		cpu[NR] = $4 + $5; time[NR] = $6
	} END {
		printf "share %s %s %.1f\n", $2, $3, 100 * (cpu[2] - cpu[1]) / (time[2] - time[1])
	}' runs
}

[ -e /dev/tprof-lx ] || insmod "$modules/tprof-lx.ko" || exit 1
cd "$(mktemp -d)" || exit 1
"$OLDPWD/$workload" $((10 * seconds)) >/dev/null &
trap 'kill %1' EXIT
for event in "$@"; do
	[ "$event" != "$seconds" ] || continue
	run tprof-lx "$event" "$OLDPWD/build/tools/tprof-lx" top --stdio -q -e "$event" \
		-F $hz -d $interval
	case $event in
	nmi | timer) run perf cpu-clock perf top --stdio -e cpu-clock -F $hz -d $interval ;;
	*) run perf "$event" perf top --stdio -e "$event" -F $hz -d $interval ;;
	esac
done
