#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of top.sh that runs in the guest. For each profiler, it prints the CPU time of its
# first 20 s, in which it loads symbols, and its share of one CPU in the SECONDS after that.
#
# usage: top_guest.sh SECONDS EVENT...

set -u -o pipefail

readonly seconds=$1
shift
modules=build/$(uname -r)
readonly modules
readonly workload=build/selftests/workloads/hotcold
readonly hz=1000 interval=2 start=20

# Print the CPU time of process $1 in ticks of 10 ms.
ticks()
{
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

# Run the command $3... as profiler $1 with event $2, and print its CPU time.
run()
{
	local name=$1 event=$2 keys pid begin end

	shift 2
	# The end of its input would end a profiler.
	exec {keys}< <(sleep $((start + 2 * seconds)))
	"$@" >top.out 2>&1 <&"$keys" &
	pid=$!
	sleep $start
	begin=$(ticks $pid)
	sleep "$seconds"
	end=$(ticks $pid)
	kill -TERM $pid
	wait $pid
	exec {keys}<&-
	if [ ! -s top.out ] || [ -z "$end" ]; then
		echo "$name ended early"
		exit 1
	fi
	awk -v begin="$begin" -v end="$end" -v seconds="$seconds" -v profiler="$name $event" 'BEGIN {
		printf "%s: %.2f s of CPU time at its start, then %.1f %% of a CPU\n",
		       profiler, begin / 100, (end - begin) / seconds
	}'
}

[ -e /dev/tprof-lx ] || insmod "$modules/tprof-lx.ko" || exit 1
cd "$(mktemp -d)" || exit 1
"$OLDPWD/$workload" $((4 * (start + seconds))) >/dev/null &
trap 'kill %1' EXIT
for event in "$@"; do
	run tprof-lx "$event" "$OLDPWD/build/tools/tprof-lx" top --stdio -q -e "$event" \
		-F $hz -d $interval
	case $event in
	nmi | timer) run perf cpu-clock perf top --stdio -e cpu-clock -F $hz -d $interval ;;
	*) run perf "$event" perf top --stdio -e "$event" -F $hz -d $interval ;;
	esac
done
