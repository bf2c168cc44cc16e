# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The parts that need no guest: lint, self, unit, manual, screen, fuzz, export and page. Sourced
# by check.sh.

job_lint()
{
	step lint "$1" "scripts/lint/$1.sh"
}

lint_jobs()
{
	local lint

	for lint in scripts/lint/*.sh; do
		echo "20 beside lint $(basename "$lint" .sh)"
	done
}

job_self()
{
	test_run self selftests/check/test.sh
}

self_jobs()
{
	echo "1 beside self"
}

# Run target $1 of make, which writes its result lines to build/$1/results.
target()
{
	local name=$1 status

	rm -f "build/$name/results"
	make "$name" >"$LOGS/$name.log" 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$LOGS/$name.log"
	adopt "$name" "build/$name/results" $status "$LOGS/$name.log"
}

job_unit()
{
	target unit
}

unit_jobs()
{
	echo "200 beside unit"
}

# Each fuzzer reads its whole corpus, then new input for FUZZ_SECONDS. The
# default is 8 seconds here; in a full check, it is the same as of make fuzz.
job_fuzz()
{
	[ -n "$FULL" ] || local -x FUZZ_SECONDS=${FUZZ_SECONDS:-8}
	target fuzz
}

fuzz_jobs()
{
	echo "200 beside fuzz"
}

# Build the command line for group $1. Another job may build it at the same time.
build_tools()
{
	step "$1" tools flock "$LOGS/tools.lock" make -j"$(nproc)" tools
}

# Check the manual pages and the completions.
job_manual()
{
	build_tools manual || return
	test_run manual selftests/manual/test.sh
}

manual_jobs()
{
	echo "20 beside manual"
}

# Check the screen of report in a terminal.
job_screen()
{
	build_tools screen || return
	test_run screen selftests/screen/run.sh
}

screen_jobs()
{
	echo "20 beside screen"
}

# Install the programs that read exports, and let them compare exports with report.
job_export()
{
	step export deps scripts/deps.sh export || return
	build_tools export || return
	test_run export selftests/export/run.sh build/tools/tprof-lx
}

export_jobs()
{
	echo "60 beside export"
}

# Check pages in Chromium. Install what this needs, which other parts do not.
job_page()
{
	step page deps scripts/deps.sh page || return
	build_tools page || return
	test_run page selftests/page/run.sh
}

page_jobs()
{
	echo "30 beside page"
}
