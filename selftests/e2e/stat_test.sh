#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Count events from the command line, and check the state of the NMI watchdog
# meanwhile. The event tsc can be counted on every machine. Tests of hardware
# counters are skipped if there are none.

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

# Keep all CPUs busy until the end of the test.
start_neighbours()
{
	local neighbours=

	for _ in $(seq "$(nproc)"); do
		sh -c 'while :; do :; done' &
		neighbours="$neighbours $!"
	done
	# shellcheck disable=SC2064	# expand $neighbours now
	trap "kill $neighbours; cd /; rm -rf '$dir'" EXIT
}

# Print for how many ms the event in the CSV file "counts" ran.
ran_ms()
{
	awk -F, '{ printf "%d\n", $4 / 1e6 }' counts
}

# Fail unless $1 ms is within $2 to $3 ms.
must_be_within()
{
	echo "# $1 ms, expected $2 to $3 ms"
	if [ "$1" -lt "$2" ] || [ "$1" -gt "$3" ]; then
		fail "$1 ms is not within $2 to $3 ms"
	fi
}

test_other_processes_are_not_counted()
{
	start_neighbours
	must tprof-lx stat -e tsc -x, -o counts -- sleep 1
	must_be_within "$(ran_ms)" 0 200
	[ "$(cut -d, -f1 counts)" -gt 0 ] || { cat counts; fail "the command is not counted"; }
}

# Two children run at the same time, so their CPU time may exceed the elapsed
# time. The time that the event ran must be about the user and system time of
# the command.
test_descendants_are_counted()
{
	local cpu_ms

	start_neighbours
	# shellcheck disable=SC2016	# the inner shell expands $0
	must tprof-lx stat -e tsc --json -o counts -- \
		sh -c '"$0" 1 & "$0" 1 & wait' "$hotcold"
	tr ',{}' '\n' <counts >fields
	cpu_ms=$(awk -F: '/_seconds/ && !/elapsed/ { s += $2 } END { printf "%d\n", s * 1000 }' \
		fields)
	[ "$cpu_ms" -gt 100 ] || { cat counts; fail "the command took $cpu_ms ms"; }
	must_be_within "$(awk -F: '/ran_ns/ { printf "%d\n", $2 / 1e6 }' fields)" \
		$((cpu_ms * 9 / 10 - 20)) $((cpu_ms * 11 / 10 + 50))
}

test_running_process_is_counted_until_it_ends()
{
	local pid

	"$hotcold" 2 &
	pid=$!
	must timeout 60 tprof-lx stat -e tsc -x, -o counts -p "$pid"
	must_be_within "$(ran_ms)" 100 2500
	wait "$pid"
	must_fail 1 "does not exist" tprof-lx stat -e tsc -p "$pid"
}

# In the program, only the second thread runs.
test_single_threads_are_counted()
{
	local pid second

	"$TPROF_TESTS/workloads/threads" 60 &
	pid=$!
	second=$(second_thread "$pid")
	must tprof-lx stat -e task-clock -x, -o first -t "$pid" --duration 0.5
	must tprof-lx stat -e task-clock -x, -o second -t "$second,$second" --duration 0.5
	kill "$pid"
	wait "$pid"
	awk -F, '{ exit !($1 < 100) }' first || { cat first; fail "the first thread waits"; }
	awk -F, '{ exit !($1 > 100) }' second || { cat second; fail "the second thread runs"; }
	must_fail 1 "thread $second does not exist" tprof-lx stat -e tsc -t "$second"
}

# The shell waits for its child, which is not counted.
test_descendants_can_be_left_out()
{
	# shellcheck disable=SC2016	# the inner shell expands $0
	must tprof-lx stat -i -e task-clock -x, -o counts -- sh -c '"$0" 1; :' "$hotcold"
	awk -F, '{ exit !($1 > 0 && $1 < 300) }' counts ||
		{ cat counts; fail "the child is counted, or the shell is not"; }
}

# Processes that come later are short. None of them is missed, and no other process is counted.
test_processes_that_come_later_are_followed()
{
	local i

	ln -s /bin/true followed-true
	start_neighbours
	tprof-lx stat -e task-clock,page-faults -x, -o counts --comm '^followed-' --follow-new \
		2>notes &
	await_session
	for i in $(seq 20); do
		must ./followed-true
	done
	kill -INT $!
	wait $! || fail "stat: $?"
	must grep -q "matched 20 processes that came later" notes
	[ "$(awk -F, '/page-faults/ { print $1 }' counts)" -gt 20 ] || { cat counts; fail "no counts"; }
}

test_processes_are_found_by_name()
{
	local pid

	cp "$hotcold" named-hotcold
	./named-hotcold 60 >/dev/null &
	pid=$!
	must tprof-lx stat -e task-clock -x, -o counts --comm '^named-hot' --duration 0.5
	grep -q "matches 1 process: named-hotcold-$pid\$" out ||
		{ cat out; fail "the process is not printed"; }
	kill "$pid"
	wait "$pid"
	awk -F, '{ exit !($1 > 100) }' counts || { cat counts; fail "it is not counted"; }
	must_fail 1 "no process has a name that matches" \
		tprof-lx stat -e tsc --comm '^named-hot'
}

# The shell of -p exits long before its child.
test_descendants_are_counted_after_the_end_of_the_process()
{
	local pid

	mkfifo fifo
	sh -c "read -r _ <fifo; '$hotcold' 2 >/dev/null & :" &
	pid=$!
	tprof-lx stat -e tsc -x, -o counts -p "$pid" >out 2>&1 & local counter=$!
	for _ in $(seq 300); do
		tprof-lx info >sessions
		! grep -qE "^  tprof-lx  +pid $counter, running," sessions || break
		sleep 0.1
	done
	echo >fifo
	wait "$pid"
	wait "$counter" || { cat out; fail "status $?"; }
	must_be_within "$(ran_ms)" 1000 2500
}

# Most of the time, no run is under way. Try several times, so that the process ends between
# two runs.
test_means_are_printed_if_the_process_ends_between_two_runs()
{
	local pid

	for _ in 1 2 3 4; do
		sleep 1000 & pid=$!
		tprof-lx stat -e tsc -r 100000 --duration 0.001 -p "$pid" >out 2>&1 &
		local counter=$!
		until tprof-lx info >sessions && grep -qE "^  tprof-lx  +pid $counter, running," sessions; do
			kill -0 "$counter" || { cat out; fail "ended early"; }
		done
		kill "$pid"
		wait "$counter" || { cat out; fail "status $?"; }
		grep -q ' tsc ' out || { cat out; fail "no mean"; }
	done
}

test_command_has_a_line_per_cpu_where_it_ran()
{
	must taskset -c 0 tprof-lx stat -e tsc -A -x, -o counts -- "$hotcold" 1
	[ "$(cut -d, -f1 counts)" = CPU0 ] || { cat counts; fail "not CPU0 alone"; }
}

test_default_without_counters_is_software_events()
{
	! tprof-lx stat -e cycles -- true >out 2>&1 || skip "there are counters here"
	must tprof-lx stat -- true
	[ "$(grep -c "software events only" out)" = 1 ] || { cat out; fail "no note"; }
	grep -qE '[0-9]\.[0-9]{2}  msec  task-clock .*CPUs utilized' out ||
		{ cat out; fail "no task clock"; }
	grep -qE '[1-9][0-9,]* +page-faults' out || { cat out; fail "no faults"; }
}

# Print the count of EVENT in a file of CSV.
count_of()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' "$2"
}

# Fail unless two counts differ by at most a tenth.
must_be_near()
{
	echo "# $1: $2, by perf $3"
	awk -v a="$2" -v b="$3" \
		'BEGIN { d = a > b ? a - b : b - a; exit !(b > 0 && d <= b / 10) }' ||
		fail "$1 is $2, but $3 by perf"
}

# Wait at most ten seconds until COMMAND succeeds.
await()
{
	local i

	for i in $(seq 100); do
		"$@" && return
		sleep 0.1
	done
	fail "after $i looks, still not: $*"
}

has_perf_event()
{
	ls -l "/proc/$1/fd" >files
	grep -q perf_event files
}

has_session()
{
	tprof-lx info >sessions
	grep -q "pid $1, running" sessions
}

# Both count the same process at the same time, from before its work to its end. It has no
# children, because perf leaves out the end of the exit of each thread.
test_software_events_agree_with_perf()
{
	local events=task-clock,context-switches,page-faults pid perf ours event

	have_perf
	mkfifo go pause
	bash -c 'read -r _ <go; for _ in {1..300}; do read -r -t 0.002 <>pause; done
		words=({1..100000})' &
	pid=$!
	perf stat -e "$events" -x, -o by_perf -p "$pid" &
	perf=$!
	tprof-lx stat -e "$events" -x, -o counts -p "$pid" &
	ours=$!
	await has_perf_event "$perf"
	await has_session "$ours"
	echo >go
	wait "$pid" "$perf" "$ours"
	cat by_perf counts
	for event in ${events//,/ }; do
		must_be_near "$event" "$(count_of "$event" counts)" \
			"$(count_of "$event" by_perf)"
	done
}

# The first thread waits for the second one, which works.
test_threads_have_a_line_each()
{
	must tprof-lx stat --per-thread -e task-clock,page-faults -x, -o counts -- \
		"$TPROF_TESTS/workloads/threads" 1
	awk -F, '{ print $1 }' counts | uniq >names
	[ "$(wc -l <counts) $(wc -l <names)" = "4 2" ] ||
		{ cat counts; fail "not two threads with two events"; }
	[ "$(grep -c '^threads-[0-9]*$' names)" = 2 ] || { cat names; fail "wrong names"; }
	[ "$(sort -t- -k2n names | head -1)" = "$(tail -1 names)" ] ||
		{ cat counts; fail "the thread that works is not the first"; }
}

test_threads_that_have_exited_are_shown()
{
	must tprof-lx stat --per-thread -e task-clock --json -o counts -- \
		"$TPROF_TESTS/workloads/shorts" 50 1000
	[ "$(grep -c '"row":"thread".*"exited":true' counts)" = 51 ] ||
		{ cat counts; fail "not 51 threads"; }
	! grep '"count":0,' counts || fail "a thread has no time"
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
	must_fail 2 "only counts here" tprof-lx stat -e tsc/period=3/ -- true
	must_fail 2 "clock" tprof-lx stat -e nmi -- true
	must_fail 2 "-r" tprof-lx stat -e tsc -r 0 -- true
	must_fail 2 "-I" tprof-lx stat -e tsc -I 0 -- true
	must_fail 2 "-I" tprof-lx stat -e tsc -I 9 -r 2 -- true
	must_fail 2 "give -I" tprof-lx stat -e tsc --cumulative -- true
	must_fail 2 "--append" tprof-lx stat -e tsc --append -- true
	must_fail 2 "per-thread" tprof-lx stat -e tsc --per-thread -a -- true
	must_fail 1 "by thread" tprof-lx stat -e cpu-migrations --per-thread -- true
	must_fail 2 "gp0" tprof-lx control disable first
	must_fail 2 "disable" tprof-lx control switch gp0
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

# Each line has the count since the start, and the time that it took.
test_cumulative_intervals_begin_at_the_start()
{
	must tprof-lx stat -e tsc -C 0 -I 50 --cumulative -x, -o counts --duration 0.6
	awk -F, '{
		if ($2 <= count || $5 < $1 * 9e8) { print "not since the start"; exit 1 }
		count = $2
	} END { exit NR < 2 }' counts || { cat counts; fail "intervals"; }
}

test_each_cpu_has_a_line()
{
	must tprof-lx stat -e tsc -a -A -x, -o counts --duration 0.2
	cut -d, -f1 counts | sort >seen
	sed -n 's/^processor.*: /CPU/p' /proc/cpuinfo | sort >expected
	same expected seen
	must tprof-lx stat -e tsc/cpu=0/,tsc/cpu=1/ -a -A -x, -o counts --duration 0.1
	[ "$(awk -F, '{ print $1, $4 }' counts)" = "CPU0 tsc/cpu=0/
CPU1 tsc/cpu=1/" ] || { cat counts; fail "an event is not counted on its CPU alone"; }
	must_fail 1 "-C leaves out" tprof-lx stat -e tsc/cpu=1/ -C 0 --duration 0.1
	must tprof-lx stat -e tsc -C 0 -A -x, -o counts --duration 0.1
	[ "$(cut -d, -f1 counts)" = CPU0 ] || { cat counts; fail "-C 0"; }
}

test_repeated_runs_have_a_mean()
{
	must tprof-lx stat -e tsc -r 3 --json -o counts -- sh -c 'echo run >>runs'
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

test_counters_are_chosen_by_pattern()
{
	need_counters
	echo 0 >$watchdog
	tprof-lx control disable 'gp[01]' -C 0 2>err || { cat err; fail "no pattern"; }
	grep -q "'gp\[01\]' fits gp0, gp1" err || { cat err; fail "what fits is not said"; }
	must tprof-lx control
	[ "$(grep -cE '^0 +gp[01] .*disabled' out)" = 2 ] || fail "gp0 and gp1 are not disabled"
	must tprof-lx control enable '*'
	must tprof-lx control
	! grep -q disabled out || fail "a counter is still disabled"
	must_fail 1 "no counter fits 'gp6\[34\]'; nothing was changed" \
		tprof-lx control disable gp0 'gp6[34]'
	must tprof-lx control
	! grep -q disabled out || fail "a counter before the wrong pattern was disabled"
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

# Count with the options after $1, once in the table $1 and once in a recording.
must_read_back()
{
	local printed=$1

	shift
	must tprof-lx stat --record=counts.data -x, -o "$printed" "$@"
	must tprof-lx stat --report=counts.data -x, -o read
	cmp "$printed" read || { cat "$printed" read; fail "stat --report prints other counts"; }
}

test_recording_has_the_counts_that_are_printed()
{
	local faults

	must_read_back cpus -A -a -e page-faults,context-switches --duration 0.2
	must_read_back intervals -a -e page-faults -I 100 --duration 0.3
	must_read_back threads --per-thread -e page-faults -- sh -c 'sleep 0.1 & wait'
	must_read_back sums -e page-faults,task-clock -- "$hotcold" 0.2
	have_perf
	must perf stat report -i counts.data
	faults=$(awk '$2 == "page-faults" { gsub(",", "", $1); print $1 }' out)
	[ "$faults" = "$(cut -d, -f1 sums | head -1)" ] ||
		{ cat sums out; fail "perf prints other counts"; }
}

# perf counts software events of its own child, without a PMU.
test_recording_of_perf_is_read()
{
	local faults

	have_perf
	must perf stat record -o perf.data -e page-faults,task-clock -- true
	faults=$(awk '$2 == "page-faults" { gsub(",", "", $1); print $1 }' out)
	must tprof-lx stat --report=perf.data -x, -o read
	[ "$(cut -d, -f1 read | head -1)" = "$faults" ] ||
		{ cat out read; fail "stat --report prints other counts"; }
}

main "$@"
