#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# From nothing to a profile: fetch, build, boot a guest, load the module, record
# a program that spends its time 3:1 in two functions, and show where it was.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

# What happens in the guest, in a directory that it can write.
guest()
{
	local ko=$1 dir=$2

	insmod "$ko"
	cd "$dir"
	"$TPROF_TOP/build/tools/tprof-lx" record -F 1000 -o tprof.data -- \
		"$TPROF_TOP/build/selftests/workloads/hotcold" 10
	rmmod tprof_lx
	perf report -i tprof.data --stdio --percent-limit 0.5 2>/dev/null |
		grep -E '^# (Samples|Overhead|\.)|^ '
}

if [ "${1:-}" = --guest ]; then
	guest "$2" "$3"
	exit
fi

./scripts/deps.sh
release=$(kernel_release 6.12)
make --no-print-directory modules tools selftests \
	KDIR="$TPROF_KERNELS/lib/modules/$release/build"
mkdir -p build/demo
say "booting $release"
exec selftests/vm/vm.sh -k 6.12 -t 180 -l build/demo/console.log -- \
	bash "$0" --guest "$TPROF_TOP/build/$release/tprof-lx.ko" build/demo
