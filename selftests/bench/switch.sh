#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure what a task switch costs while events of processes count, in the lab, where time
# is counted in instructions and every run of the same build gives exactly the same
# figures. Two processes on one CPU pass a byte back and forth, while perf stat -p or
# tprof-lx stat -p counts, with and without --per-thread, or tprof-lx record -p samples by
# counters, with and without --latency, or by clocks, neither, both, or one of them. The figures are printed; they never make
# the script fail.
#
# The cost of a switch is the slope of the time over the number of switches, less the same
# slope without a profiler.
#
# usage: switch.sh [MODE [KERNEL]]	defaults: intel-v4 6.12; BENCH_ROWS, what to measure: all

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh
. selftests/bench/measure.sh

# With the lab's -icount shift=1, an instruction takes 2 ns and a tick of the emulated
# TSC takes 1 ns. A round has two switches.
readonly ticks_per_insn=2 switches=2

table()
{
	awk -v ticks="$ticks_per_insn" -v switches="$switches" '
	function cell(who, scope, nr, key) {
		key = who " " scope " " nr
		if (!(key in slope))
			return "not here"
		return sprintf("%.0f", slope[key] - slope["none outside 1"])
	}
	$1 == "switch" {
		key = $2 " " $3 " " $4
		if (key in rounds)
			slope[key] = ($6 - tsc[key]) / ticks / switches / \
				     ($5 - rounds[key])
		rounds[key] = $5; tsc[key] = $6
	}
	END {
		printf "to pass the byte and switch takes %.0f instructions,\n",
		       slope["none outside 1"]
		print "and this many more while events of processes count:\n"
		printf "%-34s %9s %9s %9s %9s %9s %9s\n", "", "tprof-lx", "threads", \
		       "sampling", "latency", "clock", "perf"
		text["outside"] = "between other processes"
		text["inside"] = "between counted processes"
		text["border"] = "from or to a counted process"
		split("outside inside border", scopes)
		for (nr = 1; nr <= 4; nr += 3)
			for (i = 1; i <= 3; i++)
				printf "%-34s %9s %9s %9s %9s %9s %9s\n",
				       text[scopes[i]] (nr == 4 ? ", 4" : ""),
				       cell("tprof-lx", scopes[i], nr),
				       cell("threads", scopes[i], nr),
				       cell("sampling", scopes[i], nr),
				       cell("latency", scopes[i], nr),
				       cell("clock", scopes[i], nr),
				       cell("perf", scopes[i], nr)
		print "\n4: four events, else one; threads: tprof-lx stat --per-thread; sampling and"
		print "latency: tprof-lx record without and with --latency"
	}' "$1"
}

measure switch 900 selftests/bench/switch_guest.sh "${BENCH_ROWS:-}"
table "$logs/switch.log"
