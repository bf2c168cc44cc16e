#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Latency: periods divided by the number of threads that run. Its sum must be the time that has
# passed, also after merge and filter, and in exports. The guest test parallelism/ checks the
# number in each sample.

. "$(dirname "$0")/lib.sh"

phases=$TPROF_TESTS/workloads/phases

# Record both phases to tprof.data. Set spent to the nanoseconds that they have taken.
record_phases()
{
	[ "$(nproc)" -ge 2 ] || skip "one CPU runs one thread at a time"
	spent=$(tprof-lx record -q --latency "$@" -- "$phases" 1 2 2>err) ||
		{ cat err; fail "cannot record"; }
}

# Print member $2 of the first event in the JSON of the report with options $3..., of file $1.
number()
{
	tprof-lx report --json -i "$1" "${@:3}" 2>/dev/null |
		python3 -c "import json, sys; print(json.load(sys.stdin)['events'][0]['$2'])"
}

# Whether $1 and $2 differ by at most $3 percent.
is_near()
{
	awk "BEGIN { d = $1 - $2; exit !($2 > 0 && 100 * (d < 0 ? -d : d) <= $3 * $2) }"
}

must_be_near()
{
	is_near "$@" || fail "$4: $1, not $2"
}

# Fail unless $1, the sum of latency, is the time that the phases have taken. A tick that comes late,
# as the host did not run the guest, stands for the time since the last one, but has the parallelism
# of its own moment.
must_be_spent()
{
	local late

	! is_near "$1" "$spent" 5 || return 0
	late=$(late_share tprof.data)
	[ "$late" -le 5 ] || skip "the host takes the CPUs away: $late % of the ticks came late"
	fail "sum of latency: $1, not $spent"
}

test_latency_is_the_time_that_has_passed()
{
	record_phases -e timer
	must_be_spent "$(number tprof.data latency --latency)"
	tprof-lx report --latency --csv -s sym >rows || fail "no report"
	cat rows
	grep -qx 'event,latency,overhead,sym' rows || fail "other columns"
	# Both phases take the same time, and the second takes twice the CPU time of the first.
	awk -F, '
		$4 == "alone" { alone = $2; alone_cpu = $3 }
		$4 == "together" { both = $2; both_cpu = $3 }
		END {
			exit !(alone > 30 && both > 30 && both < 1.3 * alone && alone < 1.3 * both &&
			       both_cpu > 1.6 * alone_cpu && both_cpu < 2.4 * alone_cpu)
		}' rows ||
		fail "other shares"
}

test_parallelism_is_a_key()
{
	record_phases -e timer
	tprof-lx report --csv -s sym,parallelism >rows || fail "no report"
	cat rows
	awk -F, '
		$3 == "alone" { alone[$4] += $2 }
		$3 == "together" { both[$4] += $2 }
		$4 != "parallelism" && ($4 < 1 || $4 > 2) { exit 1 }
		END { exit !(alone[1] > 20 && alone[2] < 5 && both[2] > 40 && both[1] < 10) }' rows ||
		fail "other numbers"
	tprof-lx script -i tprof.data -F weight -t sample | sort | uniq -c | sort -rn >weights
	grep -qE '[12]$' weights || { cat weights; fail "script prints no weights"; }
}

test_call_trees_are_weighed()
{
	local latency folded

	record_phases -e timer -g
	latency=$(number tprof.data latency --latency)
	must_be_spent "$latency"
	folded=$(tprof-lx report --folded --latency 2>/dev/null |
		awk '{ sum += $NF } END { printf "%d\n", sum }')
	# Single samples are rounded.
	must_be_near "$folded" "$latency" 0.1 "folded"
	tprof-lx report --latency -g --json >json || fail "no trees"
	python3 - <<-'END' || fail "a tree has other sums"
		import json
		event = json.load(open("json"))["events"][0]
		def check(node):
		    assert sum(below["latency"] for below in node.get("calls", [])) <= node["latency"]
		    for below in node.get("calls", []):
		        check(below)
		for entry in event["entries"]:
		    for node in entry.get("calls", []):
		        assert node["latency"] <= event["latency"]
		        check(node)
		assert any(entry.get("calls") for entry in event["entries"])
	END
}

test_exports_are_weighed()
{
	local latency folded rows

	record_phases -e timer -g
	latency=$(number tprof.data latency --latency)
	folded=$(tprof-lx export folded --latency 2>/dev/null |
		awk '{ sum += $NF } END { printf "%d\n", sum }')
	rows=$(tprof-lx export rows --latency 2>/dev/null | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert {row["event"] for row in rows} == {"timer latency"}
print(sum(row["weight"] for row in rows))')
	# Single samples are rounded.
	must_be_near "$folded" "$latency" 0.1 "folded"
	must_be_near "$rows" "$latency" 0.1 "rows"
	must tprof-lx html --latency -o page.html
}

test_merge_filter_and_pipes_keep_it()
{
	local latency

	record_phases -e timer
	latency=$(number tprof.data latency --latency)
	must tprof-lx filter --comm phases -o part.data
	must_be_near "$(number part.data latency --latency)" "$latency" 5 "filter"
	cp tprof.data again.data
	must tprof-lx merge -o both.data tprof.data again.data
	must_be_near "$(number both.data latency --latency)" $((2 * latency)) 0.1 "merge"
	tprof-lx record -q --latency -z -e timer -o - -- "$hotcold" 0.3 | cat >pipe.data
	[ "$(number pipe.data latency --latency)" -gt 0 ] || fail "the pipe has no latency"
}

test_recording_without_it_says_what_to_type()
{
	must tprof-lx record -q -e timer -- "$hotcold" 0.2
	must_fail 1 "no parallelism; record them with --latency" tprof-lx report --stdio --latency
	must_fail 1 "no parallelism; record them with --latency" \
		tprof-lx report --stdio -s parallelism
	must_fail 1 "no parallelism; record them with --latency" tprof-lx export rows --latency
	must_fail 2 "leave out --latency" tprof-lx export autofdo --latency -o profile
	must_fail 2 "leave out -a" tprof-lx record --latency -a -- true
}

test_weights_of_perf_are_no_parallelism()
{
	have_perf
	perf record -q -W -e cpu-clock -o perf.data -- "$hotcold" 0.2 >err 2>&1 ||
		{ cat err; skip "perf does not record weights here"; }
	must tprof-lx report --stdio -i perf.data -s weight
	must_fail 1 "no parallelism" tprof-lx report --stdio --latency -i perf.data
}

test_perf_reads_the_numbers()
{
	have_perf
	record_phases -e timer
	perf_script tprof.data -F comm,weight | awk '{ print $NF }' | sort -u >weights
	[ "$(tail -n 1 weights)" = 2 ] || { cat weights; fail "perf finds other weights"; }
}

main "$@"
