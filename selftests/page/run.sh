#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the pages of html and diff in Chromium, and print a result line for each test.
# Without RECORDING, make two recordings that have all that a page can show, one with
# more stacks than a page has, and one of two hosts.
#
# usage: run.sh [RECORDING [NEW]]

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/recording.sh"

readonly tools=$TPROF_TOP/build/tools output=$TPROF_TOP/build/page
readonly axe=("$TPROF_VENV"/lib/python3*/site-packages/axe_playwright_python/axe.min.js)

make_recordings()
{
	mkdir -p "$output"
	compile_recording "$output/recording"
	"$output/recording" "$output/old.data" old
	"$output/recording" "$output/new.data" new
	"$output/recording" "$output/deep.data" deep
	"$output/recording" "$output/first.data" old first
	"$output/recording" "$output/second.data" new second
	"$tools/tprof-lx" merge -o "$output/hosts.data" "$output/first.data" "$output/second.data"
}

[ -e "${axe[0]}" ] || die "axe-core is missing: run 'scripts/deps.sh page' once as root"
if [ $# = 0 ]; then
	make_recordings
	set -- "$output/old.data" "$output/new.data" "$output/deep.data" \
		"$output/hosts.data"
fi
# Chromium leaves files behind if it is killed.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
AXE=${axe[0]} /usr/bin/python3 "$TPROF_TOP/selftests/page/check_page.py" \
	"$tools/tprof-lx" "$@"
