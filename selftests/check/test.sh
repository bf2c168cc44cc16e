#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Test the functions of scripts/check.sh that decide whether a check has passed. Print a result
# line for each test.

set -u -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
cd "$TPROF_TOP" || exit 2
TPROF_TOP=$(mktemp -d)
trap 'rm -rf "$TPROF_TOP"' EXIT
mkdir -p "$TPROF_TOP/build/logs"
. scripts/check/results.sh
. scripts/check/jobs.sh

status=0

# Test $1: compare the lines $3 with the expected lines $2.
same()
{
	if [ "$3" = "$2" ]; then
		echo "ok $1"
	else
		printf 'not ok %s # got: %s\n' "$1" "${3//$'\n'/, }"
		status=1
	fi
}

# Print what a run with the lines $1 and exit status $2 adds to the results.
adopted()
{
	: >"$RESULTS"
	echo "$1" >"$LOGS/lines"
	echo "last words" >"$LOGS/errors"
	adopt group "$LOGS/lines" "$2" "$LOGS/errors" >/dev/null
	cut -f2 "$RESULTS"
}

same run_that_passes $'ok a\nskip b' "$(adopted $'ok a\nnoise\nskip b' 0)"
same run_with_a_failed_test $'ok a\nnot ok b' "$(adopted $'ok a\nnot ok b' 1)"
same run_that_fails_without_a_failed_test \
	$'ok a\nnot ok run  # ended with status 1: last words' "$(adopted 'ok a' 1)"
same run_that_dies_after_a_failed_test \
	$'not ok a\nnot ok run  # ended with status 124: last words' "$(adopted 'not ok a' 124)"
same run_without_tests 'not ok run  # no test was executed' "$(adopted noise 0)"

# Print what a step with exit status $1 adds to the results.
stepped()
{
	: >"$RESULTS"
	step group name sh -c "echo why; exit $1" >/dev/null
	cut -f2 "$RESULTS"
}

same step_that_passes 'ok name' "$(stepped 0)"
same step_that_cannot_run_here 'skip name  # why' "$(stepped 4)"
same step_that_fails 'not ok name  # see build/logs/group-name.log' "$(stepped 1)"

# Print the last line and the exit status of a check with the lines $1.
total()
{
	: >"$RESULTS"
	[ -z "$1" ] || printf 'group\t%s\n' "${@}" >"$RESULTS"
	print_total | tail -n 1
	echo "${PIPESTATUS[0]}"
}

same check_that_passes $'2 passed, 0 failed, 1 skipped\n0' "$(total 'ok a' 'ok b' 'skip c')"
same check_that_fails $'1 passed, 1 failed, 0 skipped\n1' "$(total 'ok a' 'not ok b')"
same check_without_tests $'0 passed, 0 failed, 0 skipped\n1' "$(total '')"

# As if there were one CPU.
# shellcheck disable=SC2317,SC2329	# called by run_jobs
nproc()
{
	echo 1
}

# shellcheck disable=SC2317,SC2329	# called by run_job
job_write()
{
	echo "$*" >>"$LOGS/written-$1"
}

# Succeed if a job with the arguments $2 $1 runs at the same time.
# shellcheck disable=SC2317,SC2329	# called by run_job
job_meet()
{
	local i

	touch "$LOGS/at-$1"
	for ((i = 0; i < 100; i++)); do
		[ -e "$LOGS/at-$2" ] && echo "$1" >>"$LOGS/met" && return
		sleep 0.1
	done
}

: >"$TIMES"
run_jobs <<-END
	part-1 5 guest write guest short
	part-1 50 guest write guest long
	part-2 7 beside meet one other
	part-2 7 beside meet other one
END
same longest_job_runs_first $'guest long\nguest short' "$(cat "$LOGS"/written-guest)"
same cpu_without_a_guest_runs_other_jobs $'one\nother' "$(sort "$LOGS/met")"
same each_job_has_its_times $'part-1\twrite guest long
part-1\twrite guest short
part-2\tmeet one other
part-2\tmeet other one' "$(cut -f1,2 "$TIMES" | sort)"
exit $status
