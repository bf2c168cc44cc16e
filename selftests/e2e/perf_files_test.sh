#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# report must understand what perf record writes, in each form that its options choose.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/agree.sh"

# Print a line for each event of perf recording $1: its name, number of samples and period.
sums_of_perf()
{
	perf_script "$1" -F event,period | awk '
		{ sub(/: *$/, ""); nr[$2]++; period[$2] += $1 }
		END { for (event in nr) printf "%s %d %.0f\n", event, nr[event], period[event] }' | sort
}

# Print the same of report. Fail if report did not understand a record.
our_sums()
{
	tprof-lx report --json -i "$1" | sed -E 's/^ *"([a-z_]+)": "?(.*[^",])"?,?$/\1 \2/' | awk '
		$1 == "not_understood" { bad = $2 }
		$1 == "event" { event = $2 }
		$1 == "samples" { nr = $2 }
		$1 == "period" && nr { print event, nr, $2 }
		END { exit bad != 0 }' | sort
}

# Record with options $@, and compare.
must_be_understood()
{
	perf record -q -N -F 297 -o form.data "$@" -- "${mixture[@]}" >perf.log 2>&1 ||
		{ cat perf.log; fail "perf record $*"; }
	sums_of_perf form.data >perf.sums
	our_sums form.data >our.sums || fail "report of perf record $*"
	[ -s our.sums ] || fail "no samples with $*"
	echo "# $*:" "$(paste -sd' ' our.sums)"
	same perf.sums our.sums
}

test_forms_of_recordings_are_understood()
{
	need_perf_once
	must_be_understood
	must_be_understood -a -g
	must_be_understood -e task-clock
	must_be_understood -e cpu-clock --call-graph dwarf
	must_be_understood -e cpu-clock -a -z -s -g
	must_be_understood -e cpu-clock,page-faults -W -d --phys-data --data-page-size \
		--code-page-size --all-cgroups --namespaces --switch-events
	must_be_understood -e cpu-clock --intr-regs=ax,ip --user-regs=bp,sp -T --running-time
	must_be_understood -e '{cpu-clock,task-clock}'
	must_be_understood -e sched:sched_process_exec
}

# Change the output of script so that it has no names of threads, and that its samples are in the
# order of their times.
#
# perf takes the name that a thread has at the time of the deferred chain, which may be after an
# exec; tprof-lx that at the time of the sample. perf prints a sample when its deferred chain
# comes, after samples of other threads that are later.
without_comms_by_time()
{
	sed -E 's/^[^\t]+ ([0-9]+ (\[[0-9]+\] )?[0-9]+\.[0-9]+: )/ \1/' |
		awk 'BEGIN { RS = ""; FS = "\n" }
			{
				match($1, /[0-9]+\.[0-9]+: /)
				key = substr($1, RSTART, RLENGTH) $1
				for (i = 1; i <= NF; i++)
					print key "\001" NR "\001" i "\001" $i
				print key "\001" NR "\001" NF + 1 "\001"
			}' | sort -t $'\001' -k1,1 -k2,2n -k3,3n | cut -d $'\001' -f4
}

test_deferred_chains_of_perf_agree()
{
	need_perf_once
	perf_record --call-graph fp,defer -o chains.data -- "${mixture[@]}"
	tprof-lx info -i chains.data >facts || fail "info"
	grep CALLCHAIN_DEFERRED facts || { cat facts; fail "no deferred chain"; }
	reports_agree chains.data --no-children -s dso,sym
	scripts_agree chains.data without_comms_by_time
}

main "$@"
