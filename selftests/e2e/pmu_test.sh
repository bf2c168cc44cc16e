#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Hardware events from the command line: counts, the number of samples, and that
# counters are always released. Counts can be compared exactly only in the lab, where
# nothing else runs.

. "$(dirname "$0")/lib.sh"

insns=$TPROF_TESTS/workloads/insns
clones=$TPROF_TESTS/workloads/clones
shorts=$TPROF_TESTS/workloads/shorts
selfcount=$TPROF_TESTS/workloads/selfcount
watchdog=/proc/sys/kernel/nmi_watchdog

need_lab()
{
	need_counters
	[ -n "${TPROF_LAB_MODE:-}" ] || skip "exact in the lab alone"
}

# Run a loop of $1 million user instructions on CPU 0 under the command $2... (`perf stat` or
# `tprof-lx stat`), and print how many the command has counted. On a processor with cores of two
# kinds, perf estimates the count of a task that has run on both.
instructions()
{
	local millions=$1

	shift
	taskset -c 0 "$@" -x, -e instructions:u -- "$insns" "$millions" 2>&1 >/dev/null |
		awk -F, '$1 ~ /^[0-9]+$/ { print $1; exit }'
}

# Read the environment that perf makes into the array environment. On new processors, the default
# events of perf stat read metrics that the lab does not have, so choose one.
read_environment()
{
	mapfile -d '' environment < <(perf stat -e task-clock -- cat /proc/self/environ 2>/dev/null)
}

# perf and tprof-lx both count from the exec of the loop's program to its end.
# perf adds variables to the environment, and for each variable, a program
# executes some instructions at its start. So run tprof-lx in the environment
# that perf makes.
test_count_agrees_with_perf()
{
	local perf ours difference environment

	need_lab
	read_environment
	perf=$(instructions 20 perf stat)
	[ -n "$perf" ] || skip "perf counts no instructions here"
	ours=$(instructions 20 env -i "${environment[@]}" tprof-lx stat)
	echo "# perf $perf, tprof-lx $ours"
	[ "$perf" -ge 20000000 ] || fail "perf counted $perf"
	difference=$((ours - perf))
	[ "$difference" = 0 ] || fail "tprof-lx counted $ours, perf $perf"
}

# Between two reads of the instructions are the rest of the first one, a read of the
# branches, the loop, and the begin of the second one.
test_program_counts_itself_by_few_instructions()
{
	local backend reads

	need_lab
	for backend in intel amd; do
		"$selfcount" $backend 100000 >out 2>&1 && break
		! grep -q busy out || skip "needs two counters"
	done
	sed 's/^/# note: /' out
	grep -q '^200000 instructions, 100000 branches' out || fail "not exact"
	reads=$(sed 's/.*, \([0-9]*\) instructions for a read/\1/' out)
	[ "$reads" -lt 100 ] || fail "$reads instructions to read two counters"
}

# Print the instructions and branches of $1 threads, as the command $2... has counted them.
counts_of_threads()
{
	local nr=$1

	shift
	taskset -c 0 "$@" -x, -e instructions:u,branches:u -- "$clones" "$nr" 10000 2>&1 |
		awk -F, '$1 ~ /^[1-9][0-9]*$/ { printf "%s ", $1 }'
}

test_counts_of_threads_agree_with_perf()
{
	local nr perf ours environment

	need_lab
	read_environment
	for nr in 1 1000; do
		perf=$(counts_of_threads "$nr" perf stat)
		[ -n "$perf" ] || skip "perf counts no instructions here"
		ours=$(counts_of_threads "$nr" env -i "${environment[@]}" tprof-lx stat)
		echo "# $nr threads: perf $perf, tprof-lx $ours"
		[ "${perf%% *}" -ge $((nr * 20000)) ] || fail "perf counted $perf"
		[ "$ours" = "$perf" ] || fail "tprof-lx counted $ours, perf $perf"
	done
}

test_samples_are_instructions_by_period()
{
	local perf samples expected

	need_lab
	perf=$(instructions 50 perf stat)
	[ -n "$perf" ] || skip "perf counts no instructions here"
	must tprof-lx record -e instructions:u -c 100003 -C 0 -- \
		taskset -c 0 "$insns" 50
	samples=$(tprof-lx script -t sample -F comm | grep -c insns)
	expected=$((perf / 100003))
	echo "# $samples samples of $perf instructions"
	if [ "$samples" -lt $((expected - 1)) ] || [ "$samples" -gt $((expected + 1)) ]; then
		fail "$samples samples, not $expected"
	fi
	ledger_must_add_up tprof.data
}

# 300 threads execute 200000 instructions each. A period has 1000003, so perf, which begins a
# period with each thread, cannot sample any of them.
test_threads_shorter_than_a_period_are_sampled()
{
	local ours perf strangers

	need_lab
	"$hotcold" 60 >/dev/null & strangers=$!
	must tprof-lx record -v -e instructions:u -c 1000003 -- "$shorts" 300 200000
	kill "$strangers"
	ours=$(tprof-lx script -t sample -F pid,tid | tr / ' ' | awk '$1 != $2' | wc -l)
	grep 'filtered' out
	# An interrupt right after an overflow may let the NMI find the CPU in the kernel.
	[ "$(sed -n 's/.* taken, \([0-9]*\) filtered.*/\1/p' out)" -le 2 ] ||
		fail "samples of other processes were taken"
	ledger_must_add_up tprof.data
	must perf record -o perf.data -e instructions:u -c 1000003 -- "$shorts" 300 200000
	perf=$(perf_script perf.data -F pid,tid | tr / ' ' | awk '$1 != $2' | wc -l)
	echo "# of 60 million instructions in short threads: $ours samples, perf $perf"
	if [ "$ours" -lt 55 ] || [ "$ours" -gt 65 ]; then
		fail "$ours samples, not 60"
	fi
	[ "$perf" -lt 5 ] || fail "perf sampled $perf times"
}

# Samples of a single event with a fixed period have neither CPU nor period.
# Print the process, the thread and the count of each thread from the table of report -T.
thread_table()
{
	awk '/^# *PID/ { table = 1; next } /^#/ { table = 0 }
		table && NF >= 3 { print $1, $2, $3 }'
}

# Each thread executes a few instructions more than those of its loop.
test_perf_prints_the_counts_of_threads()
{
	need_lab
	have_perf
	must tprof-lx record -q -s -e instructions:u -c 1000003 -- \
		taskset -c 0 "$shorts" 5 200000
	tprof-lx report -T --stdio | thread_table | sort >counts
	perf report -T --stdio -i tprof.data 2>errors | thread_table | sort >by_perf
	cat counts errors
	[ "$(awk '$1 != $2 && $3 >= 200000 && $3 < 210000' counts | wc -l)" = 5 ] ||
		fail "not five threads with their loops"
	must diff by_perf counts
}

test_samples_are_short()
{
	need_lab
	must tprof-lx record -e instructions:u -c 100003 -- "$insns" 50
	must_fail 1 "record them with --sample-cpu" tprof-lx report --stdio -s cpu
	must tprof-lx report --stdio -s sym
	ledger_must_add_up tprof.data

	must tprof-lx record -e instructions:u -c 100003 --sample-cpu -C 0 -- \
		taskset -c 0 "$insns" 50
	must tprof-lx report --stdio -s cpu
	tprof-lx script -t sample -F cpu | sort -u >cpus
	[ "$(cat cpus)" = 0 ] || fail "sampled on: $(cat cpus)"
	# The period of kernel mode may grow, so each sample has it.
	must tprof-lx record -e instructions -c 100003 -- "$insns" 5
	tprof-lx script -t sample -F period | sort -un >periods
	[ "$(head -n 1 periods)" -ge 100003 ] || fail "periods: $(head -n 3 periods)"
}

# Print the event-select and global-control registers of CPU 0 that exist.
registers()
{
	local msr

	for msr in $(seq $((0x186)) $((0x18d))) $((0x38d)) $((0x38f)) \
		   $(seq $((0xc0010000)) $((0xc0010003))) \
		   $(seq $((0xc0010200)) 2 $((0xc001020a))); do
		printf '%x ' "$msr"
		dd if=/dev/cpu/0/msr bs=8 count=1 skip="$msr" iflag=skip_bytes 2>/dev/null |
			od -An -tx8
		echo
	done
}

# After the recorder was killed, the watchdog must be enabled again, the registers must
# have their old values, and perf must count.
test_sigkill_restores_counters_and_watchdog()
{
	need_lab
	echo 1 >$watchdog 2>/dev/null
	[ "$(cat $watchdog)" = 1 ] || skip "no NMI watchdog here"
	registers >before
	tprof-lx record -q -a -e cycles -c 100000 -o x.data -- sleep 1000 2>out &
	recorder=$!
	for _ in $(seq 300); do
		[ "$(cat $watchdog)" != 0 ] || [ ! -s x.data ] || break
		sleep 0.1
	done
	[ "$(cat $watchdog)" = 0 ] || { cat out; fail "the watchdog was not parked"; }
	kill -KILL $recorder
	for _ in $(seq 300); do
		[ "$(cat $watchdog)" = 0 ] || break
		sleep 0.1
	done
	[ "$(cat $watchdog)" = 1 ] || fail "the watchdog is not back"
	registers >after
	same before after
	echo 0 >$watchdog
	[ "$(instructions 20 perf stat)" -ge 20000000 ] || fail "perf does not count"
}

main "$@"
