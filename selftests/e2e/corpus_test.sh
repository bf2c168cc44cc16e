#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare call chains of the programs in selftests/corpus with the known ones, frame by
# frame.

. "$(dirname "$0")/lib.sh"

corpus=$TPROF_TESTS/corpus

# A process with fewer samples is not judged: its test fails.
least=10

# Repeat the names here: some awks do not support {60}.
deeps=$(printf 'deep;%.0s' {1..60})
wides=$(printf 'wide;%.0s' {1..30})
unknowns=$(printf '[^;]*;%.0s' {1..62})

# Run the command lines on stdin one after the other, and record them with options $@.
record_lines()
{
	{ echo "cd $PWD"; cat; } >job
	must tprof-lx record -F 400 -m 4M "$@" -- sh job
	tprof-lx script -F comm,frames >chains || fail "script"
}

# Judge the samples of process $1 in the file chains. Print how many match pattern $2, and how many
# there are: if the pattern names leaf, those in leaf, and else all.
count_chains()
{
	awk -v name="$1" -v chain="^$2" '
		$1 != name { next }
		{ $1 = ""; sub(/^ +/, "") }
		chain ~ /^[^;]*leaf;/ && !/^(traits::)?leaf(;|$)/ { next }
		{ all++ }
		$0 ~ chain { right++ }
		END { print right + 0, all + 0 }' chains
}

# Read lines with a process name and a pattern. Return 1 if a process has too few samples to judge.
samples_are_enough()
{
	local name chain all

	while read -r name chain; do
		read -r _ all < <(count_chains "$name" "$chain")
		[ "$all" -ge $least ] || { echo "# $name: $all samples"; return 1; }
	done
}

# Read lines with a process name and a pattern. At least 95 percent of the process's
# samples in leaf must match the pattern. If the pattern does not name leaf, this holds
# for all samples of the process.
chains_must_be()
{
	local name chain right all bad=0

	while read -r name chain; do
		read -r right all < <(count_chains "$name" "$chain")
		echo "# $name: $right of $all"
		[ "$all" -ge $least ] && [ $((100 * right)) -ge $((95 * all)) ] && continue
		echo "# not '$chain' but:"
		sed -n "s/^ *$name  *//p" chains | sort | uniq -c | sort -rn | head -n 5
		bad=1
	done
	[ $bad -eq 0 ] || fail "other chains than are known"
}

test_frame_pointers()
{
	record_lines --call-graph fp --all-user <<-END
	$corpus/shapes shallow shallow 0.4
	$corpus/shapes deep deep 0.4
	$corpus/shapes tail tail 0.4
	$corpus/shapes signal signal 1.2
	$corpus/shapes thread thread 0.4
	$corpus/shapes storm storm 1
	$corpus/shapes exec shallow2 0.4
	$corpus/shapes plugin plugin 0.4 $corpus/plugin.so
	$corpus/shapes-static deep static 0.4
	$corpus/shapes-fixed deep fixed 0.4
	END
	chains_must_be <<-END
	shallow leaf;shallow;main(;|$)
	deep leaf;${deeps}run_deep;main(;|$)
	tail leaf;in_tail;run_tail;main(;|$)
	signal leaf;on_tick;[^;]*;main(;|$)
	thread leaf;worker(;|$)
	storm leaf;in_child;run_storm;main(;|$)
	shallow2 leaf;shallow;main(;|$)
	plugin leaf;through_plugin;plugin;run_plugin;main(;|$)
	static leaf;${deeps}run_deep;main(;|$)
	fixed leaf;${deeps}run_deep;main(;|$)
	END
}

# If frames cannot be read because their memory is not present, a record with these frames
# must follow when the thread returns to user mode.
test_frames_not_in_memory_are_deferred()
{
	record_lines -g --all-user <<-END
	$corpus/shapes absent absent 1
	END
	chains_must_be <<-END
	absent leaf;without_callers;${wides}on_paper;
	END
	tprof-lx report >table || fail "report"
	grep -qE '[0-9] at memory that was not present.*; [0-9,]+ call chains completed' table ||
		{ cat table; fail "the report does not count them"; }
}

# Deferred chains are CGROUP records. perf must accept them.
test_perf_accepts_deferred_frames()
{
	have_perf
	record_lines -g --all-user <<-END
	$corpus/shapes absent absent 0.5
	END
	perf_script tprof.data -F comm | awk '{ print $1 }' | sort | uniq -c >theirs
	tprof-lx script -t sample -F comm | awk '{ print $1 }' | sort | uniq -c >ours
	[ -s ours ] || fail "no samples"
	same theirs ours
	tprof-lx script -t cgroup >chains
	grep -q 'path=tprof-lx:chain' chains || fail "there is no deferred chain"
	record_lines -g --no-deferred --all-user <<-END
	$corpus/shapes absent absent 0.5
	END
	tprof-lx report >table || fail "report"
	! grep -q 'call chains completed' table || { cat table; fail "--no-deferred"; }
}

# Record the programs without frame pointers with option $1. The file chains gets their chains. A
# sample of clock in the vdso is one of process vdso: samples in other code could hide that the
# vdso leads nowhere. The chains of "first" are not judged: on a busy machine, the module gets the
# tables while it runs.
record_plain()
{
	record_lines --call-graph "$1" --all-user <<-END
	$corpus/shapes-plain shallow first 0.2
	$corpus/shapes-plain shallow shallow 0.4
	$corpus/shapes-plain deep deep 0.4
	$corpus/shapes-plain tail tail 0.4
	$corpus/shapes-plain clock clock 0.8
	$corpus/shapes-plain signal signal 1.2
	$corpus/shapes-plain thread thread 0.4
	$corpus/shapes-plain storm storm 1
	$corpus/shapes-plain plugin plugin 0.4 $corpus/plugin.so
	$corpus/shapes-static signal static 1.2
	$corpus/shapes-stripped deep stripped 0.4
	END
	tprof-lx script -F comm,dso,frames >all || fail "script"
	sed -n 's/^ *clock  *\[vdso\]/vdso/p' all >>chains
}

# The chains of programs without frame pointers, recorded with option $1, must reach _start, also
# through a signal frame. setitimer may be in the chain: the timer can expire before setitimer
# returns. A busy machine takes few samples in the time that a program runs, so record again, up to
# 5 times, until they are enough.
must_reach_start()
{
	cat >expected <<-END
	shallow leaf;shallow;main;.*_start$
	deep leaf;${deeps}run_deep;main;.*_start$
	tail leaf;in_tail;run_tail;main;.*_start$
	signal leaf;on_tick;[^;]*;([^;]*setitimer;)?interrupted;main;.*_start$
	thread leaf;worker;
	storm leaf;in_child;run_storm;main;.*_start$
	plugin leaf;through_plugin;plugin;run_plugin;main;.*_start$
	static leaf;on_tick;__restore_rt;([^;]*setitimer;)?interrupted;main;.*_start$
	stripped $unknowns
	vdso [^;]*;[^;]*clock_gettime[^;]*;run_clock;main;.*_start$
	END
	for _ in 1 2 3 4 5; do
		record_plain "$1"
		cat chains >>recorded
		cp recorded chains
		samples_are_enough <expected && break
	done
	chains_must_be <expected
}

test_stacks_are_unwound_to_start()
{
	must_reach_start dwarf,8K
}

# In a guest, a binary runs for some time before its table is made, and the table of libc takes
# seconds. So make all tables before.
test_tables_lead_to_start()
{
	must tprof-lx tables make "$corpus"/shapes-{plain,static,stripped} "$corpus/plugin.so" \
		/lib/x86_64-linux-gnu/libc.so.6 /lib64/ld-linux-x86-64.so.2 "$(realpath /bin/sh)"
	must_reach_start table
}

test_names_come_from_all_sources()
{
	record_lines -g --all-user <<-END
	$corpus/shapes-stripped shallow stripped 0.4
	$corpus/shapes-debuglink shallow debuglink 0.4
	$corpus/shapes-mini shallow mini 0.4
	$([ ! -e "$corpus/classes" ] || echo "$corpus/classes classes 0.4")
	$corpus/jit map map 0.8
	$corpus/jit dump dump 0.8
	END
	chains_must_be <<-END
	debuglink leaf;shallow;main(;|$)
	mini leaf;shallow;main(;|$)
	map leaf;(first|second)_made;run;main(;|$)
	dump leaf;(first|second)_made;run;main(;|$)
	END
	[ ! -e "$corpus/classes" ] ||
		chains_must_be <<<'classes leaf;corpus::through<.*>;corpus::Worker<int>::work;main(;|$)'
	grep -q '^ *stripped .*shapes-stripped+0x' chains || fail "stripped code has no starts"
	# With a jitdump, both functions have the same address, so their order matters.
	sed -nE 's/^ *(map|dump) .*(first|second)_made;.*/\1 \2/p' chains | uniq >order
	printf '%s\n' "map first" "map second" "dump first" "dump second" >expected
	same expected order
	tprof-lx report --comm dump -s sym --csv >table || fail "report"
	[ "$(grep -cE '(first|second)_made' table)" = 2 ] || { cat table; fail "the report does not have both functions"; }
}

# Frames in generated code must have the same names after the jitdump was deleted.
test_jit_functions_are_in_a_self_contained_recording()
{
	must tprof-lx record -g --self-contained -F 400 --all-user -- "$corpus/jit" dump dump 0.8
	tprof-lx script -F comm,frames >before || fail "script"
	rm jit-*.dump
	mkdir nowhere
	tprof-lx script -F comm,frames --symfs "$PWD/nowhere" >chains || fail "script elsewhere"
	same before chains
	grep -q first_made chains || { cat chains; fail "no name"; }
	chains_must_be <<<'dump leaf;(first|second)_made;run;main(;|$)'
}

# Read lines of perf script or tprof-lx script. Print the time of each sample and the functions of
# its chain. A function that has its start as a name is unknown to perf.
functions()
{
	awk '
		/^\t/ {
			if ($2 ~ /\+0x[0-9a-f]+\+0x/)
				$2 = "[unknown]"
			sub(/\+0x.*/, "", $2)
			line = line " " $2
			next
		}
		{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) line = $i }
		!NF && line { print line; line = "" }' | sort
}

# Generated code has no table, so its caller is found by the frame pointer, and marked.
test_callers_of_generated_code_are_marked()
{
	have_perf
	must tprof-lx tables make "$corpus/jit" /lib/x86_64-linux-gnu/libc.so.6
	must tprof-lx record -g -F 1000 --all-user -- "$corpus/jit" map map 2
	tprof-lx script >lines || fail "script"
	awk '
		function judge() {
			if (frames ~ /^leaf;(first|second)_made;run\[fp\];main;/ &&
			    gsub(/\[fp\]/, "", frames) == 1)
				right++
			all += frames ~ /^leaf;/
			frames = ""
		}
		/^\t/ { sub(/\+.*/, "", $2); frames = frames $2 ($NF == "[fp]" ? $NF : "") ";" }
		!NF { judge() }
		END { printf "# %d of %d\n", right, all; exit !(right >= 20 && 20 * right >= 19 * all) }
		' lines || { sort lines | uniq -c | sort -rn | head -n 20; fail "other marks"; }
	# perf does not complete deferred chains, and has no names of the vdso.
	perf_script tprof.data --no-inline -F time,ip,sym | functions | grep ': leaf .* ' >theirs
	functions <lines >ours
	[ "$(wc -l <theirs)" -ge 20 ] || fail "perf has no chains"
	same theirs <(grep -Ff <(cut -d: -f1 theirs) ours)
}

test_rust_and_32_bit_programs()
{
	[ ! -e "$corpus/traits" ] || echo "$corpus/traits 0.4" >programs
	[ ! -e "$corpus/narrow" ] || echo "$corpus/narrow" >>programs
	[ -s programs ] || skip "no compiler of Rust, none for 32 bits"
	record_lines -g --all-user <programs
	{
		[ ! -e "$corpus/traits" ] ||
			echo 'traits traits::leaf;<traits::Miller as traits::Work>::work;traits::main(;|$)'
		[ ! -e "$corpus/narrow" ] || echo 'narrow leaf;narrow;narrow_main;_start(;|$)'
	} | chains_must_be
}

# While a program runs, its file can be read through /proc/PID/exe even if it was deleted.
test_deleted_program_is_resolved_while_it_runs()
{
	local pid left=100

	cp "$corpus/shapes" gone
	./gone deleted deleted 60 &
	pid=$!
	# Even if this test fails, the program must not run during other tests.
	trap 'kill "$pid" 2>/dev/null; cd /; rm -rf "$dir"' EXIT
	while [ -e gone ]; do
		[ $((left -= 1)) -gt 0 ] || fail "it does not run"
		sleep 0.1
	done
	must tprof-lx record -g -F 400 -p "$pid" --duration 1
	tprof-lx script -F comm,frames >chains || fail "script"
	chains_must_be <<<'deleted leaf;shallow;main(;|$)'
	kill "$pid"
	wait "$pid"
	tprof-lx report >table || fail "report"
	grep -q 'in a file that is missing' table ||
		{ cat table; fail "the report does not say that it is missing"; }
}

main "$@"
