#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Ten minutes of NMIs at 10 kHz on busy CPUs in a VM, then unload and load: the
# test e2e/soak of run.sh, but long.
#
# usage: soak.sh [SECONDS [KERNEL]]

set -eu -o pipefail

cd "$(dirname "$0")/.."
. scripts/lib.sh

seconds=${1:-600}
kernel=${2:-6.12}
release=$(kernel_release "$kernel")
results=build/results/soak-$release

./scripts/deps.sh
make --no-print-directory selftest-modules tools selftests \
	KDIR="$TPROF_KERNELS/lib/modules/$release/build"
mkdir -p "$results" build/logs
exec selftests/vm/vm.sh -k "$kernel" -t $((seconds + 300)) \
	-l "build/logs/console-soak-$kernel.log" -- \
	env SOAK_SECONDS="$seconds" selftests/run.sh --kver "$release" \
	--build "build/$release" --results "$results" e2e/soak
