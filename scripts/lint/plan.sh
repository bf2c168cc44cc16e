#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the plan of scripts/check/plan.sh: it has a column for each kernel that deps.sh unpacks, a
# row for each mode of the lab and a set of tests for each cell, and its sets name tests that exist.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"
FULL=''
. scripts/check/plan.sh

status=0
complain()
{
	echo "scripts/check/plan.sh: $*"
	status=1
}

# Is there a test for the name $1 of a set? It is PROGRAM/, FIXTURE.TEST, e2e/, e2e/SCRIPT/ or
# e2e/SCRIPT/TEST; the last component may be the beginning of a name.
is_test()
{
	local program=${1%%[./]*} script test

	case $1 in
	e2e/ | pmu_) ;;
	e2e/*)
		IFS=/ read -r _ script test <<<"$1"
		grep -q "^test_$test" "selftests/e2e/${script}_test.sh"
		;;
	*) grep -q "TEST.*\b${1##*[./]}" "selftests/guest/${program}_test.c" ;;
	esac
} 2>/dev/null

kernels=$(FULL=yes booted_kernels | sort | xargs)
[ "$kernels" = "$(xargs -n1 <<<"$TPROF_VM_KERNELS" | sort | xargs)" ] ||
	complain "a full check boots $kernels, but TPROF_VM_KERNELS is $TPROF_VM_KERNELS"

while read -r mode; do
	plan | grep -cE "^$mode +[24] " >/dev/null || complain "no row for the mode $mode of lab.sh"
done < <(selftests/lab/lab.sh --modes | cut -f1)

while read -r mode; do
	selftests/lab/lab.sh --modes | cut -f1 | grep -cx "$mode" >/dev/null ||
		complain "lab.sh has no mode $mode"
done < <(plan | sed 1d | cut -d' ' -f1 | grep -vx -e host -e every)

for set in $(plan | sed 1d | awk '{ $1 = $2 = ""; gsub("/", " "); print }' | xargs -n1 | sort -u |
	     grep -vx -e - -e same); do
	tests=$(tests_of "$set") || { complain "no set of tests $set"; continue; }
	for name in ${tests//--without/}; do
		[[ $name = --* ]] || is_test "$name" || complain "$set: there is no test $name"
	done
done
exit $status
