# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Compare the CPU time and memory of commands of tprof-lx and of perf. Sourced after
# scripts/lib.sh. The variable runs is the number of runs of each command.

have_perf()
{
	command -v perf >/dev/null || die "there is no perf to compare with: apt install linux-perf"
}

# Run a command line. Print its CPU time in seconds and its peak memory in MiB.
measure()
{
	python3 - "$1" <<-'END'
		import resource, subprocess, sys
		subprocess.run(["bash", "-o", "pipefail", "-c", sys.argv[1]], check=True,
		               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		used = resource.getrusage(resource.RUSAGE_CHILDREN)
		print(f"{used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss / 1024:.0f}")
	END
}

# Print the result of measure() with the lowest CPU time. The arguments are results.
cheaper()
{
	printf '%s\n' "$@" | sort -n | head -1
}

compare()
{
	local what=$1 ours='999999 0' theirs='999999 0' i

	# shellcheck disable=SC2154	# set by the sourcing script
	for ((i = 0; i < runs; i++)); do
		theirs=$(cheaper "$theirs" "$(measure "$2")")
		ours=$(cheaper "$ours" "$(measure "$3")")
	done
	awk -v what="$what" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
		split(ours, o); split(theirs, t)
		printf "%-24s %8.2f s %6d MiB   %8.2f s %6d MiB   %6.1f %6.1f\n", what,
		       t[1], t[2], o[1], o[2], t[1] / o[1], t[2] / o[2]
	}'
}

print_header()
{
	printf '%-24s %10s %10s   %10s %10s   %6s %6s\n' "" perf "" tprof-lx "" faster smaller
}
