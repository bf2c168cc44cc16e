#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the screen of report in a terminal, and print a result line for each test. The
# recording is the one that pages are checked with.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

readonly tools=$TPROF_TOP/build/tools output=$TPROF_TOP/build/screen

mkdir -p "$output"
"${CC:-gcc}" -O1 -g -fno-pie -no-pie -std=gnu11 -D_GNU_SOURCE \
	-Wall -I"$TPROF_TOP/tools" -I"$TPROF_TOP/include/uapi" \
	-o "$output/recording" "$TPROF_TOP/selftests/page/recording.c" \
	"$tools/libtprof.a" -ldw -lelf -lpfm -liberty -lzstd -lz -lcap -lm -lZydis
"$output/recording" "$output/new.data" new
/usr/bin/python3 "$TPROF_TOP/selftests/screen/check_screen.py" \
	"$tools/tprof-lx" "$output/new.data"
