#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Demonstrate tprof-lx from a fresh clone: install dependencies, build, boot a guest
# without a PMU and load the module. Then record a program that spends its time 3:1 in
# two functions. Finally record code with interrupts off, by perf and by tprof-lx.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

readonly tools=$TPROF_TOP/build/tools
readonly workloads=$TPROF_TOP/build/selftests/workloads

# Print perf's report, sorted by $2, of recording $1, which perf or tprof-lx has made.
table()
{
	perf report -i "$1" --stdio -s "$2" --percent-limit 1 2>/dev/null |
		sed -nE '/^# (Samples|Overhead|\.)|^ /s/ *$//p'
}

two_functions()
{
	"$tools/tprof-lx" record -F 1000 -o tprof.data -- "$workloads/hotcold" 10 >/dev/null
	table tprof.data comm,dso,sym
}

interrupts_off()
{
	local burn="$workloads/burn irqs_off 5 >/dev/null"

	perf record -q -N -e cpu-clock -F 1000 -a -C 0 -o perf.data -- \
		taskset -c 0 sh -c "$burn"
	"$tools/tprof-lx" record -a -C 0 -F 1000 -o tprof.data -- \
		taskset -c 0 sh -c "$burn"
	echo "The same five seconds, mostly with interrupts off, by perf and by tprof-lx:"
	pr -m -t -w 100 <(table perf.data sym) <(table tprof.data sym) | expand
}

# The part that runs in the guest: $1 has the modules, $2 is a writable directory.
guest()
{
	local build=$1

	insmod "$build/tprof-lx.ko"
	insmod "$build/selftests/modules/tprof-lx-burn.ko"
	cd "$2"
	two_functions
	interrupts_off
	rmmod tprof-lx-burn tprof-lx
}

if [ "${1:-}" = --guest ]; then
	guest "$2" "$3"
	exit
fi

./scripts/deps.sh
release=$(kernel_release "$TPROF_MAIN_KERNEL")
make --no-print-directory selftest-modules tools workloads \
	KDIR="$(kernel_tree "$TPROF_MAIN_KERNEL")"
mkdir -p build/demo
say "booting $release"
exec selftests/vm/vm.sh -t 900 -l build/demo/console.log -- \
	bash "$0" --guest "$TPROF_TOP/build/$release" build/demo
