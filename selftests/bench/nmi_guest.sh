#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of bench.sh that runs in a guest with two CPUs: the clock `nmi` lets CPU 0 send the
# NMIs that sample CPU 1. It prints the lines that guest.sh describes. Time is that of the
# instructions of both CPUs, so instead of the TSC's, each line has the ticks that the
# instructions of CPU 1 would take. A counter of CPU 1 counts them, which the loop reads. No
# driver programs it, because the handlers of a driver's NMIs would take instructions, too.
# All processes are sampled: user mode of one process needs no NMI (pmu_nmi.c).

set -eu -o pipefail

. selftests/bench/sums.sh

readonly millions=$1 ticks_per_insn=$2
readonly workload=build/selftests/workloads/insns
readonly periods="100000 20000 10000"

# write_msr REGISTER VALUE
write_msr()
{
	local bytes='' i

	for i in 0 8 16 24 32 40 48 56; do
		bytes+=$(printf '\\x%02x' $(($2 >> i & 255)))
	done
	printf '%b' "$bytes" | dd of=/dev/cpu/1/msr bs=8 seek=$(($1)) oflag=seek_bytes 2>/dev/null
}

# Let a counter count the instructions of CPU 1, and set $counter to its number for RDPMC.
start_counter()
{
	if grep -q AuthenticAMD /proc/cpuinfo; then
		counter=0
		write_msr 0xc0010200 $((1 << 22 | 3 << 16 | 0xc0))
		write_msr 0xc0000301 1
	else
		counter=0x40000000
		write_msr 0x38d 3
		write_msr 0x38f $((1 << 32))
	fi
}

# Print a line that begins with $1, for the period $2.
measure()
{
	local file=/tmp/tprof.data said=/tmp/tprof.err insns

	insns=$(taskset 1 tprof-lx record -a -C 1 -e nmi:u -c $((ticks_per_insn * $2)) -o $file \
		-- taskset 2 $workload "$millions" 1 0 $counter 2>$said) || cat $said >&2
	echo "$1 tprof-lx-nmi $2 $((10#$insns * ticks_per_insn)) $(sums $said) $(stat -c %s $file)"
	rm -f $file
}

echo 0 >/proc/sys/kernel/nmi_watchdog
echo 2 >/sys/bus/event_source/devices/cpu/rdpmc
sleep 5
insmod "build/$(uname -r)/tprof-lx.ko"
start_counter
measure warm 100000
for period in $periods; do
	measure run "$period"
done
