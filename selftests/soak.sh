#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The soak tests for longer than make check has time: NMIs at 10 kHz, or
# overflows of cycles at 50 kHz in the lab, on two busy CPUs.
#
# usage: soak.sh nmi|pmu [SECONDS [KERNEL]]	(600 6.12)

set -eu -o pipefail

cd "$(dirname "$0")/.."
. scripts/lib.sh

what=${1:-}
seconds=${2:-600}
kernel=${3:-6.12}
release=$(kernel_release "$kernel")
results=build/results/soak-$release
limit=$((seconds + 300))
console=build/logs/console-soak-$what-$kernel.log

case $what in
nmi) guest=(selftests/vm/vm.sh) test=e2e/soak/nmi_at_10_khz ;;
pmu) guest=(selftests/lab/lab.sh intel-v4) test=e2e/soak/cycles_at_50_khz
     results=/tmp/results ;;
*) die "usage: soak.sh nmi|pmu [SECONDS [KERNEL]]" ;;
esac

./scripts/deps.sh
make --no-print-directory selftest-modules tools selftests \
	KDIR="$TPROF_KERNELS/lib/modules/$release/build"
mkdir -p build/results build/logs
exec "${guest[@]}" -k "$kernel" -t "$limit" -l "$console" -- \
	env SOAK_SECONDS="$seconds" bash selftests/run.sh --kver "$release" \
	--build "build/$release" --results "$results" "$test"
