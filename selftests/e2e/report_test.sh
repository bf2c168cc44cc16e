#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The output of report and script must agree with that of perf report and perf script, for
# recordings of perf and of tprof-lx.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/agree.sh"

here=$(cd "$(dirname "$0")" && pwd)
calltree=$TPROF_TESTS/workloads/calltree

test_our_recording_agrees()
{
	need_perf_once
	must tprof-lx record -a -F 200 -- "${mixture[@]}"
	reports_agree tprof.data
	scripts_agree tprof.data
}

test_recording_of_perf_agrees()
{
	need_perf_once
	perf_record -o flat.data -- "${mixture[@]}"
	reports_agree flat.data -s comm
	scripts_agree flat.data
}

# report prints a table for each event; script prints the event in each line. Do not
# compare thread names: in the second table, perf cuts them to the column width of the
# first.
test_several_events_agree()
{
	need_perf_once
	perf_record -e task-clock:u -o two.data -- "${mixture[@]}"
	reports_agree two.data -s dso,sym
	scripts_agree two.data
	must tprof-lx record -e nmi,timer:u -- "${mixture[@]}"
	reports_agree tprof.data -s dso,sym
	scripts_agree tprof.data
}

# Record only user code: perf does not always resolve kernel code in compressed files.
test_compressed_recordings_agree()
{
	need_perf_once
	perf record -q -N -z -e cpu-clock:u -F 297 -g -o packed.data -- "$hotcold" 1 \
		>perf.log 2>&1 || { cat perf.log; fail "perf record -z"; }
	scripts_agree packed.data
}

test_call_chains_of_perf_agree()
{
	need_perf_once
	perf_record -g -W --all-cgroups -o chains.data -- "${mixture[@]}"
	reports_agree chains.data
	reports_agree chains.data --no-children
	reports_agree chains.data --no-children -s comm,cgroup,local_weight,time \
		--time-quantum 200ms
	reports_agree chains.data --no-children -s comm --parent '^(hot|main|vfs_|__x64_sys)'
	scripts_agree chains.data
	tprof-lx report -i chains.data --folded >folded || fail "--folded"
	awk -v samples="$(tprof-lx script -i chains.data -t sample -F ip | wc -l)" '
		!/^[^;]+(;[^;]+)* [0-9]+$/ { print; bad = 1 }
		{ sum += $NF }
		END { print "# " sum " of " samples; exit bad || sum != samples }' folded ||
		fail "paths do not add up"
}

# At least 95 percent of the samples in leaf must have its known callers, up to _start.
unwound_is_the_tree()
{
	tprof-lx script -i "$1" -F frames >paths || fail "script -i $1"
	awk '
		!/^leaf(;|$)/ { next }
		{ leaves++ }
		/^leaf;(left|right);root;main;.*_start$/ { whole++ }
		END {
			printf "# %d of %d whole\n", whole, leaves
			exit !(leaves >= 30 && 100 * whole >= 95 * leaves)
		}' paths || { sort paths | uniq -c | sort -rn | head -n 20; fail "other callers than expected"; }
}

test_stacks_are_unwound()
{
	local i

	need_perf_once
	must tprof-lx record --call-graph dwarf,4K -m 4M -F 500 -- "$calltree-plain" 1
	unwound_is_the_tree tprof.data
	tprof-lx report --no-children -s sym -g >table || fail "report -g"
	grep -Eq -- '%--left$' table || { cat table; fail "no tree"; }
	perf_record -a -F 200 --call-graph dwarf,4096 -o stacks.data -- "$calltree-plain" 1
	unwound_is_the_tree stacks.data
	perf_script stacks.data "${symbols[@]}" --no-inline >perf.chains
	tprof-lx script -i stacks.data >our.chains
	for i in perf our; do
		sed -E 's/^\t *[0-9a-f]+ /\t/' $i.chains | plainly >$i.lines
	done
	python3 "$here/hold_chains.py" perf.lines our.lines ||
		fail "frames of perf are missing"
}

# Print the entries of a table, sorted. An entry and its call tree become one line. Where perf
# prints an address, tprof-lx may have the start of the function. Skip entries of these: perf has
# one for each address.
entries()
{
	grep -v '^#' "$1" | sed 's/ *$//' | tr -s ' ' |
		awk 'BEGIN { RS = "" } { gsub(/\n/, "~"); print }' |
		sed -E 's/( |-)([^ ~-][^ ~]*)?0x[0-9a-f]+(~|$)/\1unknown\3/g' |
		grep -vE '\] unknown(~|$)' | sort
}

test_call_trees_agree()
{
	local options file

	need_perf_once
	# perf cannot read deferred chains, and a recording by tables begins with some.
	must tprof-lx record --call-graph fp --all-user -o our.data -- "$calltree" 1
	perf_record -g --all-user -o perf.data -- "$calltree" 1
	for file in our.data perf.data; do
		for options in --children --no-children; do
			perf report --stdio -g caller --no-inline --percent-limit 5 $options \
				"${symbols[@]}" -i $file >perf.report 2>perf.err || fail "perf report -g"
			tprof-lx report -g --percent-limit 5 $options -i $file >our.report ||
				fail "report -g"
			entries perf.report >perf.entries
			entries our.report >our.entries
			grep -q -- '%--left~' our.entries || { cat our.entries; fail "no tree"; }
			same perf.entries our.entries
		done
	done
}

# If a program was replaced after the recording, its file must not be used: it has other
# functions at the recorded addresses.
test_replaced_file_is_not_used()
{
	cp "$hotcold" prog
	must tprof-lx record -- ./prog 0.5
	tprof-lx report -s sym >table || fail "report"
	grep -q '\[\.\] hot$' table || { cat table; fail "hot is not found"; }
	cp "$TPROF_TESTS/workloads/threads" prog
	tprof-lx report >table || fail "report"
	! grep -q '\[\.\] hot$' table || fail "a file of another build was used"
	grep -q 'in a file that was replaced since' table ||
		{ cat table; fail "the report does not say that it was replaced"; }
	rm prog
	tprof-lx report >table || fail "report"
	grep -q 'in a file that is missing' table ||
		{ cat table; fail "the report does not say that it is missing"; }
}

# The path of the file exists only in the program's mount namespace, as in a container.
test_file_of_another_mount_namespace_is_found()
{
	local pid left=100

	# shellcheck disable=SC2016	# the inner shell expands $1
	unshare -m sh -c 'mount -t tmpfs none /mnt && cp "$1" /mnt/inside && exec /mnt/inside 60' \
		sh "$hotcold" &
	pid=$!
	# Even if this test fails, the program must not run during other tests.
	trap 'kill "$pid" 2>/dev/null; cd /; rm -rf "$dir"' EXIT
	while [ "$(readlink "/proc/$pid/exe")" != /mnt/inside ]; do
		[ $((left -= 1)) -gt 0 ] || fail "it does not run"
		sleep 0.1
	done
	must tprof-lx record -p "$pid" --duration 0.5
	tprof-lx report -s sym >table || fail "report"
	kill "$pid"
	grep -q '\[\.\] hot$' table || { cat table; fail "hot is not found"; }
	wait "$pid"
	tprof-lx report -s sym >table || fail "report"
	grep -q '\[\.\] hot$' table || { cat table; fail "hot is not in the recording"; }
}

# The mount namespace ends with the program, before the recording does.
# shellcheck disable=SC2016	# the inner shell expands $1
test_file_of_a_mount_namespace_that_has_ended_is_found()
{
	local option run='mount -t tmpfs none /mnt && cp "$1" /mnt/inside && /mnt/inside 1; sleep 1'

	for option in -g --self-contained; do
		must tprof-lx record "$option" --all-user -- unshare -m sh -c "$run" sh "$hotcold"
		[ ! -e /mnt/inside ] || fail "the file is still here"
		tprof-lx report -s sym >table || fail "report"
		grep -q '\[\.\] hot$' table || { cat table; fail "hot is not found, $option"; }
		! have_perf || perf_script tprof.data -F ip >/dev/null
	done
}

test_output_formats_agree()
{
	must tprof-lx record -- "$hotcold" 0.5
	tprof-lx report --json >json || fail "--json"
	tprof-lx report --csv >csv || fail "--csv"
	tprof-lx record -o - -- "$hotcold" 0.5 2>/dev/null | tprof-lx report -i - >piped ||
		fail "a pipe"
	grep -q '\[\.\] hot$' piped || { cat piped; fail "hot is not found in a pipe"; }
	python3 -c 'import csv, json
report = json.load(open("json"))
[event] = report["events"]
rows = [[event["event"], format(e["overhead"], ".4f"), e["comm"], e["dso"], e["sym"]]
        for e in event["entries"]]
assert rows == list(csv.reader(open("csv")))[1:], "JSON and CSV differ"
assert abs(sum(e["overhead"] for e in event["entries"]) - 100) < 0.1
assert sum(report["symbols"].values()) == report["samples"]' || fail "not the same"
}

# Change the module's build-id in the recording, as if the module had been rebuilt and
# reloaded since.
test_rebuilt_module_is_not_used()
{
	must tprof-lx record -q -a -F 1000 -- \
		taskset -c 0 "$TPROF_TESTS/workloads/burn" irqs_off 1
	tprof-lx report -s sym >before || fail "report"
	grep -q tprof_lx_burn_irqs_off before || { cat before; fail "no sample in the module"; }
	python3 - <<-END || fail "no build-id in the file"
	id = open("/sys/module/tprof_lx_burn/notes/.note.gnu.build-id", "rb").read()[-20:]
	data = open("tprof.data", "rb").read()
	assert id in data
	open("tprof.data", "wb").write(data.replace(id, id[::-1]))
	END
	tprof-lx report -s sym >after || fail "report of another build"
	! grep tprof_lx_burn_irqs_off after || fail "a name from another build was used"
	grep -q "in a file that was replaced since" after || fail "the report does not say that the module was replaced"
}

# The report must be the same if neither binaries nor kernel symbols can be read.
test_self_contained_recording_needs_no_other_file()
{
	local elsewhere=(--symfs "$PWD/nowhere" --kallsyms useless)

	mkdir nowhere
	write_useless_kallsyms useless
	cp "$calltree" prog
	must tprof-lx record -g --self-contained -- sh -c "./prog 0.5; ls -lR /etc/default >/dev/null"
	tprof-lx report >before || fail "report"
	tprof-lx script -F frames >before.frames || fail "script"
	grep -q '\[k\] [a-z_]' before || { cat before; fail "no kernel functions"; }
	rm prog
	tprof-lx report "${elsewhere[@]}" >after || fail "report elsewhere"
	tprof-lx script -F frames "${elsewhere[@]}" >after.frames || fail "script elsewhere"
	same before after
	same before.frames after.frames
	! have_perf || perf_script tprof.data -F ip >/dev/null

	must_fail 2 "stdout is none" bash -o pipefail -c "tprof-lx record --self-contained -o - -- true | cat >/dev/null"
	must_fail 2 "needs a file" tprof-lx record --self-contained -o /dev/null -- true
	must_fail 2 "give -g" \
		tprof-lx record --self-contained --call-graph dwarf -- true
}

test_mistakes_are_reported()
{
	must_fail 2 "did you mean 'comm'" tprof-lx report -s cmom -i /dev/null
	must_fail 2 "did you mean --percent-limit" tprof-lx report --percent-limt 1
	must_fail 2 "neither caller nor callee" tprof-lx report -g --order up
	must_fail 2 "give -g" tprof-lx report --order callee
	must_fail 2 "leave out -C" tprof-lx report -T -C 0
	must_fail 2 "leave out .*--time" tprof-lx report -T --time 1,2
	must_fail 2 "leave out --user-only" tprof-lx report -T --user-only
	must_fail 2 "leave out .*-S" tprof-lx report -T --dso a -S b
	must_fail 2 "is not FROM,TO" tprof-lx report --time 5
	must_fail 2 "give one of them" tprof-lx report --user-only --kernel-only
	must_fail 2 "the list is empty" tprof-lx report -s , -i /dev/null
	must_fail 2 "leave out keys" tprof-lx report --folded -s dso
	must_fail 1 "No such file" tprof-lx report --vmlinux nonesuch
	must_fail 1 "record it first" tprof-lx report -i nonesuch
	echo nonsense >broken
	must_fail 1 "broken" tprof-lx report -i broken
	must tprof-lx record -q -e nmi -- true
	must_fail 1 "no event 'nim'; its first one is 'nmi'" tprof-lx report --event nim
}

test_truncated_file_is_read_to_its_end()
{
	must tprof-lx record -q -e nmi -F 500 -- "$hotcold" 1
	head -c $(($(stat -c %s tprof.data) / 2)) tprof.data >part
	must_fail 1 "truncated within" tprof-lx report --stdio -i part
	grep -qE '^ *[0-9.]+%.*hot' out || { cat out; fail "hot is not found before the cut"; }
}

main "$@"
