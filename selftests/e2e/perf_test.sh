#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf must read the files of tprof-lx, and show the same contents as tprof-lx does.

. "$(dirname "$0")/lib.sh"

# Print the shares of the functions hot and cold in recording $1 in percent, as perf
# report shows them.
hot_share()
{
	perf report --stdio -i "$1" --sort sym -F overhead,sym --comm hotcold \
		2>/dev/null | awk '
		$NF == "hot" { hot = $1 + 0 }
		$NF == "cold" { cold = $1 + 0 }
		END { printf "%.1f %.1f\n", hot, cold }'
}

# Record by event $1: hot must have 3/4 of the time, cold 1/4. If many ticks are late,
# because the host did not run the guest, use the sum of several recordings.
two_functions_3_to_1()
{
	local hot cold late all_hot=0 all_cold=0

	have_perf
	for _ in 1 2 3 4; do
		must tprof-lx record -e "$1" -F 1000 -- "$hotcold" 5
		late=$(late_share tprof.data)
		read -r hot cold < <(hot_share tprof.data)
		echo "# $1: hot $hot %, cold $cold % of all, $late % late"
		all_hot=$(awk "BEGIN { print $all_hot + $hot }")
		all_cold=$(awk "BEGIN { print $all_cold + $cold }")
		[ "$late" -gt 15 ] || break
	done
	[ "$late" -gt 15 ] || all_hot=$hot all_cold=$cold
	awk -v hot="$all_hot" -v cold="$all_cold" 'BEGIN {
		share = hot + cold ? 100 * hot / (hot + cold) : 0
		exit !(share >= 72 && share <= 78)
	}' || fail "hot has $all_hot to $all_cold of cold"
}

test_nmi_finds_two_functions_3_to_1()
{
	two_functions_3_to_1 nmi
}

test_timer_finds_two_functions_3_to_1()
{
	two_functions_3_to_1 timer
}

record_some()
{
	have_perf
	must tprof-lx record "$@" -a -F 500 --switch-events -- \
		sh -c 'for i in 1 2 3; do /bin/true; done; sleep 0.3'
}

# Write the samples as perf and tprof-lx show them, in the same form. Arguments: further options
# of perf script.
list_samples()
{
	perf_script tprof.data "$@" -F comm,pid,tid,cpu,time,period,event,ip |
		sed -E 's/^ *(.*[^ ]) +(-?[0-9]+)\/(-?[0-9]+) +\[0*([0-9]+)\] +([0-9.]+): +([0-9]+) +([^:]+): +([0-9a-f]+).*/\1|\2|\3|\4|\5|\6|\7|\8/' >perf
	tprof-lx script -t sample --json -F comm,pid,tid,cpu,time,period,event,ip |
		python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    seconds, ns = divmod(r["time"], 10 ** 9)
    print(r["comm"], r["pid"], r["tid"], r["cpu"], f"{seconds}.{ns:09}",
          r["period"], r["event"], r["ip"][2:], sep="|")' >ours
	[ -s ours ] || fail "no samples"
	# Since perf 7, a thread has no name after its EXIT record.
	awk -F'|' -v OFS='|' '
		NR == FNR { if ($1 == ":" $3) nameless[$3, $5]; next }
		($3, $5) in nameless { $1 = ":" $3 }
		{ print }' perf ours >nameless
	mv nameless ours
	echo "# $(wc -l <ours) samples"
}

samples_agree()
{
	list_samples
	same perf ours
}

test_samples_agree()
{
	record_some
	samples_agree
}

test_samples_of_software_events_agree()
{
	local event run='for i in 1 2 3; do /bin/true; done; sleep 0.1'

	have_perf
	must tprof-lx record --sample-cpu -e context-switches,page-faults,off-cpu -- sh -c "$run"
	samples_agree
	for event in context-switches page-faults off-cpu; do
		grep -q "|$event|" ours || fail "no sample of $event"
	done
	# The sixth field is the period: sleep does not run for 0.1 s.
	awk -F'|' '$1 == "sleep" && $7 == "off-cpu" { ns += $6 } END { exit !(ns >= 1e8) }' \
		ours || fail "the sleep is missing"
	must tprof-lx record -g -e context-switches -- sh -c "$run"
	perf report --stdio -i tprof.data --no-children -G 2>/dev/null >tree
	grep -q schedule tree || { cat tree; fail "no call chain of a switch"; }
}

test_samples_on_and_off_cpu_agree()
{
	local event

	have_perf
	must tprof-lx record --sample-cpu --off-cpu -- sh -c "$hotcold 0.3; sleep 0.1"
	list_samples -G
	# A sample whose chain was deferred comes when its chain is complete, after later samples.
	sort -s -t'|' -k5,5n -o ours ours
	same perf ours
	awk -F'|' '$7 == "off-cpu" { off[$1] += $6 } $7 != "off-cpu" { on[$1] += $6 }
		   END { exit !(off["sleep"] >= 1e8 && on["hotcold"] >= 1e8) }' ours ||
		fail "the sleep or the work is missing"
	perf report --stdio -i tprof.data --no-children -G >tree 2>/dev/null
	for event in off-cpu "$(awk -F'|' '$7 != "off-cpu" { print $7; exit }' ours)"; do
		grep -q "^# Samples: .* of event '$event'" tree ||
			{ cat tree; fail "perf report does not show event $event"; }
	done
	grep -q schedule tree || { cat tree; fail "no call chain of a wait"; }
}

# Merge a compressed recording with a copy of it, too.
test_compressed_samples_agree()
{
	local nr

	record_some -z
	perf report --header-only -i tprof.data >header 2>/dev/null
	grep -q '^# compressed : Zstd' header ||
		fail "perf does not see that the file is compressed"
	samples_agree
	nr=$(wc -l <ours)
	mv tprof.data one.data
	cp one.data two.data
	must tprof-lx merge -o tprof.data one.data two.data
	samples_agree
	[ "$(wc -l <ours)" -eq $((2 * nr)) ] || fail "not twice the $nr samples are merged"
}

# Print the records in a form that is the same for perf and tprof-lx, sorted.
records()
{
	grep -o 'PERF_RECORD_.*' | sed -E 's/ +$//' | sort
}

test_mappings_and_tasks_agree()
{
	record_some
	perf_script tprof.data --show-mmap-events --show-task-events |
		records >perf
	tprof-lx script -t mmap,mmap2,comm,fork,exit | records >ours
	[ -s ours ] || fail "no records"
	echo "# $(wc -l <ours) records"
	same perf ours
}

test_switches_agree()
{
	record_some
	perf_script tprof.data --show-switch-events | grep -c SWITCH >perf
	tprof-lx script -t switch_cpu_wide | grep -c SWITCH >ours
	[ "$(cat ours)" -gt 0 ] || fail "no switches"
	same perf ours
}

test_build_ids_match_the_files()
{
	local id file seen=0

	record_some
	perf buildid-list -i tprof.data >ids || fail "perf buildid-list"
	while read -r id file; do
		[[ $file == /* && $file != *.ko* && -e $file ]] || continue
		[ "$(file -L "$file" | sed -n 's/.*BuildID\[sha1\]=\([0-9a-f]*\).*/\1/p')" = "$id" ] ||
			fail "$file has not build-id $id"
		seen=$((seen + 1))
	done <ids
	grep -q 'kernel.kallsyms' ids || fail "no build-id of the kernel"
	[ "$seen" -ge 3 ] || fail "only $seen files"
	echo "# $seen files"
}

test_perf_accepts_our_own_records()
{
	record_some
	perf_script tprof.data >/dev/null
	! grep -iE "unknown|invalid|unsupported|failed|order" perf.err ||
		fail "perf complains"
}

test_kernel_symbols_are_found()
{
	have_perf
	must tprof-lx record -a --all-kernel -F 1000 --duration 1 -- "$hotcold" 2
	perf_script tprof.data -F ip,sym >lines
	awk '{ all++ } /\[unknown\]/ { unknown++ }
	     END { print "# " unknown + 0 " of " all " unknown"
		   exit !(all > 50 && unknown * 50 < all) }' lines ||
		fail "kernel symbols are missing"
}

test_perf_reads_the_header()
{
	record_some
	perf report --header-only -i tprof.data >header 2>/dev/null ||
		fail "perf report --header-only"
	for word in hostname arch cpudesc nrcpus cmdline "clockid: monotonic"; do
		grep -q "$word" header || { cat header; fail "no $word"; }
	done
}

main "$@"
