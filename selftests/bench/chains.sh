#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the call chains of `record -g`: gcc, python3, git, clang and sqlite3, as far as they are
# installed, run without frame pointers. The figures are printed; they never make the script fail.
#
# 1. In a guest, how many user chains reach an outermost frame: with all tables in the cache, and
#    with an empty cache, RUNS times. The guest is emulated: tables and programs take many times
#    longer than elsewhere, and the table of cc1 may take longer than its limit (MAX_SECONDS in
#    tools/unwind/part.c).
# 2. On this machine, how many walks by tables agree with libdw's, frame by frame, on the registers
#    and stacks that perf has copied.
#
# usage: chains.sh [RUNS [PROGRAM...]]	defaults: 1 run, all programs

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh
. selftests/bench/chains_work.sh

readonly kernel=6.12 dir=$PWD/build/chains
readonly runs=${1:-1}
shift $(($# > 0))

# Compile the source $2 to $dir/$1.
compile()
{
	local flags=(-O1 -g -std=gnu11 -D_GNU_SOURCE -Iinclude/uapi -Iselftests/bench)
	local libraries

	mapfile -t libraries < <(tool_libraries)
	"${CC:-gcc}" "${flags[@]}" -Itools -o "$dir/$1" "$2" build/tools/libtprof.a "${libraries[@]}"
}

# Print the programs that the command of program $1 may run.
parts()
{
	case $1 in
	gcc) printf '%s\n' "$(gcc -print-prog-name=cc1)" "$(gcc -print-prog-name=collect2)" \
		/usr/bin/{gcc,as,ld} ;;
	clang) printf '%s\n' /usr/bin/{clang,ld} ;;
	*) echo "/usr/bin/$1" ;;
	esac
}

# Make the tables of all binaries of the programs $@, before the guest runs.
fill_cache()
{
	local program files

	files=$(for program; do parts "$program"; done | sort -u | while read -r program; do
		ldd "$program" 2>/dev/null | sed -n 's/^.*[[:space:]]\(\/[^ ]*\) (0x.*$/\1/p'
		echo "$program"
	done | xargs realpath | sort -u)
	rm -rf "$dir/cache"
	mkdir -p "$dir/cache"
	# A library without code has no table.
	# shellcheck disable=SC2086	# several words
	XDG_CACHE_HOME=$dir/cache build/tools/tprof-lx tables make $files >/dev/null 2>&1 || true
}

in_guest()
{
	local file

	fill_cache "$@"
	rm -f "$dir"/*.data
	selftests/vm/vm.sh -k $kernel -c 2 -m 3G -t $((600 * $# * (1 + runs))) \
		-l "$dir/console" -- selftests/bench/chains_guest.sh "$dir" "$runs" "$@" \
		>"$dir/guest.log" || { cat "$dir/guest.log"; return; }
	for file in "$dir"/*.data; do
		echo
		echo "$(basename "$file" .data):"
		"$dir/chain_ends" "$file"
	done
}

on_this_machine()
{
	local program

	for program; do
		set_work "$program"
		echo
		echo "$program:"
		perf record -q -m 16M -e cpu-clock:u -F 1000 --call-graph dwarf,48000 \
			-o "$dir/copies" -- "${work[@]}" >/dev/null &&
			"$dir/chain_agree" "$dir/copies"
		rm -f "$dir/copies"
	done
}

./scripts/deps.sh
make --no-print-directory modules tools \
	KDIR="$TPROF_KERNELS/lib/modules/$(kernel_release $kernel)/build"
mkdir -p "$dir"
compile chain_ends selftests/bench/chain_ends.c
compile chain_agree selftests/bench/chain_agree.c
[ $# -gt 0 ] || set -- "${programs[@]}"
for program; do
	shift
	if [ -x "/usr/bin/$program" ]; then
		set -- "$@" "$program"
	else
		echo "no /usr/bin/$program here"
	fi
done
in_guest "$@"
echo
echo "walks by tables and by libdw"
if command -v perf >/dev/null; then
	on_this_machine "$@"
else
	echo "there is no perf to copy stacks: apt install linux-perf"
fi
