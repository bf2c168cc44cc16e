#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the screen of report in a terminal, and print a result line for each test. The
# recording is the one that pages are checked with.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../page/recording.sh"

readonly tools=$TPROF_TOP/build/tools output=$TPROF_TOP/build/screen

mkdir -p "$output"
compile_recording "$output/recording"
"$output/recording" "$output/new.data" new
/usr/bin/python3 "$TPROF_TOP/selftests/screen/check_screen.py" \
	"$tools/tprof-lx" "$output/new.data"
