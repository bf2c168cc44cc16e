#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the CPU time that `tprof-lx top --stdio` and `perf top --stdio` take in the same guest,
# at the same rate and interval, while one of two CPUs is busy. Both read the whole machine.
#
# usage: selftests/bench/top.sh [KERNEL [SECONDS]]

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh

readonly kernel=${1:-6.12} seconds=${2:-60}

./scripts/deps.sh
command -v perf >/dev/null || die "there is no perf: apt install linux-perf"
make --no-print-directory -s modules tools selftests \
	KDIR="$TPROF_KERNELS/lib/modules/$(kernel_release "$kernel")/build"
exec selftests/vm/vm.sh -k "$kernel" -t $((seconds * 4 + 300)) -- \
	bash selftests/bench/top_guest.sh "$seconds" timer
