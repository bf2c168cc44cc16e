#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure how long the unwind tables of large binaries take, without the cache: cc1, clang's
# library, python3, git and the C library, as far as they are installed. The figures are printed;
# they never make the script fail.
#
# usage: tables.sh [RUNS [FILE...]]	defaults: 5 runs, these files

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh

readonly dir=$PWD/build/tables
readonly runs=${1:-5}
shift $(($# > 0))

# Print the default files that are installed.
default_files()
{
	local file

	for file in "$(gcc -print-prog-name=cc1)" /usr/lib/x86_64-linux-gnu/libLLVM-*.so.1 \
			/usr/bin/python3 /usr/bin/git /lib/x86_64-linux-gnu/libc.so.6; do
		[ ! -f "$file" ] || realpath "$file"
	done
}

make --no-print-directory tools
mkdir -p "$dir"
mapfile -t libraries < <(tool_libraries)
"${CC:-gcc}" -O2 -g -std=gnu11 -D_GNU_SOURCE -Iinclude/uapi -Itools -o "$dir/table_speed" \
	selftests/bench/table_speed.c build/tools/libtprof.a "${libraries[@]}"
if [ $# -eq 0 ]; then
	mapfile -t files < <(default_files)
	set -- "${files[@]}"
fi
"$dir/table_speed" "$runs" "$@"
