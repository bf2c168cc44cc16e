#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of bench.sh that runs in the guest. It prints one line for each run,
#
#	run PROFILER PERIOD TSC SAMPLES LOST BYTES
#
# PROFILER is none, floor, perf or tprof-lx. A suffix says what it records: -g means call
# chains of five frames by frame pointers, -table the same by unwind tables, -dwarf copies of
# the stack, -3 means three events, -freq means samples by frequency, -timer means samples by a
# timer instead of a counter, -z means a compressed recording, -latency means that samples have
# the number of threads that run. With $2, only these profilers are measured. TSC is the time of a
# loop of $1 million instructions, in TSC ticks. SAMPLES, LOST and BYTES describe the recording; a
# value that the profiler does not have is 0. The lines of the search for the highest rate begin with "rate"
# instead of "run", and their loops may be shorter.

set -u -o pipefail

. selftests/bench/sums.sh

readonly millions=$1 chosen=${2:-}
length=$millions		# millions of instructions in the loop
modules=build/$(uname -r)
readonly workload=build/selftests/workloads/insns
readonly periods="100000 20000 10000"
readonly frames=5

# Each period is about 1/1.4 of the one before. The last one is too short for any handler.
readonly rate_periods="7100 5000 3500 2500 1800 1250 900 630 450 320 220 160 130"

run_none()
{
	echo "$1 none 0 $($workload "$length") 0 0 0"
}

# Let module tprof-lx-$2 interrupt the loop with period $4, and read its parameter $5.
run_floor()
{
	local tsc module=tprof-lx-$2

	insmod "$modules/selftests/modules/$module.ko" period="$4" || return
	tsc=$($workload "$length")
	echo "$1 $2 $3 $tsc $(cat "/sys/module/${module//-/_}/parameters/$5") 0 0"
	rmmod "$module"
}

# Print the options of profiler $1 for a sample every $2 instructions, which take 2 ns each.
# If there are three events, each has a period of its own.
options()
{
	local every=$2

	case $1 in
	*-latency) echo "--latency $(options "${1%-latency}" "$2")" ;;
	*-g) echo "--call-graph fp -e instructions:u -c $every" ;;
	*-table) echo "--call-graph table -e instructions:u -c $every" ;;
	*-dwarf) echo "--call-graph dwarf -e instructions:u -c $every" ;;
	*-3) for name in instructions branches cycles; do
		every=$((every + every / 2))
		echo "-e $name/period=$every/u"
	     done ;;
	*-freq) echo "-e instructions:u -F $((500000000 / every))" ;;
	perf-timer) echo "-e cpu-clock:u -c $((2 * every))" ;;
	*-timer) echo "-e timer:u -c $((2 * every))" ;;
	*-z) echo "-z -e instructions:u -c $every" ;;
	*) echo "-e instructions:u -c $every" ;;
	esac
}

# Print the frames of the workload's call chains if profiler $1 records them. If it needs
# unwind tables, print in how many seconds they are made.
frames_for()
{
	case $1 in
	*-g | *-g-latency) echo $frames ;;
	*-table) echo 1 1 ;;
	esac
}

# Record with perf and print a line. Arguments: KIND PROFILER PERIOD. KIND is the first
# word of the line, "run" or "rate".
by_perf()
{
	local file=/tmp/perf.data tsc samples lost

	# shellcheck disable=SC2046	# several words
	tsc=$(perf record -q $(options "$2" "$3") -o $file \
		-- $workload "$length" $(frames_for "$2") 2>/tmp/perf.err)
	perf report -i $file --stats >/tmp/perf.stats 2>/dev/null
	samples=$(awk '$1 == "SAMPLE" { print $3; exit }' /tmp/perf.stats)
	lost=$(awk '$1 ~ /^(LOST|THROTTLE)/ { sum += $3 }
		END { print sum + 0 }' /tmp/perf.stats)
	echo "$1 $2 $3 $tsc ${samples:-0} $lost $(stat -c %s $file)"
	rm -f $file
}

# Record with tprof-lx. The arguments are those of by_perf().
by_tprof()
{
	local file=/tmp/tprof.data tsc

	# shellcheck disable=SC2046	# several words
	tsc=$(tprof-lx record $(options "$2" "$3") -o $file \
		-- $workload "$length" $(frames_for "$2") 2>/tmp/tprof.err)
	echo "$1 $2 $3 $tsc $(sums /tmp/tprof.err) $(stat -c %s $file)"
	rm -f $file
}

# Run profiler $2, with the arguments of by_perf().
profile()
{
	case $2 in
	none) run_none "$@" ;;
	floor) run_floor "$@" "$3" nr_nmis ;;
	floor-timer) run_floor "$@" $((2 * $3)) nr_ticks ;;
	perf*) by_perf "$@" ;;
	*) by_tprof "$@" ;;
	esac
}

# Shorten the period until samples are lost. A run takes 150000 samples, more than the
# buffers hold, so samples are lost if the reader is too slow. Runs with long periods take
# fewer, because the loop has at most $millions million instructions.
search_rate()
{
	local who=$1 period line length

	for period in $rate_periods; do
		length=$((period * 150000 / 1000000 + 1))
		[ $length -lt "$millions" ] || length=$millions
		line=$(profile rate "$who" "$period")
		echo "$line"
		read -r _ _ _ _ _ lost _ <<<"$line"
		[ "$lost" -eq 0 ] || return
	done
}

# Run profiler $1 once to fill the caches, then at each period, unless other rows are chosen.
measure()
{
	local who=$1 period

	[ -z "$chosen" ] || [[ " $chosen " = *" $who "* ]] || return 0
	profile warm "$who" 100000 >/dev/null
	for period in $periods; do
		profile run "$who" "$period"
	done
}

# Remove the limits by which the kernel would lower perf's rate.
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 0 >/proc/sys/kernel/nmi_watchdog

# Wait for services that start at boot.
sleep 5
profile warm none >/dev/null
profile run none
for who in floor floor-timer perf perf-g perf-dwarf perf-3 perf-freq perf-timer; do
	measure $who
done
[ -n "$chosen" ] || search_rate perf
# NMI handlers slow each other down, so load tprof-lx only when it is used.
insmod "$modules/tprof-lx.ko" || exit 2
for who in tprof-lx tprof-lx-g tprof-lx-table tprof-lx-3 tprof-lx-freq tprof-lx-timer \
	tprof-lx-z tprof-lx-latency tprof-lx-g-latency tprof-lx-timer-latency; do
	measure $who
done
[ -n "$chosen" ] || search_rate tprof-lx
