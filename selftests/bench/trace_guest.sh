#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of trace.py that runs in the guest. It prints "trace PROFILER" while a profiler
# samples a loop, with a sample every $1 instructions. It also prints the kernel's symbols,
# compressed, in lines that begin with "symbols ".

set -u

readonly period=$1 cpus=$2
readonly workload=build/selftests/workloads/insns

symbols()
{
	gzip -c /proc/kallsyms | base64 | sed 's/^/symbols /'
}

# Let profiler $1 sample a loop on the last CPU, every $period instructions, which take 2 ns
# each. The profiler's command line is $2...; it runs on CPU 0.
traced()
{
	local name=$1 frames=1 every=$period loop profiler

	shift
	case $name in
	*-g | *-g-latency) frames=5 ;;
	*-timer* | *-nmi) every=$((2 * period)) ;;
	esac
	taskset 1 "$@" -c "$every" -o /tmp/traced -- taskset "$cpus" $workload 2000 $frames \
		>/dev/null 2>&1 &
	profiler=$!
	until loop=$(pidof insns); do
		sleep 0.05
	done
	sleep 1
	echo "trace $name"
	sleep 1
	kill "$loop"
	wait $profiler
}

echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/kptr_restrict
sleep 5
if [ "$cpus" -eq 1 ]; then
	traced perf perf record -q -e instructions:u
	traced perf-g perf record -q -g -e instructions:u
	traced perf-timer perf record -q -e cpu-clock:u
fi
insmod "build/$(uname -r)/tprof-lx.ko" || exit 2
symbols
if [ "$cpus" -eq 1 ]; then
	traced tprof-lx tprof-lx record -e instructions:u
	traced tprof-lx-g tprof-lx record --call-graph fp -e instructions:u
	traced tprof-lx-timer tprof-lx record -e timer:u
	traced tprof-lx-latency tprof-lx record --latency -e instructions:u
	traced tprof-lx-g-latency tprof-lx record --latency --call-graph fp -e instructions:u
	traced tprof-lx-timer-latency tprof-lx record --latency -e timer:u
else
	traced tprof-lx-nmi tprof-lx record -a -C 1 -e nmi:u
fi
echo "code"
# trace.py ends this guest.
cat /dev/zero >/dev/null
