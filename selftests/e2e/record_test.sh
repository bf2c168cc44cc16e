#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tprof-lx record: which tasks are sampled, how a recording ends, which file remains.

. "$(dirname "$0")/lib.sh"

# Wait until $1 samples can be read from tprof.data, which is still being written.
wait_for_samples()
{
	for _ in $(seq 120); do
		[ "$(tprof-lx script -t sample -F ip 2>/dev/null | wc -l)" -ge "$1" ] &&
			return
		sleep 0.5
	done
	fail "no samples in the file after a minute"
}

count()
{
	tprof-lx script -i "$1" -t sample -F comm | grep -c "^$2"
}

test_command_status_is_returned()
{
	must_fail 7 " samples?, " tprof-lx record -- sh -c 'exit 7'
	must_fail 143 " samples?, " tprof-lx record -- sh -c 'kill -TERM $$'
	must_fail 127 "nonesuch" tprof-lx record -- ./nonesuch
}

test_choice_of_event_is_explained_in_one_short_line()
{
	must tprof-lx record -v -- true
	grep 'sampling by event' out >choice
	[ "$(wc -l <choice)" -eq 1 ] || { cat out; fail "the event is not printed once"; }
	[ "$(wc -w <choice)" -le 20 ] || fail "too long: $(cat choice)"
	! grep -q TCGTCG out || fail "the signature of a hypervisor: $(cat out)"
	grep -q 'event cycles$' choice || grep -q 'event cycles: ' out ||
		fail "-v does not say why it is not cycles: $(cat out)"
}

test_descendants_are_sampled_and_others_are_not()
{
	"$hotcold" 30 >/dev/null & other=$!
	must tprof-lx record -- sh -c "sh -c '$hotcold 1'; :"
	kill "$other"
	[ "$(count tprof.data hotcold)" -gt 20 ] || fail "child not seen"
	tprof-lx script -t sample -F pid >pids
	! grep -qx "$other" pids || fail "another process was sampled"
}

test_single_threads_are_sampled()
{
	local pid second

	"$TPROF_TESTS/workloads/threads" 10 &
	pid=$!
	second=$(second_thread "$pid")
	must timeout 60 tprof-lx record -t "$second"
	tprof-lx script -t sample -F pid,tid | sort -u >tids
	[ "$(cat tids)" = "$pid $second" ] || { cat tids; fail "samples of other threads"; }
	must_fail 2 "give one of them" tprof-lx record -t "$second" -p "$pid"
	must_fail 1 "thread $second does not exist" tprof-lx record -t "$second"
}

test_processes_that_come_later_are_recorded_with_their_symbols()
{
	"$hotcold" 60 >/dev/null & other=$!
	cp "$hotcold" followed
	tprof-lx record --comm '^followed$' --follow-new >notes 2>&1 &
	await_session
	./followed 1 >/dev/null
	./followed 1 >/dev/null
	kill -INT $!
	wait $! || { cat notes; fail "record: $?"; }
	kill "$other"
	grep -q "matched 2 processes that came later" notes || { cat notes; fail "not counted"; }
	tprof-lx report -s sym --csv >table
	grep -q 'hot' table || { cat table; fail "no symbols"; }
	tprof-lx script -t sample -F comm | sort -u >comms
	[ "$(cat comms)" = followed ] || { cat comms; fail "another process was sampled"; }
}

test_all_sees_every_process()
{
	"$hotcold" 30 >/dev/null & other=$!
	must tprof-lx record -a --duration 1
	kill "$other"
	tprof-lx script -t sample -F pid >pids
	grep -qx "$other" pids || fail "a process that ran was not sampled"
	must tprof-lx report --stdio --pid 0
}

test_pid_is_sampled_until_it_ends()
{
	"$hotcold" 120 >/dev/null & other=$!
	timeout 100 tprof-lx record -p "$other" >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill "$other"
	wait "$recorder" || { cat out; fail "status $?"; }
	tprof-lx script -t sample -F pid | sort -u >pids
	[ "$(cat pids)" = "$other" ] || fail "sampled: $(cat pids)"
	must_fail 1 "no such process|does not exist" tprof-lx record -p "$other"
}

# The shell of -p exits long before its child. Its child is no child of this shell, so the
# recording ends by itself.
test_descendants_are_sampled_after_the_end_of_the_process()
{
	mkfifo fifo
	sh -c "read -r _ <fifo; '$hotcold' 3 >/dev/null & echo \$! >child" & local parent=$!
	tprof-lx record -p "$parent" >log 2>&1 & recorder=$!
	wait_for_session ", running"
	echo >fifo
	wait "$parent"
	wait "$recorder" || { cat log; fail "status $?"; }
	! grep -qs "^State:.[RSD]" "/proc/$(cat child)/status" ||
		fail "the recording ended before the child"
	tprof-lx script -t sample -F pid >pids
	[ "$(grep -cx "$(cat child)" pids)" -gt 100 ] || fail "the child was not sampled"
}

test_cpu_list_limits_samples()
{
	must tprof-lx record -a -C 1 --duration 1
	tprof-lx script -t sample -F cpu | sort -u >cpus
	[ "$(cat cpus)" = 1 ] || fail "sampled on: $(cat cpus)"
}

test_duration_ends_the_recording()
{
	SECONDS=0
	must timeout 60 tprof-lx record -a --duration 1
	[ "$SECONDS" -ge 1 ] || fail "ended after $SECONDS s"
}

# The delay is long enough for a slow machine. The command waits for the end of the delay.
test_delay_skips_the_beginning()
{
	cp "$hotcold" early
	must tprof-lx record -D 15000 -- sh -c "./early 0.2
		until tprof-lx info >info && grep -q ', running' info; do sleep 0.5; done
		$hotcold 1"
	tprof-lx script -t sample -F comm | sort -u >comms
	grep -q hotcold comms || fail "no samples after the delay"
	! grep -q early comms || fail "samples from before the delay"
}

test_user_and_kernel_can_be_left_out()
{
	must tprof-lx record --all-user -a --duration 0.5 -o u.data -- "$hotcold" 1
	must tprof-lx record --all-kernel -a --duration 0.5 -o k.data -- "$hotcold" 1
	tprof-lx script -i u.data -t sample -F ip >user
	tprof-lx script -i k.data -t sample -F ip >kernel
	[ -s user ] || fail "no user sample"
	[ -s kernel ] || fail "no kernel sample"
	! grep -q '^ffff' user || fail "kernel address with --all-user"
	[ "$(grep -vc '^ffff' kernel)" -eq 0 ] || fail "user address with --all-kernel"
}

test_several_events()
{
	must tprof-lx record -e nmi:u -e timer/freq=500/ -- "$hotcold" 1
	tprof-lx script -t sample -F event | sort -u >events
	[ "$(wc -l <events)" -eq 2 ] || fail "events: $(cat events)"
	tprof-lx script -t sample -F event,ip | grep '^nmi.* ffff' &&
		fail "kernel address of a user event"
	have_perf
	perf_script tprof.data -F event,ip >lines
	[ "$(wc -l <lines)" -eq "$(tprof-lx script -t sample -F ip | wc -l)" ] ||
		fail "perf counts other samples"
}

# On a terminal, record rewrites a status line, and erases it at the end.
# Print the process, the thread and the count of each thread.
thread_table()
{
	awk '/^# *PID/ { table = 1; next } /^#/ { table = 0 } table && NF { print $1, $2, $3 }'
}

# With period 1, a thread has as many samples as events.
test_threads_count_what_they_sample()
{
	local option

	for option in -s --switch-counts; do
		must tprof-lx record $option -e page-faults -c 1 -- \
			"$TPROF_TESTS/workloads/threads" 1
		tprof-lx script -t sample -F pid,tid | awk '{ n[$1 " " $2]++ }
			END { for (thread in n) print thread, n[thread] }' | sort >samples
		tprof-lx report -T --stdio | thread_table | sort >counts
		[ "$(wc -l <counts)" = 2 ] || { cat counts; fail "not two threads"; }
		must diff samples counts
	done
	[ "$(tprof-lx script -t read | wc -l)" -gt 2 ] || fail "switches have no counts"
	must_fail 2 "-s counts" tprof-lx record -a -s -- true
	must_fail 1 "by thread" tprof-lx record -s -e timer -- true
}

# Read records from stdin when an event has stalled, because nothing has read them.
read_after_a_stall()
{
	for _ in $(seq 200); do
		tprof-lx info --json | jq -e 'any(.session_list[]; .stalls > 0)' >/dev/null && break
		sleep 0.05
	done
	cat
}

test_stalled_event_waits_for_the_reader()
{
	local lost stalls type

	tprof-lx record --stall -a -e timer -F 10000 -m 16K,64K --duration 3 -o - 2>err |
		read_after_a_stall >stalled.data
	grep -q 'events stalled [0-9,]* times\?, for [0-9.]* s' err ||
		{ cat err; fail "no stalls in the summary"; }
	tprof-lx info --json -i stalled.data >json || fail "info cannot read the file"
	lost=$(jq .lost json) stalls=$(jq .stalls json)
	# A clock that is due while it stalls may lose another sample.
	if [ "$stalls" -lt 1 ] || [ "$lost" -lt "$stalls" ] || [ "$lost" -gt $((2 * stalls)) ]; then
		fail "$lost samples lost in $stalls stalls"
	fi
	for type in throttle unthrottle; do
		[ "$(tprof-lx script -i stalled.data -t $type | wc -l)" -eq "$stalls" ] ||
			fail "$stalls stalls, but other records $type"
	done
	must tprof-lx report --stdio -i stalled.data
	grep -q 'lost; stalled [0-9,]* times\?, for [0-9.]* s' out || { cat out; fail "no stalls"; }
	have_perf
	perf report -D -i stalled.data 2>perf.err >dump || { cat perf.err; fail "perf report -D"; }
	[ "$(grep -c 'PERF_RECORD_THROTTLE' dump)" -eq "$stalls" ] || fail "perf sees other stalls"
}

test_status_line_is_for_terminals()
{
	script -qec "tprof-lx record -a --duration 3" /dev/null >out 2>&1 </dev/null ||
		{ cat out; fail "status $?"; }
	tr '\r' '\n' <out >lines
	grep -qE '\[ [0-9]+ s +[0-9,]+ samples +0 lost +[0-9.]+ ' lines ||
		{ cat -A out; fail "no status line"; }
	must tprof-lx record -a --duration 2
	! grep -q "$(printf '\r')" out || fail "a status line without a terminal"
}

test_period_and_clock_are_as_asked()
{
	local now first

	now=$(date +%s)
	must tprof-lx record -e timer -c 4000000 -k realtime -- "$hotcold" 1
	must tprof-lx info -i tprof.data
	grep -q 'timer .* period 4000000' out || { cat out; fail "another period"; }
	first=$(tprof-lx script -t sample -F time | head -n 1 | cut -d. -f1)
	if [ "$first" -lt "$now" ] || [ "$first" -gt $((now + 60)) ]; then
		fail "a sample at $first, not after $now"
	fi
	tprof-lx script -t sample -F period | sort -n >periods
	[ "$(head -n 1 periods)" -eq 4000000 ] || fail "samples of another period"
}

test_verbose_prints_buffer_sizes()
{
	must tprof-lx record -v -m 64K,1M --flush-ms 7 --watermark 4K -- true
	grep -q "rings of 65536 bytes, queue of 1048576, flushed every 7 ms or at 4096 bytes" out ||
		{ cat out; fail "other sizes"; }
}

# Print the size of the rings for -F $1.
ring_size()
{
	tprof-lx record -v -e timer -F "$1" -- true 2>&1 | sed -n 's/.*rings of \([0-9]*\) .*/\1/p'
}

test_ring_size_follows_the_rate()
{
	local slow fast

	slow=$(ring_size 1000) fast=$(ring_size 100000)
	[ "$slow" -eq 1048576 ] || fail "rings of $slow bytes at 1000 Hz"
	[ "$fast" -ge $((4 * slow)) ] || fail "rings of $fast bytes at 100000 Hz"
}

test_default_buffers_lose_no_sample_at_the_highest_rate()
{
	must tprof-lx record -a -e timer -F 100000 --duration 5
	grep -q 'none lost' out || { cat out; fail "samples were lost"; }
	echo "# $(cat out)"
}

test_command_runs_as_the_sudo_user()
{
	local as="env SUDO_UID=65534 SUDO_GID=65534 SUDO_USER=nobody"

	$as tprof-lx record -q -- sh -c 'id -u; id -g' >ids || fail "status $?"
	[ "$(tr '\n' ' ' <ids)" = "65534 65534 " ] || fail "ran as $(cat ids)"
	$as tprof-lx record -q --as-root -- id -u >ids || fail "status $?"
	[ "$(cat ids)" = 0 ] || fail "--as-root ran as $(cat ids)"
}

# Each thread has capabilities of its own. With -z and -g, the recorder has threads that compress
# records and make unwind tables. The thread that opens mapped binaries keeps two capabilities:
# CAP_DAC_READ_SEARCH and CAP_SYS_PTRACE.
test_recorder_drops_all_capabilities()
{
	tprof-lx record -z -a -g >out 2>&1 &
	capabilities_must_become $! $'/\n/\n/\n/\n80004/80004'
}

test_old_file_is_kept()
{
	must tprof-lx record -- true
	cp tprof.data first
	must tprof-lx record -- true
	same first tprof.data.old
}

# Run a command that record cannot start: the rings are too small for a sample with so
# large a stack.
start_that_fails()
{
	must_fail 1 "-m" tprof-lx record -m 16K --call-graph dwarf,56K "$@"
}

test_starts_that_fail_keep_the_old_file()
{
	must tprof-lx record -- true
	cp tprof.data first
	start_that_fails -- true
	start_that_fails -- true
	same first tprof.data.old
	printf '#!/nonesuch' >prog
	chmod 755 prog
	must_fail 127 "prog" tprof-lx record -- ./prog
	must_fail 127 "prog" tprof-lx record -- ./prog
	same first tprof.data.old
}

test_late_start_that_fails_waits_for_the_command()
{
	start_that_fails -D 100 -- sh -c 'sleep 8; touch ended'
	[ -e ended ] || fail "the command is left behind"
}

# Another user could put a symbolic link in the way of root's default output file.
test_default_output_follows_no_link()
{
	ln -s elsewhere tprof.data
	must_fail 1 "tprof.data" tprof-lx record -- true
	[ ! -e elsewhere ] || fail "written through a link"
	must tprof-lx record -o ./tprof.data -- true
	[ -s elsewhere ] || fail "record -o did not write through the link"
}

test_hangup_ends_it_unless_nohup()
{
	nohup tprof-lx record -a >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill -HUP "$recorder"
	sleep 1
	kill -INT "$recorder" || fail "the hang-up has ended it"
	wait "$recorder" || { cat out; fail "status $?"; }
	rm tprof.data
	tprof-lx record -a >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill -HUP "$recorder"
	wait "$recorder" || { cat out; fail "status $? of a hang-up"; }
}

test_long_command_line_is_cut_in_a_pipe()
{
	local words

	words=$(seq 5000)
	# shellcheck disable=SC2086	# split $words
	tprof-lx record -o - -- true $words 2>err >pipe.data || { cat err; fail "status $?"; }
	must tprof-lx info -i pipe.data
	grep -qE '^command +tprof-lx record -o - -- true 1 2 3 .* [.]{3}' out ||
		{ cut -c 1-200 out; fail "no command line"; }
}

test_interrupt_ends_it_cleanly()
{
	tprof-lx record -a >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill -INT "$recorder"
	wait "$recorder" || { cat out; fail "status $?"; }
	grep -q samples out || { cat out; fail "no last line"; }
	[ "$(tprof-lx script -t sample -F ip | wc -l)" -gt 10 ] || fail "no samples"
}

test_sigterm_ends_it_cleanly()
{
	tprof-lx record -a >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill -TERM "$recorder"
	wait "$recorder" || { cat out; fail "status $?"; }
	[ "$(tprof-lx script -t sample -F ip | wc -l)" -gt 10 ] || fail "no samples"
}

# Wait until process $1 has written 32 KiB, and then nothing for half a second.
wait_until_stuck()
{
	local before=0 now

	for _ in $(seq 120); do
		now=$(sed -n 's/^wchar: //p' "/proc/$1/io")
		[ "$now" -lt 32768 ] || [ "$now" -ne "$before" ] || return
		before=$now
		sleep 0.5
	done
	fail "process $1 is not stuck after a minute"
}

# If the reader of the pipe stops reading, the recorder must still end at SIGTERM, and
# report what it has not written.
test_stalled_reader_does_not_block_the_end()
{
	local status=0

	mkfifo pipe
	# shellcheck disable=SC2217	# sleep holds the pipe open
	sleep 100 <pipe & reader=$!
	tprof-lx record -a -F 5000 -o pipe >out 2>&1 & recorder=$!
	wait_until_stuck "$recorder"
	kill -TERM "$recorder"
	wait "$recorder" || status=$?
	kill "$reader"
	[ "$status" -eq 1 ] || { cat out; fail "status $status"; }
	grep -q "nothing reads the pipe" out || { cat out; fail "it does not say why"; }
	grep -q "by the output" out || { cat out; fail "no loss is reported"; }
}

test_thread_stands_for_its_process()
{
	local thread=''

	"$TPROF_TESTS/workloads/threads" 100 & process=$!
	for _ in $(seq 100); do
		thread=$(find "/proc/$process/task" -mindepth 1 -maxdepth 1 -printf '%f\n' |
			grep -vx "$process") && break
		sleep 0.1
	done
	must tprof-lx record -p "$thread" --duration 1
	kill "$process"
	[ "$(tprof-lx script -t sample -F pid | sort -u)" = "$process" ] ||
		fail "no samples of process $process"
}

# Wait until the recorder in the background has a session. By then it has looked up its
# targets.
# Wait for the session of $recorder, in the state $1 if it is given.
wait_for_session()
{
	for _ in $(seq 300); do
		must tprof-lx info
		! grep -qE "^  tprof-lx  +pid $recorder${1:-}," out || return 0
		sleep 0.1
	done
	fail "no session of process $recorder"
}

test_target_may_end_before_the_others()
{
	sleep 1000 & local first=$!
	"$hotcold" 1000 >/dev/null & local second=$!
	tprof-lx record -p "$first,$second" -D 3000 >log 2>&1 & recorder=$!
	wait_for_session
	kill "$first"
	wait_for_samples 10
	kill "$second"
	wait "$recorder" || { cat log; fail "status $?"; }
	tprof-lx script -t sample -F pid >pids
	grep -qx "$second" pids || fail "no samples of the second target"
}

# During the delay, the process of -p creates another one and ends.
test_orphan_of_the_delay_is_recorded()
{
	mkfifo fifo
	sh -c "read -r _ <fifo; '$hotcold' 1000 >/dev/null & echo \$! >orphan" & local parent=$!
	tprof-lx record -p "$parent" -D 3000 >log 2>&1 & recorder=$!
	wait_for_session
	echo >fifo
	wait "$parent"
	wait_for_samples 10
	kill "$(cat orphan)"
	wait "$recorder" || { cat log; fail "status $?"; }
	tprof-lx script -t sample -F pid,sym >samples
	grep -qE "^ *$(cat orphan) .*\<hot\>" samples ||
		{ head samples; fail "no samples of the orphan with a symbol"; }
}

# The recorder is a descendant of the shell that it records, so it is a target itself.
test_recording_of_an_ancestor_ends_with_it()
{
	local left=100

	# shellcheck disable=SC2016	# the inner shell expands $$
	bash -c 'tprof-lx record -p $$ >log 2>&1 & echo $! >recorder; sleep 3'
	until grep -qE ' samples?, ' log; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || { kill "$(cat recorder)"; cat log; fail "it goes on"; }
		sleep 0.2
	done
}

# If all targets end before recording starts, other processes must not be recorded
# instead.
test_ended_targets_do_not_mean_all_tasks()
{
	sleep 1000 & local first=$!
	"$hotcold" 1000 >/dev/null & local other=$!
	tprof-lx record -p "$first" -D 3000 >log 2>&1 & recorder=$!
	wait_for_session
	kill "$first"
	wait "$recorder" || { cat log; fail "status $?"; }
	kill "$other"
	tprof-lx script -t sample -F pid >pids
	! grep -qvx "$first" pids || fail "others were sampled"
}

# During the delay (-D), the target ends, and then the recorder gets SIGTERM.
# The recorder must end the command, too.
test_signal_in_the_delay_ends_the_command()
{
	local status=0

	sleep 1000 & local target=$!
	timeout --foreground -s KILL 100 tprof-lx record -p "$target" -D 1000000 -- \
		sh -c 'touch started; exec sleep 1000' >log 2>&1 & recorder=$!
	for _ in $(seq 300); do
		[ ! -e started ] || break
		sleep 0.1
	done
	kill "$target"
	wait "$target"
	kill -TERM "$recorder"
	wait "$recorder" || status=$?
	[ "$status" -eq 143 ] || { cat log; fail "status $status"; }
}

test_killed_recorder_leaves_a_readable_file()
{
	tprof-lx record -a >out 2>&1 & recorder=$!
	wait_for_samples 10
	kill -KILL "$recorder"
	wait "$recorder" 2>/dev/null
	cp tprof.data killed
	[ "$(tprof-lx script -i killed -t sample -F ip 2>/dev/null | wc -l)" -gt 10 ] ||
		fail "nothing can be read"
	must_fail 1 "never finished" tprof-lx report --stdio -i killed
	tprof-lx info >out || fail "the module does not answer: $(cat out)"
}

# Record to file $3, for $pause seconds. System call number $2 fails as KIND $1 says: see
# failing.c. Set seen to the exit status.
record_failing()
{
	rm -f tprof.data* calls
	seen=0
	FAILING=$1:$2 FAILING_CALLS=calls LD_PRELOAD=$TPROF_TESTS/failing.so \
		tprof-lx record -e timer -o "$3" -- sleep "$pause" 2>out || seen=$?
}

# File $1 must have as many samples as record has printed. If the end of the file is
# missing, reading it must report that. $2 and $3 are the KIND and number of the failure.
must_be_as_reported()
{
	local status=0 reported read

	reported=$(sed -nE 's/.* ([0-9,]+) samples?, .*/\1/p' out | tr -d ,)
	read=$(tprof-lx script -i "$1" -t sample -F ip 2>why | wc -l) || status=$?
	[ "$reported" = "$read" ] ||
		{ cat out why; fail "$2 at call $3: $read samples, but '$reported' reported"; }
	[ "$status" -eq 0 ] || grep -qE "never finished|truncated within" why ||
		{ cat out why; fail "$2 at call $3: it cannot be read"; }
}

must_be_whole()
{
	must_be_as_reported "$@"
	tprof-lx info -i "$1" >facts 2>&1 ||
		{ cat out facts; fail "$2 at call $3, status $seen: it is not whole"; }
}

# After failure KIND $1 at call $2, either the recording must be whole, or record must
# report error $3. If the recording had not begun, there must be no file.
judge_failing()
{
	[ "$seen" -ne 0 ] || { must_be_whole tprof.data "$1" "$2"; return; }
	[ "$seen" -eq 1 ] || { cat out; fail "status $seen of $1 at call $2"; }
	grep -q "$3" out || { cat out; fail "no '$3' of $1 at call $2"; }
	nr_reported=$((nr_reported + 1))
	if grep -qE " samples?, " out; then
		must_be_as_reported tprof.data "$1" "$2"
	elif [ -s tprof.data ]; then
		cat out
		fail "$1 at call $2 leaves what is no recording"
	fi
}

# Check the exit status after SIGINT, which came before, during or after the command.
must_be_ended()
{
	case $seen in
	130|143|0) ;;
	*) cat out; fail "status $seen of a $1 at call $2" ;;
	esac
}

# Run $@, in which no call fails, and set nr to the number of calls.
count_calls()
{
	[ -e "$TPROF_TESTS/failing.so" ] || skip "not built here"
	"$@"
	[ "$seen" -eq 0 ] || { cat out; fail "status $seen without a failure"; }
	nr=$(tail -n 1 calls)
	[ "$nr" -ge 4 ] || fail "only $nr calls are seen"
}

# Let call $1 of a recording to a file fail in one of four ways.
fail_one_call()
{
	case $(($1 % 4)) in
	0)
		record_failing 28 "$1" tprof.data
		judge_failing 28 "$1" "No space left"
		;;
	1)
		record_failing 5 "$1" tprof.data
		judge_failing 5 "$1" "Input/output error"
		;;
	2)
		record_failing short "$1" tprof.data
		[ "$seen" -eq 0 ] || { cat out; fail "status $seen of half of call $1"; }
		must_be_whole tprof.data short "$1"
		;;
	3)
		record_failing signal "$1" tprof.data
		must_be_ended signal "$1"
		# A signal before the first write leaves no file.
		[ ! -s tprof.data ] || must_be_whole tprof.data signal "$1"
		;;
	esac
}

# Each call fails in turn, in one way; write_fault_test.c lets each fail in all ways. Only a
# failure to reserve disk space (fallocate) may be ignored. The recording is long enough for
# a checkpoint.
test_each_failed_write_is_reported()
{
	local n nr seen nr_reported=0 pause=1.2

	count_calls record_failing none 0 tprof.data
	for n in $(seq "$nr"); do
		fail_one_call "$n"
	done
	echo "# note: $nr calls, $nr_reported failures were reported"
	[ $((4 * nr_reported)) -ge "$nr" ] || fail "most failures are not reported"
}

# Record to a pipe. Set seen to the recorder's status; its output goes to the file
# "stream".
pipe_failing()
{
	(record_failing "$1" "$2" -; echo "$seen" >seen) | cat >stream
	seen=$(cat seen)
}

# A failed write must end the recording, with error $3. The records written before it must
# be readable. The number of writes varies from run to run, so write $2 may not happen.
judge_pipe()
{
	pipe_failing "$1" "$2"
	if [ "$(tail -n 1 calls)" -lt "$2" ]; then
		must_be_whole stream "$1" "$2"
		return
	fi
	nr_reported=$((nr_reported + 1))
	[ "$seen" -eq 1 ] || { cat out; fail "status $seen of $1 at write $2"; }
	grep -qE "$3" out || { cat out; fail "no '$3' of $1 at write $2"; }
	must_be_a_beginning "$1" "$2"
}

# Print the number of complete records in the file "stream", of types below 64 (the
# kernel's).
count_ended()
{
	python3 -c 'import struct, sys
stream, at, nr = sys.stdin.buffer.read(), 16, 0
while at + 8 <= len(stream):
    kind, misc, size = struct.unpack_from("<IHH", stream, at)
    if size < 8 or at + size > len(stream):
        break
    at, nr = at + size, nr + (kind < 64)
print(nr)' <stream
}

# tprof-lx must read exactly the complete records of the file "stream".
must_be_a_beginning()
{
	local status=0 ended shown

	ended=$(count_ended)
	tprof-lx info -i stream >facts 2>why || status=$?
	shown=$(awk '/^$/ { on = 0 } on { n += $2 } $1 == "records" { on = 1 }
		END { print n + 0 }' facts)
	[ "$ended" = "$shown" ] ||
		{ cat out why; fail "$1 at write $2: $shown records of '$ended'"; }
	[ "$status" -eq 0 ] || grep -qE "empty, or|truncated within" why ||
		{ cat out why; fail "$1 at write $2: it cannot be read"; }
	! grep -qE " samples?, " out || must_be_as_reported stream "$1" "$2"
}

# Let write $1 of a recording to a pipe fail in one of four ways.
fail_one_write()
{
	case $(($1 % 4)) in
	0) judge_pipe 32 "$1" "closed the pipe|Broken pipe" ;;
	1) judge_pipe 5 "$1" "Input/output error" ;;
	2)
		pipe_failing short "$1"
		[ "$seen" -eq 0 ] || { cat out; fail "status $seen of half of write $1"; }
		must_be_whole stream short "$1"
		;;
	3)
		pipe_failing signal "$1"
		must_be_ended signal "$1"
		# A signal may have killed the recorder before it handled signals.
		must_be_a_beginning signal "$1"
		! grep -qE " samples?, " out || must_be_whole stream signal "$1"
		;;
	esac
}

test_each_failed_write_to_a_pipe_is_reported()
{
	local n nr seen nr_reported=0 pause=0

	count_calls pipe_failing none 0
	for n in $(seq "$nr"); do
		fail_one_write "$n"
	done
	echo "# note: $nr writes, $nr_reported failures were reported"
	[ $((4 * nr_reported)) -ge "$nr" ] || fail "most writes did not fail"
}

test_full_disk_is_an_error_and_a_readable_file()
{
	mkdir small
	mount -t tmpfs -o size=256k tmpfs small || fail "mount"
	must_fail 1 "No space left" tprof-lx record -a -F 10000 --duration 20 \
		-o small/tprof.data
	tprof-lx script -i small/tprof.data -t sample -F ip >ips
	umount small
	[ "$(wc -l <ips)" -gt 100 ] || fail "only $(wc -l <ips) samples"
}

test_closed_pipe_is_an_error()
{
	set +o pipefail
	(tprof-lx record -o - -a -F 10000 --duration 20 2>err; echo $? >status) |
		head -c 10000 >/dev/null
	[ "$(cat status)" -eq 1 ] || { cat err; fail "status $(cat status)"; }
	grep -q "closed the pipe" err || fail "said: $(cat err)"
}

test_perf_reads_the_pipe_format()
{
	have_perf
	tprof-lx record -o - -- "$hotcold" 1 2>err >stream || { cat err; fail "record"; }
	perf_script - -F comm,tid,time,ip <stream >perf
	tprof-lx script -i - -t sample -F ip <stream >ours
	[ -s ours ] || fail "no samples"
	[ "$(wc -l <perf)" -eq "$(wc -l <ours)" ] || fail "perf reads other samples"
}

test_ledger_adds_up()
{
	must tprof-lx record -a -F 5000 --duration 2 -m 16K,64K
	ledger_must_add_up tprof.data
	must tprof-lx record -z -a -F 5000 --duration 2 -m 16K,64K
	ledger_must_add_up tprof.data
}

test_compression_makes_the_file_smaller()
{
	must tprof-lx record -v -z -a -F 5000 --duration 2
	grep -q 'of records compressed to' out || { cat out; fail "nothing is compressed"; }
	tprof-lx record -o - -z19 -a --duration 1 2>err >stream ||
		{ cat err; fail "cannot compress to a pipe"; }
	ledger_must_add_up - <stream
	must_fail 2 "1 to 22" tprof-lx record -z23 -- true
	must_fail 2 "1 to 22" tprof-lx record --compression-level=0 -- true
}

main "$@"
