#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run each fuzzer for SECONDS: run.sh DIR SECONDS PROGRAM...
#
# A fuzzer's corpus grows in DIR from run to run. Result lines go to stdout and
# to DIR/results.
#
# An input that fails stays in DIR/X.findings/ until you remove it. The next run tries it
# first: it fails at once, or the run reports that it no longer fails.
#
# Without FUZZ_SEED, the seed is 1. Runs from an empty DIR then try the same inputs in
# the same order, so a failure repeats on another machine.

set -u -o pipefail

dir=$1
seconds=$2
shift 2
failed=0
: >"$dir/results"

result()
{
	echo "$*" | tee -a "$dir/results"
}

count_files()
{
	find "$1" -type f | wc -l
}

fuzz()
{
	local fuzzer=$1 name=${1%_fuzzer} corpus findings log executed status known

	corpus=$dir/$name.corpus
	findings=$dir/$name.findings
	log=$dir/$fuzzer.out
	mkdir -p "$corpus" "$findings"
	known=$(count_files "$findings")
	if [ -x "$dir/${name}_seeds" ] && ! "$dir/${name}_seeds" "$corpus"; then
		result "not ok $fuzzer # it has no seeds"
		return 1
	fi
	timeout --kill-after=5 $((seconds + 300)) "$dir/$fuzzer" -max_total_time="$seconds" \
		-seed="${FUZZ_SEED:-1}" \
		-max_len=65536 -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$findings/" "$corpus" "$findings" >"$log" 2>&1 </dev/null
	status=$?
	executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	if [ $status -eq 0 ] && [ "${executed:-0}" -gt 0 ]; then
		result "ok $fuzzer: $executed executions, corpus of $(count_files "$corpus")"
		[ "$known" -eq 0 ] || result "# $known earlier findings no longer fail: $findings"
		return 0
	fi
	result "not ok $fuzzer # status $status after ${executed:-no} executions;" \
		"findings, $known of them earlier ones: $findings"
	tail -n 60 "$log" >&2
	return 1
}

# Run as many fuzzers at a time as there are CPUs.
running=0
for fuzzer in "$@"; do
	if [ $running -ge "$(nproc)" ]; then
		wait -n || failed=1
		running=$((running - 1))
	fi
	fuzz "$fuzzer" &
	running=$((running + 1))
done
while [ $running -gt 0 ]; do
	wait -n || failed=1
	running=$((running - 1))
done
exit $failed
