# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Compile the program that makes recordings for the tests of pages and of the screen. Source
# this after scripts/lib.sh, when build/tools has the command line.

# Compile to $1. The addresses in the recordings are those of functions of the program.
compile_recording()
{
	local libraries

	mapfile -t libraries < <(tool_libraries)
	"${CC:-gcc}" -O1 -g -fno-pie -no-pie -std=gnu11 -D_GNU_SOURCE \
		-Wall -I"$TPROF_TOP/tools" -I"$TPROF_TOP/include/uapi" \
		-o "$1" "$TPROF_TOP/selftests/page/recording.c" \
		"$TPROF_TOP/build/tools/libtprof.a" "${libraries[@]}"
}
