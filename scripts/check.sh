#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run all checks, even if some fail. For each step and each test, print a line
# with "ok", "not ok" or "skip". Then print tables: the number of these lines in each
# group, the times of the jobs and of the parts. The last line has the total numbers.
# Logs are in build/logs. build/logs/results has the result lines again.
#
# usage: check.sh [--jobs] [PART ...]
#
# The function parts has the parts; "all" stands for those of make check, and is the default.
# With --jobs, print the jobs of the parts and run none.
#
# Variables:
#   TPROF_FULL=yes       run each test with every compiler and kernel, and in
#                        every mode of the lab (make check-all); by default, run
#                        it only where it can fail
#   TPROF_CHECK_SECONDS  skip the debug kernels if they could last longer than this,
#                        counted from the start of this script
#   TPROF_DEBUG_KERNELS  the debug kernels to run (kasan kcsan)
#   TPROF_DEBUG_MODES    the modes of the lab to run them in
#   TPROF_CHANGED_SINCE  check by checkpatch only what commits have changed since then
#   FUZZ_SECONDS         duration of each fuzzer, and of fuzz/ on debug kernels
#   FLOOD_SECONDS        duration of each flood of flood/ on debug kernels
#   FUZZ_SEED, FUZZ_ROUND  the random calls of fuzz/ in all guests
#
# The functions are in scripts/check/: plan.sh has the tests that run in each guest, jobs.sh
# the scheduler, results.sh the result lines, and the other files the parts. The function
# PART_jobs prints the jobs of a part.

set -u -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP" || exit 2

readonly FULL=${TPROF_FULL:-}

. scripts/check/results.sh
. scripts/check/jobs.sh
. scripts/check/plan.sh
. scripts/check/build.sh
. scripts/check/user.sh
. scripts/check/packages.sh
. scripts/check/guest.sh
. scripts/check/debug.sh

# Print the name of each part, "all" if make check runs it, and what it does.
parts()
{
	cat <<-END
	lint     all  style and static analysis, scripts/lint/*.sh
	self     all  the functions of this script
	build    all  the module for the kernels that guests boot, and the programs
	dkms     all  the module by DKMS
	packages all  Debian's packages, which are installed; make check-all: of all distributions
	unit     all  unit tests with sanitizers
	manual   all  the manual pages and the completions
	screen   all  the screen of report, in a terminal
	fuzz     all  libFuzzer on all parsers
	vm       all  guests without counters: the test programs, the command line
	lab      all  guests with counters, in the modes of the lab
	debug    -    the test programs on debug kernels (make check-debug)
	export   -    what other programs read in exports (make check-export)
	page     -    the pages of html and diff in Chromium (make check-page)
	fresh    -    what shows a missing dependency, in new Debian releases
	demo     -    make demo, which boots one guest
	quick    -    style, unit tests and one guest (make check-quick)
	END
}

# Print the jobs of parts $@, each preceded by its part.
jobs_of()
{
	local part

	for part; do
		[ "$part" = build ] || "${part}_jobs" | sed "s/^/$part /"
	done
}

parse()
{
	local part names

	names=$(parts | cut -d' ' -f1)
	only_print='' wanted=()
	[ "${1:-}" != --jobs ] || { only_print=yes; shift; }
	[ $# -gt 0 ] || set -- all
	for part; do
		if [ "$part" = all ]; then
			mapfile -t -O ${#wanted[@]} wanted < <(parts | awk '$2 == "all" { print $1 }')
		elif grep -qx "$part" <<<"$names"; then
			wanted+=("$part")
		else
			parts
			die "there is no part '$part'"
		fi
	done
}

job_deps()
{
	step deps deps scripts/deps.sh
}

parse "$@"
mkdir -p "$LOGS"
if [ -n "$only_print" ]; then
	jobs_before "${wanted[@]}"
	jobs_of "${wanted[@]}"
	exit
fi
: >"$RESULTS"
: >"$TIMES"
run_jobs <<<"deps 1 beside deps"
if [ "$(count deps ok)" = 1 ]; then
	jobs_before "${wanted[@]}" | run_jobs
	jobs_of "${wanted[@]}" | run_jobs
fi
print_groups
print_times
print_failures
print_total
