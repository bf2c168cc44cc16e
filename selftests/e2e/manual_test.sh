#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the examples in the manual with the real output of the commands.

. "$(dirname "$0")/lib.sh"

readonly examples=$TPROF_TOP/Documentation/man

# Replace numbers, units and sequences of blanks, which differ from run to run. Replace
# addresses by the number 0 before all numbers are replaced, as a long decimal number can
# look like an address.
shape()
{
	sed -E 's/\<[0-9a-f]{8,}\>/0/g; s/[0-9][0-9.,]*/N/g; s/[KMG]iB/SIZE/g
		s,[KMG]/sec,RATE,g; s/[ .-]+/ /g; s/ $//' "$1"
}

# Read examples: lines "$ command", each followed by lines of output. Run each command:
# its output must have these lines, except "...", which stands for any lines.
run_examples()
{
	local line command=''

	: >said
	while IFS= read -r line; do
		if [[ $line = '$ '* ]]; then
			command=${line#'$ '}
			bash -o pipefail -c "trap '' PIPE; $command" >said 2>&1 || { cat said; fail "status $? of: $command"; }
			shape said >said.shape
		elif [ -n "$line" ] && [ "$line" != ... ]; then
			shape <(printf '%s\n' "$line") >line.shape
			grep -qxFf line.shape said.shape ||
				{ cat said; fail "'$command' does not say: $line"; }
		fi
	done <"$1"
	[ -n "$command" ] || fail "no example in $1"
}

test_examples_run()
{
	local file

	ln -s "$hotcold" hotcold
	ln -s "$TPROF_TESTS/workloads/phases" phases
	for file in "$examples"/{record,report,top,diff,merge,filter,export,html,script,list,info,tables,doctor}.examples; do
		run_examples "$file"
	done
}

test_examples_of_counters_run()
{
	need_counters
	ln -s "$hotcold" hotcold
	run_examples "$examples/stat.examples"
	run_examples "$examples/control.examples"
}

main "$1"
