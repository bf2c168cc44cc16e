#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of trace.py that runs in the guest. It prints "trace PROFILER" while a profiler
# samples a loop, with a sample every $1 instructions. It also prints the kernel's symbols,
# compressed, in lines that begin with "symbols ".

set -u

readonly period=$1
readonly workload=build/selftests/workloads/insns

symbols()
{
	gzip -c /proc/kallsyms | base64 | sed 's/^/symbols /'
}

# Let profiler $1 sample the loop, which takes 1 s. The profiler's command line is $2...
traced()
{
	local name=$1 frames=1

	shift
	case $name in
	*-g) frames=5 ;;
	esac
	"$@" -e instructions:u -c "$period" -o /tmp/traced -- $workload 500 $frames \
		>/dev/null 2>&1 &
	until pidof insns >/dev/null; do
		sleep 0.05
	done
	echo "trace $name"
	wait
}

echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/kptr_restrict
sleep 5
traced perf perf record -q
traced perf-g perf record -q -g
insmod "build/$(uname -r)/tprof-lx.ko" || exit 2
symbols
traced tprof-lx tprof-lx record
traced tprof-lx-g tprof-lx record --call-graph fp
echo "code"
# trace.py ends this guest.
cat /dev/zero >/dev/null
