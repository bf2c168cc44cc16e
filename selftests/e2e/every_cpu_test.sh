#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The command line on all CPUs, however many there are. The tests count, and measure no time.

# shellcheck source=selftests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Let the shell run a program on each CPU, which takes two task switches or more there.
# shellcheck disable=SC2016	# variables of the inner shell
visit=(bash -c 'for ((cpu = 0; cpu < $(nproc); cpu++)); do taskset -c $cpu true || exit; done')

test_record_has_samples_of_each_cpu()
{
	must tprof-lx record -q -a -e context-switches/period=1/ -o all.data -- "${visit[@]}"
	ledger_must_add_up all.data
	tprof-lx script -i all.data -t sample -F cpu >cpus || fail "cannot read all.data"
	[ "$(sort -u cpus | wc -l)" -eq "$(nproc)" ] || { sort -u cpus; fail "not all CPUs"; }
	must tprof-lx report --stdio -i all.data --sort cpu
	[ "$(grep -cE '^ +[0-9.]+% ' out)" -eq "$(nproc)" ] ||
		{ cat out; fail "report has not all CPUs"; }
}

test_stat_counts_each_cpu()
{
	must tprof-lx stat -a -A -e context-switches,task-clock --json -o counts -- "${visit[@]}"
	awk -v wanted="$(nproc)" '
		/"event":"context-switches"/ { seen += /"count":[1-9]/ }
		/"event":"task-clock"/ { clocks += /"count":[1-9]/ }
		END { exit seen != wanted || clocks != wanted }' counts ||
		{ cat counts; fail "not all CPUs have task switches"; }
}

test_info_and_control_know_each_cpu()
{
	tprof-lx info >facts || fail "no info"
	grep -qE "^possible CPUs +$(nproc --all)\$" facts || { cat facts; fail "not all CPUs"; }
	need_counters
	must tprof-lx control
	[ "$(grep -E '^[0-9]+ +gp0 ' out | sort -u | wc -l)" -eq "$(nproc)" ] ||
		{ cat out; fail "control has not all CPUs"; }
}

test_top_shows_all_cpus()
{
	must tprof-lx top --stdio -n 1 -s cpu -E 1000 -e context-switches/period=1/
}

main "$@"
