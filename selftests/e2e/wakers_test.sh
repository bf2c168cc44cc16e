#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# report --wakers must show what ended the waits of a process.

. "$(dirname "$0")/lib.sh"

wakes=$TPROF_TESTS/workloads/wakes

record_wakes()
{
	must tprof-lx record -q --off-cpu=all --wakers -- "$wakes" 100
}

# Print the nanoseconds of the paths that match all arguments.
sum_of()
{
	local paths=paths pattern

	for pattern; do
		grep -E -- "$pattern" "$paths" >"$paths.some"
		paths=$paths.some
	done
	awk '{ ns += $NF } END { printf "%.0f\n", ns }' "$paths"
}

test_waits_continue_with_the_stack_that_ended_them()
{
	local woken all

	record_wakes
	# On a busy machine, the sleeper may be preempted: then nothing wakes it.
	tprof-lx report --wakers --folded | grep -vF '[not woken]' >paths || fail "no paths"
	woken=$(sum_of '^sleeper;.*main;sleeper_function;.*;\[woken by waker\];.*;waker_function;main')
	all=$(sum_of '^sleeper;.*main;sleeper_function;')
	echo "# $woken of $all ns are woken by waker_function"
	# Each of 100 waits takes about 2 ms.
	[ "$all" -ge 100000000 ] || { cat paths; fail "no waits"; }
	[ $((100 * woken)) -ge $((95 * all)) ] || { cat paths; fail "other wakers"; }
}

test_wakers_have_a_column_and_a_tree()
{
	record_wakes
	tprof-lx report --wakers --csv -F period,waker --comm sleeper >rows || fail "no table"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		 $at["waker"] != "[not woken]" { all += $at["period"] }
		 $at["waker"] == "waker" { woken += $at["period"] }
		 END { exit !(all && woken > 0.95 * all) }' rows || { cat rows; fail "other wakers"; }
	tprof-lx report --wakers -g --stdio --comm sleeper >tree || fail "no tree"
	grep -q -- '\[woken by waker\]$' tree || { cat tree; fail "no waker"; }
	# Functions of a waker do not wait, so they have no entries of their own.
	tprof-lx report --wakers --stdio --children -s comm,sym --comm sleeper >table ||
		fail "no table"
	grep -q sleeper_function table || { cat table; fail "no sleeper"; }
	! grep -q waker_function table || { cat table; fail "waits are those of the waker"; }
}

test_wakeups_have_the_thread_that_is_woken()
{
	local parent child nr

	record_wakes
	read -r parent child <out
	nr=$(tprof-lx script -F event,tid,woken |
	     awk -v parent="$parent" -v child="$child" '
		$1 == "wakeups" && $2 == parent && $3 == child { nr++ } END { print nr + 0 }')
	# A sleeper that comes late finds the byte. wakeups_test counts exactly.
	[ "$nr" -ge 10 ] || fail "$nr wakeups"
}

# The writer runs before the recording, and is no target.
test_wakers_outside_the_targets_are_named()
{
	local reader writer

	mkfifo fifo
	bash -c 'while read -r line; do :; done' <fifo &
	reader=$!
	bash -c 'printf outside >/proc/self/comm; while sleep 0.01; do echo line; done' >fifo &
	writer=$!
	must tprof-lx record -q --off-cpu=all --wakers -p $reader --duration 1
	kill $writer
	wait
	tprof-lx report --wakers --csv --no-children >rows || fail "no table"
	grep -q ',outside$' rows || { cat rows; fail "no waker"; }
}

# Both options must still work with a recording of wakeups.
test_other_reports_leave_out_wakeups()
{
	record_wakes
	tprof-lx report --wall --csv --no-children >rows || fail "no table"
	! grep -q 'wakeups' rows || { cat rows; fail "wakeups are no times"; }
	tprof-lx report --stdio --event wakeups -s comm,sym >table || fail "no profile"
	grep -q waker table || { cat table; fail "no waker"; }
}

test_wrong_use_is_explained()
{
	must_fail 2 "give it as well" tprof-lx record --wakers -- true
	must_fail 2 "leave out one" tprof-lx record --off-cpu --wakers -e wakeups -- true
	must tprof-lx record -q --off-cpu -- true
	must_fail 1 "no wakeups; record them with --off-cpu --wakers" tprof-lx report --wakers
	must_fail 2 "give --wakers as well" tprof-lx report -s waker
	must_fail 2 "leave out one" tprof-lx report --wakers --wall
	must_fail 2 "leave out --order" tprof-lx report --wakers -g --order callee
}

main "$@"
