#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counts beside samples: what record prints must be what its recording has, by our readers and
# by those of perf.

. "$(dirname "$0")/lib.sh"

shorts=$TPROF_TESTS/workloads/shorts

# Print the count of event $2 in the table $1.
count_in()
{
	awk -v event="$2" '$2 == event { gsub(",", "", $1); print $1 }' "$1"
}

# Print the sum of event $2 over the threads of the table $1 of report -T. perf orders the columns
# by the first records of the file.
sum_over_threads()
{
	awk -v event="$2" '
		/^# *PID/ {
			table = 1
			for (i = 2; i <= NF; i++)
				if ($i == event)
					column = i - 1
			next
		}
		/^#/ { table = 0 }
		table && NF >= column { sum += $column }
		END { print sum + 0 }' "$1"
}

test_recording_has_the_counts_that_are_printed()
{
	local faults

	must tprof-lx record -e timer --count page-faults,context-switches -- "$shorts" 50 1000
	cp out printed
	faults=$(count_in printed page-faults)
	[ "${faults:-0}" -gt 50 ] || { cat printed; fail "$faults page faults"; }
	must tprof-lx report --stdio
	grep -qx "# Count: $faults of event 'page-faults'" out ||
		{ head -9 out; fail "another count in report"; }
	grep -q "^# Samples: .* of event 'timer'" out || fail "no samples in report"
	must tprof-lx report -T --stdio
	[ "$(sum_over_threads out page-faults)" = "$faults" ] ||
		{ cat printed out; fail "another sum in report -T"; }
	ledger_must_add_up tprof.data
	have_perf
	must perf report -T --stdio -i tprof.data
	[ "$(sum_over_threads out page-faults)" = "$faults" ] ||
		{ cat printed out; fail "another sum in perf"; }
	must perf stat report -i tprof.data
	[ "$(count_in out page-faults)" = "$faults" ] ||
		{ cat printed out; fail "another count in perf stat report"; }
}

test_threads_have_lines_of_their_own()
{
	local sum total

	must tprof-lx record -e timer --count page-faults --per-thread -- "$shorts" 50 1000
	total=$(awk '$2 == "page-faults" { gsub(",", "", $1); print $1 }' out)
	sum=$(awk '$3 == "page-faults" { gsub(",", "", $2); sum += $2 } END { print sum }' out)
	[ "$sum" = "$total" ] || { cat out; fail "threads have $sum, all have $total"; }
	[ "$(grep -c '^ *shorts-' out)" = 51 ] || { cat out; fail "not 51 threads"; }
}

test_intervals_add_up_to_the_end()
{
	local total sum

	must tprof-lx record -a -e timer --count context-switches -I 200 --duration 1
	total=$(count_in out context-switches)
	sum=$(awk '$1 ~ /^[0-9.]+$/ && $3 == "context-switches" {
		gsub(",", "", $2); sum += $2; nr++ } END { print sum; exit nr < 3 }' out) ||
		{ cat out; fail "fewer than three intervals"; }
	[ "$sum" = "$total" ] || { cat out; fail "intervals have $sum, all have $total"; }
	grep -E '^ +[0-9]+[.][0-9]+ .* context-switches' out | cut -c-60 >printed
	must tprof-lx stat --report
	grep -E '^ +[0-9]+[.][0-9]+ .* context-switches' out | cut -c-60 >reread
	cmp printed reread || { cat printed out; fail "other intervals in the recording"; }
	must tprof-lx report --stdio
	grep -qx "# Count: $total of event 'context-switches'" out ||
		{ head -9 out; fail "another count in report"; }
}

# SIGUSR1 prints a table, and the recording goes on.
test_signal_prints_the_counts()
{
	local recorder

	tprof-lx record -a -e timer --count context-switches --duration 60 >log 2>&1 & recorder=$!
	for _ in $(seq 300); do
		[ ! -s tprof.data ] || break
		sleep 0.1
	done
	for _ in $(seq 100); do
		kill -USR1 "$recorder"
		sleep 0.1
		! grep -q context-switches log || break
	done
	grep -q context-switches log || { cat log; fail "no counts"; }
	kill -INT "$recorder"
	wait "$recorder" || { cat log; fail "status $?"; }
	[ "$(grep -c context-switches log)" -ge 2 ] || { cat log; fail "no table at the end"; }
}

test_mistakes_are_usage_errors()
{
	must_fail 2 "takes an event to count; -c 1000" tprof-lx record --count 1000 -- true
	must_fail 2 "counts nothing" tprof-lx record --count nmi -- true
	must_fail 2 "has a sampling term" tprof-lx record --count page-faults/period=3/ -- true
	must_fail 2 "give it as well" tprof-lx record -I 100 -- true
	must_fail 2 "leave out -a" tprof-lx record -a --count page-faults --per-thread
}

main "$@"
