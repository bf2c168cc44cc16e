#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recordings of the time off CPU.

. "$(dirname "$0")/lib.sh"

test_state_of_each_wait_is_printed()
{
	must tprof-lx record -q --off-cpu=all -- sh -c 'sleep 0.1'
	tprof-lx script -F comm,event,period,state | grep ' off-cpu ' >lines
	awk '$1 == "sleep" && $4 == "sleeping" { ns += $3 } END { exit !(ns >= 1e8) }' lines ||
		{ cat lines; fail "nothing sleeps"; }
	tprof-lx report --stdio -s state --event off-cpu >table || fail "no table"
	grep -qE '% +sleeping$' table || { cat table; fail "no state"; }
}

main "$@"
