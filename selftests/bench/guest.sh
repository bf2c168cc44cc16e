#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of bench.sh that runs in the guest. It prints one line for each run,
#
#	run PROFILER PERIOD TSC SAMPLES LOST BYTES
#
# PROFILER is none, floor, perf or tprof-lx, with -g appended if call chains of five
# frames were recorded. TSC is the time of a loop of $1 million instructions, in TSC
# ticks. SAMPLES, LOST and BYTES describe the recording; a value that the profiler
# does not have is 0. The lines of the search for the highest rate begin with "rate"
# instead of "run".

set -u -o pipefail

readonly millions=$1
length=$millions		# of the loop being run, in millions of instructions
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

run_floor()
{
	local tsc

	insmod "$modules/selftests/modules/tprof-lx-floor.ko" period="$2" ||
		return
	tsc=$($workload "$length")
	echo "$1 floor $2 $tsc $(cat /sys/module/tprof_lx_floor/parameters/nr_nmis) 0 0"
	rmmod tprof_lx_floor
}

# Record with perf and print a line. Arguments: NAME KIND PERIOD [FRAMES]. NAME is the
# profiler's name in the line. KIND is the first word of the line, "run" or "rate". With
# FRAMES, call chains are recorded.
by_perf()
{
	local who=$1 chains='' file=/tmp/perf.data tsc samples lost

	shift
	[ $# -lt 3 ] || chains=-g
	# shellcheck disable=SC2086	# an option or none
	tsc=$(perf record -q -e instructions:u -c "$2" $chains -o $file \
		-- $workload "$length" ${3:+"$3"} 2>/tmp/perf.err)
	perf report -i $file --stats >/tmp/perf.stats 2>/dev/null
	samples=$(awk '$1 == "SAMPLE" { print $3; exit }' /tmp/perf.stats)
	lost=$(awk '$1 ~ /^(LOST|THROTTLE)/ { sum += $3 }
		END { print sum + 0 }' /tmp/perf.stats)
	echo "$1 $who $2 $tsc ${samples:-0} $lost $(stat -c %s $file)"
	rm -f $file
}

run_perf()
{
	by_perf perf "$@"
}

run_perf_chains()
{
	by_perf perf-g "$@" $frames
}

# Record with tprof-lx. The arguments are those of by_perf(). The last message of
# tprof-lx is "4,340 samples, 246.3 KiB in FILE, 12.6 s; none lost".
by_tprof()
{
	local who=$1 chains='' file=/tmp/tprof.data tsc samples lost

	shift
	[ $# -lt 3 ] || chains=-g
	# shellcheck disable=SC2086	# an option or none
	tsc=$(tprof-lx record -e instructions:u -c "$2" $chains -o $file \
		-- $workload "$length" ${3:+"$3"} 2>/tmp/tprof.err)
	samples=$(sed -n 's/,//g; s/^tprof-lx: \([0-9]*\) samples.*/\1/p' \
		/tmp/tprof.err)
	lost=$(sed -n 's/,//g; s/^.*; \([0-9]*\) lost.*/\1/p' /tmp/tprof.err)
	[ -n "$samples" ] || cat /tmp/tprof.err >&2
	echo "$1 $who $2 $tsc ${samples:-0} ${lost:-0} $(stat -c %s $file)"
	rm -f $file
}

run_tprof()
{
	by_tprof tprof-lx "$@"
}

run_tprof_chains()
{
	by_tprof tprof-lx-g "$@" $frames
}

# Shorten the period until samples are lost. Each run takes 150000 samples, more than the
# buffers hold, so samples are lost if the reader is too slow.
search_rate()
{
	local who=$1 period line length

	for period in $rate_periods; do
		length=$((period * 150000 / 1000000 + 1))
		[ $length -lt "$millions" ] || length=$millions
		line=$("run_$who" rate "$period")
		echo "$line"
		read -r _ _ _ _ _ lost _ <<<"$line"
		[ "$lost" -eq 0 ] || return
	done
}

# Run function run_$1 once to fill the caches, then at each period.
measure()
{
	local who=$1 period

	"run_$who" warm 100000 >/dev/null
	for period in $periods; do
		"run_$who" run "$period"
	done
}

# Remove the limits by which the kernel would lower perf's rate.
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 0 >/proc/sys/kernel/nmi_watchdog

# Wait for services that start at boot.
sleep 5
run_none warm >/dev/null
run_none run
measure floor
measure perf
search_rate perf
measure perf_chains
# NMI handlers slow each other down, so load tprof-lx only when it is used.
insmod "$modules/tprof-lx.ko" || exit 2
measure tprof
search_rate tprof
measure tprof_chains
