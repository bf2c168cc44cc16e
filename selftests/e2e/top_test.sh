#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Show where the machine spends its time: the tables of `top --stdio`.

. "$(dirname "$0")/lib.sh"

# Keep the program $1... running until the end of the test. Set $workload to its process id.
start()
{
	"$@" >workload.out 2>&1 &
	workload=$!
	# shellcheck disable=SC2064	# expand $workload now
	trap "kill $workload 2>/dev/null; cd /; rm -rf '$dir'" EXIT
}

# Print the percentage of symbol $1 in the last table of the file "out", 0 if it has none.
share_of()
{
	awk -v symbol="$1" '
		/^# Samples/ { share = 0 }
		$NF == symbol && $1 ~ /^[0-9.]+%$/ { share = $1 + 0 }
		END { print share + 0 }' out
}

# Fail unless the share of symbol $1 is within $2 and $3 percent.
share_must_be()
{
	local share

	share=$(share_of "$1")
	echo "# $1: $share %"
	awk -v s="$share" -v low="$2" -v high="$3" 'BEGIN { exit !(s >= low && s <= high) }' ||
		{ cat out; fail "$1 has $share %, not $2 to $3 %"; }
}

test_shares_are_those_of_the_program()
{
	start "$hotcold" 60
	must tprof-lx top --stdio --confidence --show-nr-samples -e nmi:u -p $workload -s sym -d 2 -n 4
	share_must_be hot 70 80
	# Lines are rounded. Samples of late ticks have longer periods, so shares may be others.
	awk 'function end() { bad += sum - all > lines || all - sum > lines; sum = lines = 0 }
	     /^# Samples/ { end(); all = $3; tables++ }
	     $1 ~ /^[0-9.]+%$/ { sum += $3; lines++ }
	     END { end(); exit !tables || bad }' out || { cat out; fail "other numbers of samples"; }
	awk '$NF == "hot" { print "#", $1, "of", $2; split($2, i, "-"); share = $1 + 0 }
	     END { exit !(i[1] < share && share < i[2] && i[2] - i[1] < 15) }' out ||
		{ cat out; fail "the interval of hot does not fit"; }
	share_must_be cold 20 30
	[ "$(grep -c '^# Samples' out)" -eq 4 ] || { cat out; fail "-n 4 printed no 4 tables"; }
	grep -q '^# since the start: .*; lost: none$' out || { cat out; fail "no line about losses"; }
}

# In the program, only the second thread runs.
test_single_threads_are_sampled()
{
	start "$TPROF_TESTS/workloads/threads" 60
	must tprof-lx top --stdio -e nmi:u -t "$(second_thread $workload)" -s sym -d 1 -n 2
	share_must_be work 90 100
	must tprof-lx top --stdio -e nmi:u -t $workload -s sym -d 1 -n 2
	share_must_be work 0 0
}

# The first line of an interval has the number of its samples.
# In each interval of 1 s, the program runs for about 1 s; a sum would grow.
test_counts_of_each_interval_are_shown()
{
	start "$hotcold" 60
	must tprof-lx top --stdio -e nmi:u --count task-clock -p $workload -s sym -d 1 -n 4
	sed -n 's/^# counts: \([0-9.]*\) ms task-clock$/\1/p' out >counts
	[ "$(wc -l <counts)" -eq 4 ] || { cat out; fail "no counts"; }
	awk '{ bad += !($1 > 0 && $1 < 2500) } END { exit bad }' counts ||
		{ cat counts; fail "the counts are not those of an interval"; }
	! grep -q "of event 'task-clock'" out || fail "an event that only counts has a table"
	must_fail 2 "takes an event to count" tprof-lx top --count 4
}

test_zero_shows_the_last_interval()
{
	start "$hotcold" 60
	must tprof-lx top -e nmi:u -F 500 -p $workload -s pid -d 1 -n 4 -z
	awk '
		/ samples .* a second; / { gsub(",", ""); read = $5 }
		/^# Samples/ { print "#", read, "read,", $3, "shown"; nr += read == $3 && read > 0 }
		END { exit nr != 4 }' out || { cat out; fail "a table has other samples"; }
}

# The threads show samples, read records, and make two kinds of unwind tables. The one that loads
# symbols keeps CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE and CAP_SYSLOG. The one that opens mapped
# binaries keeps the first two.
test_only_two_threads_keep_capabilities()
{
	tprof-lx top --stdio -g >out 2>&1 &
	capabilities_must_become $! $'/\n/\n/\n/\n400080004/400080004\n80004/80004'
}

test_call_trees_are_shown()
{
	start "$TPROF_TESTS/workloads/calltree" 60
	must tprof-lx top -e nmi:u -g -p $workload -s sym -d 2 -n 3
	grep -q -- '--main$\|---main$\|--main' out || { cat out; fail "no call tree"; }
	share_must_be root 95 100
}

# The queue is not read while top is stopped, so rings become full.
test_losses_are_shown()
{
	local top

	start "$hotcold" 60
	tprof-lx top -e timer -F max -m 64K,64K -d 1 >out 2>&1 &
	top=$!
	for _ in $(seq 100); do
		grep -q '^# Samples' out && break
		sleep 0.1
	done
	kill -STOP $top
	sleep 5
	kill -CONT $top
	for _ in $(seq 100); do
		grep -q '^# since the start: .*; lost: .* samples by a full ring' out && break
		sleep 0.1
	done
	kill $top
	wait $top || { cat out; fail "status $? after SIGTERM"; }
	grep '^# lost' out | tail -1
	grep -q '^# since the start: .*; lost: .* samples by a full ring' out ||
		{ tail -50 out; fail "no line about losses"; }
}

# Print the memory of top in KiB, from its last table.
memory_of_top()
{
	sed -n 's/^#.*, \([0-9.]*\) \(.\)iB$/\1 \2/p' out | tail -1 |
		awk '{ printf "%d\n", $1 * ($2 == "G" ? 1048576 : $2 == "M" ? 1024 : 1) }'
}

test_fork_storm_stays_within_bounds()
{
	local top first last seconds=${TPROF_TOP_STORM:-60}

	start "$TPROF_TESTS/workloads/forks" $((seconds + 30))
	tprof-lx top -e timer -s comm,pid,sym -d 1 -E 3 >out 2>&1 &
	top=$!
	sleep $((seconds / 3))
	first=$(memory_of_top)
	sleep $((seconds * 2 / 3))
	last=$(memory_of_top)
	kill $top
	wait $top || { tail -20 out; fail "status $? after SIGTERM"; }
	grep -c '^# Samples' out
	grep ' read yet' out | tail -1
	echo "# $first KiB after $((seconds / 3)) s, $last KiB after $seconds s"
	kill -TERM $workload
	[ "$last" -lt $((first + 32768)) ] || fail "memory grows from $first to $last KiB"
}

test_end_restores_the_watchdog()
{
	local top watchdog=/proc/sys/kernel/nmi_watchdog

	need_counters
	if ! { echo 1 >$watchdog; } 2>/dev/null || [ "$(cat $watchdog)" != 1 ]; then
		skip "no NMI watchdog here"
	fi
	tprof-lx top -e cycles -d 0.5 >out 2>&1 &
	top=$!
	for _ in $(seq 100); do
		grep -q '^# Samples' out && break
		sleep 0.1
	done
	[ "$(cat $watchdog)" = 0 ] || { cat out; fail "the watchdog was not parked"; }
	kill -TERM $top
	wait $top || { cat out; fail "status $? after SIGTERM"; }
	for _ in $(seq 100); do
		[ "$(cat $watchdog)" = 1 ] && break
		sleep 0.1
	done
	[ "$(cat $watchdog)" = 1 ] || fail "the watchdog was not restored"
	echo 0 >$watchdog
}

test_end_of_the_processes_ends_top()
{
	start "$hotcold" 20
	must timeout 60 tprof-lx top -e timer -p $workload -d 0.5
	grep -q 'hotcold' out || { cat out; fail "the process is not shown"; }
}

# Run test $1 of the screen.
check_screen()
{
	/usr/bin/python3 -c 'import pyte' 2>/dev/null || skip "no python3-pyte here"
	start "$hotcold" 600
	must /usr/bin/python3 "$TPROF_TOP/selftests/screen/check_top.py" tprof-lx $workload "$1"
	sed 's/^/# /' out
}

test_screen_shows_the_shares()
{
	check_screen screen
}

test_keys_of_the_screen_do_what_the_help_says()
{
	check_screen keys
}

test_screen_has_the_colours_of_the_terminal()
{
	check_screen colours
}

test_end_of_the_screen_restores_the_terminal()
{
	check_screen ends
}

test_wrong_options_are_refused()
{
	must_fail 2 "-a samples all processes and -p only some" tprof-lx top -a -p 1
	must_fail 2 "-d is too short" tprof-lx top -d 0.01
	must_fail 2 "-n 0 shows nothing" tprof-lx top -n 0
	must_fail 2 "-E 0 shows nothing" tprof-lx top -E 0
	must_fail 2 "-F 0 takes no samples" tprof-lx top -F 0
	must_fail 2 "key srcline is not shown live" tprof-lx top -s srcline
	must_fail 2 "nonsense" tprof-lx top -e nonsense
	must_fail 2 "unexpected" tprof-lx top operand
}

main "$1"
