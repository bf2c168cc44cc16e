#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a soak test on two busy CPUs for longer than make check does: the event nmi at
# 10 kHz, or in the lab the event cycles at 50 kHz.
#
# usage: soak.sh nmi|pmu [SECONDS [KERNEL]]	(600, the main kernel)

set -eu -o pipefail

cd "$(dirname "$0")/.."
. scripts/lib.sh

what=${1:-}
seconds=${2:-600}
kernel=${3:-$TPROF_MAIN_KERNEL}
case $what in
nmi) guest=(selftests/vm/vm.sh) test=nmi_at_10_khz results=build/results/soak ;;
pmu) guest=(selftests/lab/lab.sh intel-v4) test=cycles_at_50_khz results=/tmp/results ;;
*) die "usage: soak.sh nmi|pmu [SECONDS [KERNEL]]" ;;
esac

./scripts/deps.sh
release=$(kernel_release "$kernel")
limit=$((seconds + 600))
make --no-print-directory selftest-modules tools selftests \
	KDIR="$TPROF_KERNELS/lib/modules/$release/build"
mkdir -p build/results build/logs
exec "${guest[@]}" -k "$kernel" -t "$limit" \
	-l "build/logs/console-soak-$what-$kernel.log" -- \
	env SOAK_SECONDS="$seconds" TEST_SECONDS="$limit" bash selftests/run.sh \
	--kver "$release" --build "build/$release" --results "$results" "e2e/soak/$test"
