# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Shared by the measurements in the lab: build what they need, and run a script in a guest
# whose time is counted in instructions. Sourced by a script at the top of the tree, after
# scripts/lib.sh, with the same arguments: [MODE [KERNEL]].

readonly mode=${1:-intel-v4} kernel=${2:-6.12}
readonly logs=build/logs

# measure NAME SECONDS SCRIPT [ARG...]: run SCRIPT in the lab's $mode on $kernel, with $cpus
# CPUs or one. Stop it after SECONDS. Write its output to $logs/NAME.log. If it fails, print the
# log and exit.
measure()
{
	local name=$1 seconds=$2 status=0

	shift 2
	./scripts/deps.sh
	make --no-print-directory selftest-modules tools selftests \
		KDIR="$TPROF_KERNELS/lib/modules/$(kernel_release "$kernel")/build"
	mkdir -p "$logs"
	say "measuring in $mode on $kernel (some minutes; $logs/$name.log)"
	selftests/lab/lab.sh -i -c "${cpus:-1}" -k "$kernel" -t "$seconds" \
		-l "$logs/$name.console" "$mode" -- bash "$@" >"$logs/$name.log" || status=$?
	if [ $status -ne 0 ]; then
		[ $status -eq 4 ] || cat "$logs/$name.log"
		exit $status
	fi
}
