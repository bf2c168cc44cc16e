#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run unit tests one after the other: run.sh DIR PROGRAM...
#
# Result lines go to stdout and to DIR/results. If a program fails without printing "not
# ok", this script prints that line for it, so that a crash counts as a failure.

set -u -o pipefail

dir=$1
shift
failed=0
: >"$dir/results"

for program in "$@"; do
	timeout --kill-after=5 300 "$dir/$program" >"$dir/$program.out" 2>&1
	status=$?
	grep -E '^(ok|not ok|skip) ' "$dir/$program.out" | tee -a "$dir/results"
	if ! grep -qE '^(ok|not ok|skip) ' "$dir/$program.out"; then
		echo "not ok $program # printed no result" | tee -a "$dir/results"
		status=1
	elif [ $status -ne 0 ] && ! grep -q '^not ok ' "$dir/$program.out"; then
		echo "not ok $program # ended with status $status" | tee -a "$dir/results"
	fi
	if [ $status -ne 0 ]; then
		failed=1
		tail -n 40 "$dir/$program.out" | sed "s/^/$program| /" >&2
	fi
done
exit $failed
