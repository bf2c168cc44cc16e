#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the time and memory that tprof-lx and perf need to read the same large
# recording. The figures are printed; they never make the script fail.
#
# usage: report.sh [MILLIONS]	millions of samples (10)

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh

readonly millions=${1:-10}
dir=$(mktemp -d)
readonly dir file=$dir/big.data
trap 'rm -rf "$dir"' EXIT

have_perf()
{
	command -v perf >/dev/null || die "there is no perf to compare with: apt install linux-perf"
}

# Print the 50 largest libraries of this machine, each once.
binaries()
{
	find -L /usr/lib/x86_64-linux-gnu /usr/bin -maxdepth 1 -type f -name '*.so.*' \
		-printf '%s %p\n' 2>/dev/null | sort -rn | awk '{ print $2 }' |
		xargs -r realpath | awk '!seen[$0]++ && ++nr <= 50'
}

make_file()
{
	local list

	mapfile -t list < <(binaries)
	make -s tools
	${CC:-gcc} -O2 -std=gnu11 -D_GNU_SOURCE -Itools -Iinclude/uapi -o "$dir/samples" \
		selftests/bench/samples.c build/tools/libtprof.a -ldw -lelf -lpfm \
		-liberty -lzstd -lcap -lm
	"$dir/samples" "$file" "$millions" "${list[@]}"
}

# Run a command line; print its seconds and its peak memory in MiB.
measure()
{
	python3 - "$1" <<-'END'
		import resource, subprocess, sys, time
		start = time.monotonic()
		subprocess.run(["bash", "-o", "pipefail", "-c", sys.argv[1]], check=True,
		               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		used = resource.getrusage(resource.RUSAGE_CHILDREN)
		print(f"{time.monotonic() - start:.2f} {used.ru_maxrss / 1024:.0f}")
	END
}

compare()
{
	local what=$1 ours theirs

	theirs=$(measure "$2")
	ours=$(measure "$3")
	awk -v what="$what" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
		split(ours, o); split(theirs, t)
		printf "%-24s %8.2f s %6d MiB   %8.2f s %6d MiB   %6.1f %6.1f\n", what,
		       t[1], t[2], o[1], o[2], t[1] / o[1], t[2] / o[2]
	}'
}

# Sum up the output of `perf script` by thread name and function, as perf users do with
# scripts of this kind.
# shellcheck disable=SC2016	# awk's own variables
readonly collapse='awk "/^[^ \t]/ { name = \$1 } { paths[name \";\" \$(NF - 1)]++ } END { for (p in paths) print p, paths[p] }"'

have_perf
echo "$millions million samples, $(make_file)"
echo
printf '%-24s %10s %10s   %10s %10s   %6s %6s\n' "" perf "" tprof-lx "" faster smaller
for keys in dso,sym comm,dso,sym; do
	compare "report -s $keys" "perf report --stdio -s $keys -i $file" \
		"build/tools/tprof-lx report --stdio -s $keys -i $file"
done
compare "script | collapse" "perf script -i $file | $collapse" \
	"build/tools/tprof-lx script -t sample -i $file | $collapse"
compare "the same, by report" "perf script -i $file | $collapse" \
	"build/tools/tprof-lx report --folded -i $file"
