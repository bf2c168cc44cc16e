#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What report and script find: the same as perf's do, of our files and of perf's.

. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
calltree=$TPROF_TESTS/workloads/calltree

# Whose a function of the kernel is, perf does not say where it has /proc/kcore:
# modules are the kernel's then.
modules_are_the_kernel()
{
	sed -E 's/ \[[^ ]+\] +\[k\]/ [kernel] [k]/; s/\(\[[^]]+\]\)$/([kernel])/'
}

# Rows of a table without its comments and call trees, in an order of their own.
# Addresses in no function are compared by script: among callers perf prints them
# as they were in the process.
rows()
{
	sed -nE 's/^ +([0-9]+\.[0-9]+%.*[^ ]) *$/\1/p' "$1" |
		grep -vE '\] (0x)?[0-9a-f]{16}$' | modules_are_the_kernel |
		tr -s ' ' | sort
}

# Both find the same shares and names, to the last digit.
reports_agree()
{
	local file=$1

	shift
	perf report --stdio -g none -i "$file" "$@" >perf.report 2>perf.err ||
		{ cat perf.err; fail "perf report -i $file"; }
	tprof-lx report -i "$file" "$@" >our.report || fail "report -i $file"
	rows perf.report >perf.rows
	rows our.report >our.rows
	[ -s our.rows ] || fail "no rows"
	echo "# $file $*: $(wc -l <our.rows) rows"
	same perf.rows our.rows
}

# In a chain perf prints addresses of the binary, we those of the process.
scripts_agree()
{
	perf_script "$1" | sed -E 's/^\t *[0-9a-f]+ /\t/' |
		modules_are_the_kernel >perf.lines
	tprof-lx script -t sample -i "$1" | sed -E 's/^\t *[0-9a-f]+ /\t/' |
		modules_are_the_kernel >our.lines
	[ -s our.lines ] || fail "no samples"
	echo "# $1: $(wc -l <our.lines) lines"
	same perf.lines our.lines
}

perf_record()
{
	perf record -q -e cpu-clock -F 997 "$@" >perf.log 2>&1 ||
		{ cat perf.log; fail "perf record $*"; }
}

test_our_recording_agrees()
{
	have_perf
	must tprof-lx record -a -F 500 -- sh -c "$hotcold 1; ls -lR /etc >/dev/null"
	reports_agree tprof.data
	reports_agree tprof.data -s dso,sym
	reports_agree tprof.data -s comm
	scripts_agree tprof.data
}

test_recording_of_perf_agrees()
{
	have_perf
	perf_record -a -o flat.data -- sh -c "$hotcold 1; ls -lR /etc >/dev/null"
	reports_agree flat.data
	reports_agree flat.data -s comm
	scripts_agree flat.data
}

# A stream that is compressed tells no build-ids; the kernel is known all the same.
test_compressed_recordings_agree()
{
	have_perf
	perf_record -z -g -o packed.data -- "$hotcold" 1
	scripts_agree packed.data
	perf record -q -z -e cpu-clock -F 997 -o - -- "$hotcold" 1 2>perf.log >packed.pipe ||
		{ cat perf.log; fail "perf record -o -"; }
	scripts_agree packed.pipe
}

test_call_chains_of_perf_agree()
{
	have_perf
	perf_record -g -o chains.data -- sh -c "$hotcold 1; ls -lR /etc >/dev/null"
	reports_agree chains.data
	reports_agree chains.data --no-children
	scripts_agree chains.data
	tprof-lx report -i chains.data --folded >folded || fail "--folded"
	awk -v samples="$(tprof-lx script -i chains.data -t sample -F ip | wc -l)" '
		!/^[^;]+(;[^;]+)* [0-9]+$/ { print; bad = 1 }
		{ sum += $NF }
		END { print "# " sum " of " samples; exit bad || sum != samples }' folded ||
		fail "paths do not add up"
}

# Nearly all samples of the program are below leaf, called as is known.
unwound_is_the_tree()
{
	tprof-lx script -i "$1" -t sample -F frames >paths || fail "script -i $1"
	awk '
		!/^leaf(;|$)/ { next }
		{ leaves++ }
		/^leaf;(left|right);root;main;.*_start$/ { whole++ }
		END {
			printf "# %d of %d whole\n", whole, leaves
			exit !(leaves >= 50 && 100 * whole >= 95 * leaves)
		}' paths || { sort paths | uniq -c | sort -rn | head -n 20; fail "another tree"; }
}

test_stacks_are_unwound()
{
	have_perf
	must tprof-lx record --call-graph dwarf,4K -m 4M -F 500 -- "$calltree-plain" 1
	unwound_is_the_tree tprof.data
	tprof-lx report --no-children -s sym -g >table || fail "report -g"
	grep -Eq -- '%--left$' table || { cat table; fail "no tree"; }
	perf_record -a -F 300 --call-graph dwarf,4096 -o stacks.data -- "$calltree-plain" 1
	unwound_is_the_tree stacks.data
	perf_script stacks.data --no-inline >perf.chains
	tprof-lx script -t sample -i stacks.data >our.chains
	sed -i -E 's/^\t *[0-9a-f]+ /\t/' perf.chains our.chains
	python3 "$here/hold_chains.py" perf.chains our.chains ||
		fail "frames of perf are missing"
}

# A program that was built anew since it was recorded has other functions there.
test_replaced_file_is_not_used()
{
	cp "$hotcold" prog
	must tprof-lx record -- ./prog 0.5
	tprof-lx report -s sym >table || fail "report"
	grep -q '\[\.\] hot$' table || { cat table; fail "hot is not found"; }
	cp "$TPROF_TESTS/workloads/threads" prog
	tprof-lx report >table || fail "report"
	! grep -q '\[\.\] hot$' table || fail "a file of another build was used"
	grep -q 'in a file that was replaced since' table || { cat table; fail "not told"; }
	rm prog
	tprof-lx report >table || fail "report"
	grep -q 'in a file that is not here' table || { cat table; fail "not told"; }
}

# As in a container: the path is that of a file which nobody else sees.
test_file_of_another_mount_namespace_is_found()
{
	local pid left=100

	# shellcheck disable=SC2016	# its own argument
	unshare -m sh -c 'mount -t tmpfs none /mnt && cp "$1" /mnt/inside && exec /mnt/inside 60' \
		sh "$hotcold" &
	pid=$!
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
	grep -q 'in a file that is not here' table || { cat table; fail "not told"; }
}

test_forms_say_the_same()
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

test_mistakes_are_told()
{
	must_fail 2 "did you mean 'comm'" tprof-lx report -s cmom -i /dev/null
	must_fail 2 "did you mean --percent-limit" tprof-lx report --percent-limt 1
	must_fail 2 "neither caller nor callee" tprof-lx report --order up
	must_fail 2 "two times" tprof-lx report --time 5
	must_fail 1 "record it first" tprof-lx report -i nonesuch
	echo nonsense >broken
	must_fail 1 "broken" tprof-lx report -i broken
}

main "$@"
