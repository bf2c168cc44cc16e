#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The soak tests for longer than make check has time: NMIs at 10 kHz, overflows of
# cycles at 50 kHz in the lab, on two busy CPUs; or random calls with failures on
# one of the debug kernels, and which lines of the module ran.
#
# usage: soak.sh nmi|pmu [SECONDS [KERNEL]]	(600 6.12)
#	 soak.sh kasan|kcsan [SECONDS [MODE]]	(1800 intel-v4)

set -eu -o pipefail

cd "$(dirname "$0")/.."
. scripts/lib.sh

what=${1:-}
seed=${FUZZ_SEED:-$RANDOM}

soak()
{
	local kernel=$1 results=$2 tree=$3 release limit=$((seconds + 600))

	shift 3
	release=$(kernel_release "$kernel")
	say "FUZZ_SEED=$seed"
	make --no-print-directory selftest-modules tools selftests KDIR="$tree"
	mkdir -p build/results build/logs
	"${guest[@]}" -k "$kernel" -t "$limit" \
		-l "build/logs/console-soak-$what-$kernel.log" -- \
		env SOAK_SECONDS="$seconds" FUZZ_SECONDS="$seconds" \
		FUZZ_SEED="$seed" TEST_SECONDS="$limit" bash selftests/run.sh --kver "$release" \
		--build "build/$release" --results "$results" "$@"
}

soak_plain()
{
	local kernel=${1:-6.12}

	soak "$kernel" "$results" \
		"$TPROF_KERNELS/lib/modules/$(kernel_release "$kernel")/build" "$test"
}

soak_debug()
{
	local mode=${1:-intel-v4} coverage=build/logs/coverage-soak-$what.tar

	scripts/debug-kernel.sh "$what"
	guest=(selftests/lab/lab.sh "$mode" -m 2G -g "$coverage")
	soak "6.12-$what" /tmp/results "$TPROF_KERNELS/6.12-$what.tree" \
		--programs fuzz/
	[ ! -s "$coverage" ] ||
		scripts/coverage.sh "$(kernel_release "6.12-$what")" "$coverage"
}

./scripts/deps.sh
case $what in
nmi)
	seconds=${2:-600} guest=(selftests/vm/vm.sh) test=e2e/soak/nmi_at_10_khz
	results=build/results/soak
	soak_plain "${3:-}" ;;
pmu)
	seconds=${2:-600} guest=(selftests/lab/lab.sh intel-v4)
	test=e2e/soak/cycles_at_50_khz results=/tmp/results
	soak_plain "${3:-}" ;;
kasan | kcsan)
	seconds=${2:-1800}
	soak_debug "${3:-}" ;;
*) die "usage: soak.sh nmi|pmu|kasan|kcsan [SECONDS [KERNEL or MODE]]" ;;
esac
