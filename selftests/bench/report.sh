#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the CPU time and memory that tprof-lx and perf need to read the same large
# recordings. Print the figures; no figure makes the script fail. Other load on the machine
# lengthens the times, so run perf and tprof-lx in turn, RUNS times each, and print the
# shortest run of each.
#
# usage: report.sh [MILLIONS [RUNS]]	defaults: 10 million samples, 2 runs
#
# Recordings: in "even", the same 200 processes run all the time, and all map the same 50
# binaries. "stacks" is the same, with ten frames per sample, and many equal call chains.
# perf needs about a minute per million of these samples, so "stacks" has only a tenth as
# many. In "machine", processes are forked, call exec and exit; samples of its 16 CPUs are
# written in long rounds. "callers" is the same as "machine", with ten frames per sample;
# perf takes more than ten minutes to read it, so only tprof-lx reads it. Almost all of its
# call chains differ. "spread" is the same as "even", but with 50 small stripped libraries made
# here, and all their addresses are equally frequent, so most samples are in places of their own.
# "unmarked" is the same as "spread", in order of time and without FINISHED_ROUND.

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh
. selftests/bench/beside_perf.sh

readonly millions=${1:-10} runs=${2:-2}
dir=$(mktemp -d)
readonly dir file=$dir/even.data machine=$dir/machine.data callers=$dir/callers.data
readonly stacks=$dir/stacks.data spread=$dir/spread.data unmarked=$dir/unmarked.data
trap 'rm -rf "$dir"' EXIT

# Print the paths of the 50 largest libraries of this machine, each once.
binaries()
{
	find -L /usr/lib/x86_64-linux-gnu /usr/bin -maxdepth 1 -type f -name '*.so.*' \
		-printf '%s %p\n' 2>/dev/null | sort -rn | awk '{ print $2 }' |
		xargs -r realpath | awk '!seen[$0]++ && ++nr <= 50'
}

# Make 50 stripped libraries with 1000 functions each.
make_libraries()
{
	local nr

	mkdir "$dir/libraries"
	for ((nr = 0; nr < 50; nr++)); do
		awk -v "nr=$nr" 'BEGIN {
			for (i = 0; i < 1000; i++) {
				f = "l" nr "_f" i
				print ".globl " f "\n.type " f ", @function\n" f ":"
				print ".fill 256, 1, 0x90\n.size " f ", 256"
			}
		}' | ${CC:-gcc} -x assembler -shared -s -nostdlib -Wl,--build-id \
			-o "$dir/libraries/lib$nr.so" -
	done
}

make_generator()
{
	local libraries

	mapfile -t libraries < <(tool_libraries)
	${CC:-gcc} -O2 -std=gnu11 -D_GNU_SOURCE -Itools -Iinclude/uapi -o "$dir/$1" \
		"selftests/bench/$1.c" selftests/bench/recording.c build/tools/libtprof.a \
		"${libraries[@]}"
}

make_files()
{
	local list

	mapfile -t list < <(binaries)
	make_libraries
	make -s tools
	make_generator samples
	make_generator machine
	echo "$millions million samples"
	echo "even: $("$dir/samples" "$file" "$millions" 0 "${list[@]}")"
	echo "spread: $("$dir/samples" -u "$spread" "$millions" 0 "$dir"/libraries/*.so)"
	echo "unmarked: $("$dir/samples" -u -n "$unmarked" "$millions" 0 "$dir"/libraries/*.so)"
	echo "stacks: $("$dir/samples" "$stacks" $(((millions + 9) / 10)) 10 "${list[@]}")"
	echo "machine: $("$dir/machine" "$machine" "$millions" 0 "${list[@]}")"
	echo "callers: $("$dir/machine" "$callers" "$millions" 10 "${list[@]}")"
}

# Compare perf report and tprof-lx report, in perf's default format. Arguments: a title,
# options, and the recording.
compare_reports()
{
	compare "$1" "perf report --stdio $2 -i $3" \
		"build/tools/tprof-lx report --stdio $2 -i $3"
}

compare_scripts()
{
	compare "$1" "perf script -i $2" "build/tools/tprof-lx script -i $2"
}

# Compare report --folded with perf script and a script that counts the call paths in its
# output, as users of perf do.
# shellcheck disable=SC2016	# awk's own variables
readonly collapse='awk "/^\t/ { path = \";\" \$2 path } /^\$/ { paths[name path]++ } /^[^\t]/ { name = \$1; path = \"\" } END { for (p in paths) print p, paths[p] }"'
# The same for samples without call chains.
# shellcheck disable=SC2016
readonly count='awk "{ paths[\$1 \";\" \$(NF - 1)]++ } END { for (p in paths) print p, paths[p] }"'

compare_folded()
{
	compare "$1" "perf script -i $3 | $2" "build/tools/tprof-lx report --folded -i $3"
}

# Measure a command of tprof-lx on "callers".
measure_callers()
{
	local ours

	ours=$(measure "build/tools/tprof-lx $2 -i $callers")
	printf '%-24s %10s %10s   %8.2f s %6d MiB\n' "$1" "" "" "${ours% *}" "${ours#* }"
}

have_perf
make_files
echo
print_header
compare_reports "even, dso,sym" "-s dso,sym" "$file"
compare_reports "even, default keys" "" "$file"
compare_reports "spread, dso,sym" "-s dso,sym" "$spread"
compare_reports "spread, default keys" "" "$spread"
compare_reports "unmarked, dso,sym" "-s dso,sym" "$unmarked"
compare_reports "machine, dso,sym" "-s dso,sym" "$machine"
compare_reports "stacks, -g" "-g" "$stacks"
measure_callers "callers, dso,sym" "report --stdio -s dso,sym"
measure_callers "callers, -g" "report --stdio -g"
measure_callers "callers, html" "html -o $dir/callers.html"
compare_scripts "even, script" "$file"
compare_scripts "stacks, script" "$stacks"
compare_folded "even, --folded" "$count" "$file"
compare_folded "stacks, --folded" "$collapse" "$stacks"
