#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of top.sh that runs in the guest. It prints a line for each run,
#
#	top PROFILER EVENT USER SYS SECONDS PERCENT
#
# USER and SYS are the CPU time of the profiler in seconds, and PERCENT is their share of one
# CPU while the profiler ran, its start included.

set -u -o pipefail

readonly seconds=$1
modules=build/$(uname -r)
readonly modules
readonly workload=build/selftests/workloads/hotcold
readonly hz=1000 interval=2

# Run the command $3... for $seconds, and print its CPU time as profiler $1 with event $2.
run()
{
	local name=$1 event=$2 spent
	local TIMEFORMAT='%U %S %R'

	shift 2
	spent=$({ time timeout -s INT "$seconds" "$@" >top.out 2>&1 < <(sleep "$seconds"); } 2>&1)
	[ -s top.out ] || { echo "$name printed nothing"; exit 1; }
	awk -v name="$name" -v event="$event" '{
		printf "top %s %s %s %s %s %.1f\n", name, event, $1, $2, $3, 100 * ($1 + $2) / $3
	}' <<<"$spent"
}

insmod "$modules/tprof-lx.ko" || exit 1
cd "$(mktemp -d)" || exit 1
"$OLDPWD/$workload" $((10 * seconds)) >/dev/null &
trap 'kill %1' EXIT
for event in "$@"; do
	[ "$event" != "$seconds" ] || continue
	for _ in 1 2; do
		run tprof-lx "$event" "$OLDPWD/build/tools/tprof-lx" top --stdio -q -e "$event" \
			-F $hz -d $interval
		case $event in
		nmi | timer) run perf cpu-clock perf top --stdio -e cpu-clock -F $hz -d $interval ;;
		*) run perf "$event" perf top --stdio -e "$event" -F $hz -d $interval ;;
		esac
	done
done
