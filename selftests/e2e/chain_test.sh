#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Call chains of `record -g`, as perf and tprof-lx print them.

. "$(dirname "$0")/lib.sh"

calltree=$TPROF_TESTS/workloads/calltree

# Print the call chains of program $1 as perf shows them, one per line, innermost frame
# first.
callers()
{
	perf_script tprof.data --no-inline --comm "$1" -F comm,ip,sym | awk '
		/^[^ \t]/ || !NF {
			if (line != "") print line
			line = ""
			next
		}
		NF { line = line (line == "" ? "" : ";") $2 }
		END { if (line != "") print line }'
}

# At least 90 percent of the samples must be in leaf, with its known callers. In
# about 75 percent of these, left must have called leaf; in the others, right.
callers_must_be_the_tree()
{
	callers "$1" >chains
	awk '
		/^leaf;left;root;main(;|$)/ { left++ }
		/^leaf;right;root;main(;|$)/ { right++ }
		END {
			printf "# left %d, right %d, of %d\n", left, right, NR
			share = left + right ? 100 * left / (left + right) : 0
			exit !(left + right >= 50 && 100 * (left + right) >= 90 * NR &&
			       share >= 65 && share <= 85)
		}' chains || { sort chains | uniq -c | sort -rn | head -n 20; fail "other callers than expected"; }
}

test_frame_pointers_show_the_callers()
{
	have_perf
	must tprof-lx record --call-graph fp --all-user -- "$calltree" 2
	! grep "unwind tables" out || fail "tables were made"
	! tprof-lx script | grep '\[fp\]' || fail "frames are marked, although all are the same"
	callers_must_be_the_tree calltree
}

test_perf_unwinds_the_stacks_of_a_program_without_frame_pointers()
{
	have_perf
	must tprof-lx record --call-graph dwarf,4K --all-user -m 4M -- "$calltree-plain" 2
	callers_must_be_the_tree calltree-plain
}

# The module has the tables before the program starts. By frame pointers, no sample has callers.
test_tables_show_the_callers_without_frame_pointers()
{
	have_perf
	must tprof-lx record -g --all-user -- "$calltree-plain" 2
	grep -q "callers found by tables" out || fail "no summary of tables"
	callers_must_be_the_tree calltree-plain
	tprof-lx info -i tprof.data >facts || fail "info"
	[ "$(grep -cE "^  (binaries with unwind|callers found by) tables +[1-9]" facts)" -eq 2 ] ||
		{ cat facts; fail "info does not count callers by tables"; }
}

# The recorder knows nothing of perl before sh executes it, and its table takes long.
test_first_chains_are_whole_by_copies_of_stacks()
{
	have_perf
	mkdir empty
	# shellcheck disable=SC2016	# perl's
	XDG_CACHE_HOME=$PWD/empty must tprof-lx record -g --all-user -- sh -c \
		'perl -e "for (1 .. 300000) { \$sum += length join q(,), map { \$_ * 3 } 1 .. 9 }"; :'
	sed -n "s/^.*: /# /; /copies of stacks/p" out
	callers perl >chains
	awk '
		/libc_start_main|;_start$|_dl_|dl_main/ { whole++ }
		END { printf "# %d of %d whole\n", whole, NR; exit !(NR >= 100 && whole >= 0.99 * NR) }
	' chains || { sort chains | uniq -c | sort -rn | head -n 20; fail "chains are cut"; }
	perf script -D -i tprof.data 2>/dev/null >dump
	! grep -qE 'SAMPLE\(IP, 0x[0-9a-f]*[13579bdf][0-9a-f]{3}\)' dump ||
		fail "a sample in the file has a copy"
}

test_tables_are_as_good_as_frame_pointers()
{
	have_perf
	must tprof-lx record -g --all-user -- "$calltree" 2
	callers_must_be_the_tree calltree
}

test_tables_are_not_made_without_user_chains()
{
	must tprof-lx record -g --all-kernel -- true
	! grep "unwind tables" out || fail "tables were made"
	must tprof-lx record -g --no-deferred -- true
	! grep "unwind tables" out || fail "tables were made"
}

test_timer_shows_the_callers()
{
	have_perf
	must tprof-lx record -e timer -g --all-user -- "$calltree" 2
	callers_must_be_the_tree calltree
}

# Chains of samples in a system call must have both the kernel's and the user's frames.
test_kernel_chains_lead_to_the_user()
{
	have_perf
	must tprof-lx record -g -- dd if=/dev/zero of=/dev/null bs=1M count=3000
	callers dd >chains
	awk '/;read_zero|;vfs_read;/ && /;entry_SYSCALL_64_after_hwframe;/ { seen++ }
		END { exit !(seen >= 10) }' chains ||
		{ sort chains | uniq -c | sort -rn | head -n 20; fail "no whole chain"; }
}

# perf and tprof-lx must print the same addresses. perf cannot read deferred chains.
test_chains_agree()
{
	have_perf
	must tprof-lx record -a --call-graph fp --no-deferred -F 500 -- "$calltree" 1
	perf script -D -i tprof.data 2>/dev/null | awk '
		/PERF_RECORD_SAMPLE/ { if (line != "") print line; line = $2; left = 0 }
		/^\.\.\. FP chain: nr:/ { sub(/.*nr:/, ""); left = $0 }
		/^\.\.\.\.\. / && left { line = line " " $3; left-- }
		END { print line }' | sort >theirs
	tprof-lx script -t sample --json -F time,chain | python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print(r["time"], *(f"{int(ip, 16):016x}" for ip in r["chain"]))' | sort >ours
	[ -s ours ] || fail "no samples"
	echo "# $(wc -l <ours) chains"
	same theirs ours
}

test_mistakes_are_usage_errors()
{
	must_fail 2 "give -g" tprof-lx record --max-stack 5 -- true
	must_fail 2 "give -g" tprof-lx record --no-deferred -- true
	must_fail 2 "leave out --no-deferred" \
		tprof-lx record --call-graph table --no-deferred -- true
	must_fail 2 "leaves no frames" tprof-lx record -g --max-stack 0 -- true
	must_fail 2 "fp, table, dwarf" tprof-lx record --call-graph lbr -- true
	must_fail 2 "fp, table, dwarf" tprof-lx record --call-graph dwarf,64K -- true
	must_fail 1 "parameter max_stack" tprof-lx record -g --max-stack 5000 -- true
	must_fail 1 "make them larger with -m" \
		tprof-lx record --call-graph dwarf,32K -m 16K -- true
}

test_cut_chains_are_reported()
{
	must tprof-lx record -g --max-stack 2 --all-user -- "$calltree" 1
	grep -qE "call chains truncated: [0-9,]+ at the limit of frames" out ||
		{ cat out; fail "record does not report truncated chains"; }
	tprof-lx script -t cgroup >ledger
	grep -q "chains_deep=[1-9]" ledger || { cat ledger; fail "not in the ledger"; }
	tprof-lx report >table || fail "report"
	grep -qE "call chains truncated when recorded: [0-9,]+ at the limit of frames" table ||
		{ cat table; fail "not in the report"; }
}

main "$@"
