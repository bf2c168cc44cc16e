#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Times on and off CPU in one recording must add up to the time that has passed, and agree
# with the scheduler's own sums in /proc/PID/schedstat.

. "$(dirname "$0")/lib.sh"

# Write a script that waits and works in turn, and does $1 in between. Before and after, it
# sleeps, so that the scheduler has updated its sums, and prints them: the time in us, then ns
# on CPU and ns of waits for a CPU.
write_script()
{
	rm -f fifo
	mkfifo fifo
	cat >waits <<-END
		exec 9<>fifo
		facts()
		{
			read -r -t 0.02 -u 9
			read -r ran delay _ </proc/self/schedstat
			echo "\${EPOCHREALTIME/[.,]/} \$ran \$delay"
		}
		work() { for ((n = 0; n < \$1; n++)); do :; done; }
		{
			echo "\$\$"
			facts
			$1
			facts
		} >facts
	END
}

# Record the script. Set on and off to the times of its thread in the report, ran, delay and
# passed to what the scheduler and the clock say. Arguments: further filters of the report.
measure()
{
	local pid from to ran2 delay2

	must tprof-lx record -q -k realtime --off-cpu=all -- bash ./waits
	{ read -r pid; read -r from ran delay; read -r to ran2 delay2; } <facts
	ran=$((ran2 - ran)) delay=$((delay2 - delay)) passed=$((1000 * (to - from)))
	tprof-lx report --wall --csv --no-children -s tid,state -t "$pid" \
		--time "${from%??????}.${from: -6},${to%??????}.${to: -6}" >rows ||
		fail "no report"
	read -r on off runnable < <(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ on += $at["on"]; off += $at["off"] }
		$at["state"] == "runnable" { runnable += $at["off"] }
		END { printf "%.0f %.0f %.0f\n", on, off, runnable }' rows)
	echo "# on $on ran $ran, off $off, passed $passed, runnable $runnable delay $delay"
}

# Return true if $1 and $2 differ by at most $3 percent.
are_near()
{
	awk "BEGIN { d = $1 - $2; exit !($2 > 0 && 100 * (d < 0 ? -d : d) <= $3 * $2) }"
}

# The host may stop this guest while the script reads a sum, or may delay ticks. So try
# several times.
test_times_are_those_of_the_scheduler()
{
	write_script 'for i in {1..20}; do read -r -t 0.05 -u 9; work 3000; done'
	for _ in {1..10}; do
		measure
		are_near "$off" $((passed - ran)) 2 && are_near "$on" "$ran" 10 &&
			are_near $((on + off)) "$passed" 3 && return
	done
	cat rows
	fail "the times differ"
}

test_runnable_threads_wait_for_a_cpu()
{
	# shellcheck disable=SC2016	# the script expands these
	write_script 'taskset -p -c 0 $BASHPID >/dev/null; work 1000000 & work 100000; kill $!'
	for _ in {1..10}; do
		measure
		are_near "$runnable" "$delay" 5 && return
	done
	cat rows
	fail "the times differ"
}

test_tree_has_time_on_and_off_cpu()
{
	must tprof-lx record -q --off-cpu=all -- sh -c "$hotcold 0.3; sleep 0.2"
	tprof-lx report --wall -g --stdio -s comm >tree || fail "no tree"
	grep -q 'Total ms  On CPU ms  Off CPU ms  Command' tree || { cat tree; fail "no columns"; }
	grep -q -- '\[off-CPU\]$' tree || { cat tree; fail "no time off CPU"; }
	tprof-lx report --wall --csv --no-children -s comm >rows || fail "no table"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		 $NF == "sleep" { asleep = $at["off"] >= 2e8 && $at["off"] > $at["on"] }
		 $NF == "hotcold" { works = $at["on"] >= 1e8 }
		 END { exit !(asleep && works) }' rows || { cat rows; fail "wrong times"; }
	tprof-lx report --wall --folded >paths || fail "no paths"
	awk -F, 'FILENAME == "rows" { if (FNR > 1) time += $3; next }
		 { n = split($0, word, " "); sum += word[n] }
		 END { printf "# %.0f ns in rows, %.0f in paths\n", time, sum
		       exit !(sum && sum == time) }' rows paths || fail "other sums in paths"
	grep -q '^sleep;.*;\[off-CPU\] [0-9]*$' paths || { cat paths; fail "no wait in paths"; }
}

test_state_of_each_wait_is_printed()
{
	must tprof-lx record -q --off-cpu=all -- sh -c 'sleep 0.1'
	tprof-lx script -F comm,event,period,state | grep ' off-cpu ' >lines
	# The CPU may be busy before sleep leaves it, so less than 0.1 s may remain.
	awk '$1 == "sleep" && $4 == "sleeping" { ns += $3 } END { exit !(ns >= 5e7) }' lines ||
		{ cat lines; fail "nothing sleeps"; }
	tprof-lx report --stdio -s state --event off-cpu >table || fail "no table"
	grep -qE '% +sleeping$' table || { cat table; fail "no state"; }
}

# Nanoseconds for which threads with the name sleep were off CPU in the recording.
asleep()
{
	tprof-lx script -F comm,event,period |
		awk '$1 == "sleep" && $2 == "off-cpu" { ns += $3 } END { printf "%.0f\n", ns }'
}

test_running_processes_can_be_recorded()
{
	local pid what

	sh -c 'while :; do sleep 0.05; done' &
	pid=$!
	for what in "-p $pid" -a "-a -e timer,page-faults"; do
		# shellcheck disable=SC2086	# several words
		must tprof-lx record -q --off-cpu $what --duration 2
		echo "# $what: $(asleep) ns"
		[ "$(asleep)" -ge 100000000 ] || { kill $pid; fail "no waits with $what"; }
	done
	kill $pid
}

test_times_of_other_events_are_refused()
{
	must tprof-lx record -q -e timer,context-switches -- true
	must_fail 1 "event 'context-switches' does not measure time.*--event" \
		tprof-lx report --wall
	must_fail 1 "no time off CPU; record it with --off-cpu" \
		tprof-lx report --wall --event timer
	must_fail 1 "no event 'nonesuch'" tprof-lx report --wall --event nonesuch
	must_fail 2 "give --wall" tprof-lx report -F off,comm
	must_fail 2 "leave out one" tprof-lx report --wall --confidence
}

main "$@"
