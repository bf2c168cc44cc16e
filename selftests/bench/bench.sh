#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Measure the cost of a sample in the lab, where time is counted in instructions and
# every run of the same build gives exactly the same figures, or with two CPUs, nearly the
# same. In one boot, perf, tprof-lx, "floor" and "floor-timer" interrupt the same loop; the last
# two are an NMI handler and a timer that only count. The figures are printed; they never make
# the script fail.
#
# The cost of a sample is the slope of the loop's time over the number of samples. It
# includes everything that runs on the CPU during the loop: NMIs, worker, recorder.
#
# usage: bench.sh [MODE [KERNEL]]	defaults: intel-v4 6.12; BENCH_MILLIONS=100; BENCH_ROWS, the
#					rows to measure, without the highest rates: all

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh
. selftests/bench/measure.sh

readonly millions=${BENCH_MILLIONS:-100}

# With the lab's -icount shift=1, an instruction takes 2 ns and a tick of the emulated
# TSC takes 1 ns.
readonly ticks_per_insn=2

table()
{
	awk -v ticks="$ticks_per_insn" -v millions="$millions" '
	function slope(who, column, i, n, x, y, sx, sy, sxx, sxy) {
		for (i = 1; i <= nr[who]; i++) {
			x = samples[who, i]; y = column == "bytes" ? \
				bytes[who, i] : tsc[who, i] / ticks
			n++; sx += x; sy += y; sxx += x * x; sxy += x * y
		}
		return (n * sxy - sx * sy) / (n * sxx - sx * sx)
	}
	function ratio(who, perf) {
		perf = who
		sub(/^(tprof-lx|floor)/, "perf", perf)
		sub(/-nmi$/, "-timer", perf)
		sub(/-table$/, "-dwarf", perf)
		sub(/-latency$/, "", perf)
		return who == perf ? "1" : nr[perf] < 2 ? "" : \
			sprintf("1/%.1f", slope(perf, "tsc") / slope(who, "tsc"))
	}
	$1 == "run" {
		i = ++nr[$2]
		tsc[$2, i] = $4; samples[$2, i] = $5; bytes[$2, i] = $7
		lost[$2] += $6
	}
	$1 == "rate" && $6 == 0 {
		rate[$2] = $5 / ($4 / 1e9)
	}
	$1 == "rate" && $6 != 0 {
		first[$2] = $5 / ($4 / 1e9); loses[$2] = 1
	}
	END {
		printf "%d million instructions took %.1f million\n\n",
		       millions, tsc["none", 1] / ticks / 1e6
		printf "%-14s %14s %10s %14s %6s\n", "", "instructions", "of",
		       "bytes", ""
		printf "%-14s %14s %10s %14s %6s\n", "", "per sample", "perf",
		       "per sample", "lost"
		rows = split("floor perf tprof-lx perf-g tprof-lx-g perf-dwarf " \
			     "tprof-lx-table perf-3 tprof-lx-3 " \
			     "perf-freq tprof-lx-freq floor-timer perf-timer " \
			     "tprof-lx-timer tprof-lx-nmi tprof-lx-z " \
			     "tprof-lx-latency tprof-lx-g-latency " \
			     "tprof-lx-timer-latency", names)
		for (i = 1; i <= rows; i++) {
			who = names[i]
			if (nr[who] < 2) {
				printf "%-14s %14s\n", who, "not here"
				continue
			}
			printf "%-14s %14.0f %10s %14.1f %6d\n", who,
			       slope(who, "tsc"), ratio(who),
			       slope(who, "bytes"), lost[who]
		}
		print "\n-g: call chains of five user frames by frame pointers; -table: by unwind"
		print "tables; -dwarf: copies of the stack, to find the frames later; -3: three events;"
		print "-freq: by frequency; -timer: by a timer; -nmi: by NMIs from another CPU, on the"
		print "sampled CPU; -z: compressed; -latency: with the number of threads that run\n"
		for (i = 2; i <= 3; i++) {
			who = names[i]
			if (!rate[who])
				continue
			printf "%-10s keeps %d samples a second", who, rate[who]
			if (loses[who])
				printf ", and loses some at %d", first[who]
			print ""
		}
	}' "$1"
}

measure bench 1800 selftests/bench/guest.sh "$millions" "${BENCH_ROWS:-}"
[ -z "${BENCH_ROWS:-}" ] || { table "$logs/bench.log"; exit; }
cpus=2 measure bench-nmi 600 selftests/bench/nmi_guest.sh "$millions" "$ticks_per_insn"
table <(cat "$logs/bench.log" "$logs/bench-nmi.log")
