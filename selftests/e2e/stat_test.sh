#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counting from the command line, and the NMI watchdog meanwhile. The event tsc can be
# counted on every machine. Tests of hardware counters are skipped if there are none.

. "$(dirname "$0")/lib.sh"

readonly watchdog=/proc/sys/kernel/nmi_watchdog

need_watchdog()
{
	need_counters
	if ! { echo 1 >$watchdog; } 2>/dev/null || [ "$(cat $watchdog)" != 1 ]; then
		skip "no NMI watchdog here"
	fi
	trap 'echo 0 >$watchdog; cd /; rm -rf "$dir"' EXIT
}

# Wait at most ten seconds until $watchdog reads as $1.
await_watchdog()
{
	local i

	for i in $(seq 100); do
		[ "$(cat $watchdog)" = "$1" ] && return
		sleep 0.1
	done
	fail "the watchdog is $(cat $watchdog) after $i looks"
}

test_command_status_is_returned()
{
	must_fail 3 "tsc" tprof-lx stat -a -e tsc -- sh -c 'exit 3'
	# shellcheck disable=SC2016	# the inner shell expands $$
	must_fail 137 "tsc" tprof-lx stat -a -e tsc -- sh -c 'kill -9 $$'
	must_fail 127 "nonesuch" tprof-lx stat -a -e tsc -- /nonesuch
	must tprof-lx stat -a -e tsc --duration 0.1
}

test_mistakes_are_usage_errors()
{
	must_fail 2 "only counts" tprof-lx stat -e tsc/period=3/ -- true
	must_fail 2 "clock" tprof-lx stat -e nmi -- true
	must_fail 2 "-r" tprof-lx stat -e tsc -r 0 -- true
	must_fail 2 "-I" tprof-lx stat -e tsc -I 0 -- true
	must_fail 2 "-I" tprof-lx stat -e tsc -I 9 -r 2 -- true
	must_fail 2 "-C" tprof-lx stat -a -C 0 -e tsc -- true
	must_fail 2 "--append" tprof-lx stat -e tsc --append -- true
	must_fail 2 "gp0" tprof-lx control disable first
	must_fail 2 "disable" tprof-lx control switch gp0
}

test_all_cpus_note_is_printed_once()
{
	must tprof-lx stat -e tsc -- true
	[ "$(grep -c 'counting all CPUs' out)" = 1 ] || { cat out; fail "no note that all CPUs are counted"; }
	must tprof-lx stat -e tsc -a -- true
	! grep -q 'counting all CPUs' out || { cat out; fail "the note is printed in spite of -a"; }
}

# The counts of all intervals must add up to the rate of the TSC: no tick may be counted
# twice or not at all.
test_intervals_add_up()
{
	must tprof-lx stat -e tsc -a -I 50 -x, -o counts --duration 0.6
	awk -F, '{
		if ($1 <= last) { print "time goes back"; exit 1 }
		last = $1; count += $2; ran += $5
	} END {
		khz = count / ran * 1e6
		printf "%d lines, %.0f kHz\n", NR, khz
		exit !(NR >= 2 && last >= 0.6)
	}' counts >sums || { cat sums counts; fail "intervals"; }
	listed=$(tprof-lx list tsc | grep -oE '[0-9]+\.[0-9]+ MHz' | tr -dc '0-9')
	seen=$(grep -oE '[0-9]+ kHz' sums | tr -dc '0-9')
	if [ "$seen" -lt $((listed * 9 / 10)) ] || [ "$seen" -gt $((listed * 11 / 10)) ]; then
		fail "$seen kHz counted, $listed listed"
	fi
}

test_each_cpu_has_a_line()
{
	must tprof-lx stat -e tsc -a -A -x, -o counts --duration 0.2
	cut -d, -f1 counts | sort >seen
	sed -n 's/^processor.*: /CPU/p' /proc/cpuinfo | sort >expected
	same expected seen
	must tprof-lx stat -e tsc -C 0 -A -x, -o counts --duration 0.1
	[ "$(cut -d, -f1 counts)" = CPU0 ] || { cat counts; fail "-C 0"; }
}

test_repeated_runs_have_a_mean()
{
	must tprof-lx stat -e tsc -a -r 3 --json -o counts -- sh -c 'echo run >>runs'
	[ "$(wc -l <runs)" = 3 ] || fail "$(wc -l <runs) runs"
	command -v python3 >/dev/null || skip "no python3 to read JSON with"
	python3 -c 'import json
count, times = [json.loads(line) for line in open("counts")]
assert count["event"] == "tsc" and count["count"] > 0, count
assert count["deviation_percent"] >= 0 and times["runs"] == 3, times' ||
		{ cat counts; fail "wrong JSON"; }
}

test_interrupt_prints_the_counts()
{
	tprof-lx stat -e tsc -a >out 2>&1 &
	until [ "$(cat /proc/$!/comm)" = tprof-lx ] &&
	      grep -q 'SigBlk:.*[1-9a-f]' /proc/$!/status; do
		sleep 0.1
	done
	kill -INT $!
	wait $! || { cat out; fail "status $?"; }
	grep -q 'tsc' out || { cat out; fail "no count"; }
}

# On a terminal, Ctrl-C also sends SIGINT to the command. With -r, stat must then start
# no further run.
test_interrupt_ends_repeated_runs()
{
	command -v script >/dev/null || skip "no script(1) to have a terminal with"
	{
		for _ in $(seq 600); do
			[ ! -s runs ] || break
			sleep 0.1
		done
		sleep 1
		printf '\003'
		sleep 2
	} | script -qec "tprof-lx stat -e tsc -a -r 3 -- sh -c 'echo run >>runs; sleep 20'" \
		/dev/null >out
	[ "$(wc -l <runs)" = 1 ] || fail "$(wc -l <runs) runs"
	grep -q 'tsc' out || { cat -v out; fail "no count"; }
}

test_counters_can_be_disabled()
{
	need_counters
	echo 0 >$watchdog
	must tprof-lx control disable gp0 -C 0
	must tprof-lx control
	grep -qE '^0 +gp0 .*disabled' out || fail "gp0 is not disabled"
	must tprof-lx control enable gp0
	must tprof-lx control
	! grep -q disabled out || fail "a counter is still disabled"
	must_fail 1 "no counter" tprof-lx control disable gp63
}

test_watchdog_is_parked_and_comes_back()
{
	need_watchdog
	must_fail 1 "no-park" tprof-lx stat --no-park -e cycles -a -- true
	must tprof-lx stat -e cycles -a -- cat $watchdog
	grep -qx 0 out || { cat out; fail "the watchdog was not parked"; }
	[ "$(cat $watchdog)" = 1 ] || fail "the watchdog is still off"
	must tprof-lx record -e cycles -a --duration 0.2 -o x.data
	[ "$(cat $watchdog)" = 1 ] || fail "the watchdog is still off after record"
}

test_watchdog_survives_sigkill()
{
	local first second

	need_watchdog
	tprof-lx stat -e cycles -a --duration 60 2>/dev/null &
	first=$!
	await_watchdog 0
	tprof-lx stat -e cycles -a --duration 60 2>/dev/null &
	second=$!
	until tprof-lx control >rows && grep -qw "$second" rows; do
		sleep 0.1
	done
	kill -KILL $first
	sleep 0.3
	[ "$(cat $watchdog)" = 0 ] || fail "the watchdog is on while counters are in use"
	kill -KILL $second
	await_watchdog 1
}

main "$@"
