#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Hardware events by all their names: different names of an event must give the same
# number of samples.

# shellcheck source=selftests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Does $nr differ from $1 by at most $2 percent?
is_about()
{
	local off=$((nr - $1))

	[ $((${off#-} * 100)) -le $(($1 * $2)) ]
}

is_intel()
{
	grep -q GenuineIntel /proc/cpuinfo
}

# Set nr to the number of samples of event $1 in a user-space loop.
samples_of()
{
	tprof-lx record -q -e "$1" -o names.data -- \
		bash -c 'for ((i = 0; i < 20000; i++)); do :; done' ||
		fail "record -e $1"
	tprof-lx script -i names.data -t sample -F event >names
	[ "$(sort -u names)" = "$1" ] || fail "the file calls $1: $(sort -u names)"
	nr=$(wc -l <names)
}

test_spellings_count_the_same()
{
	local event expected spellings

	need_counters
	spellings=(r00c0/period=50000/u "cpu/event=0xc0,umask=0,period=50000/u")
	if is_intel; then
		spellings+=(inst_retired.any_p/period=50000/u)
	else
		spellings+=(RETIRED_INSTRUCTIONS:u/period=50000/)
	fi
	samples_of instructions/period=50000/u
	expected=$nr
	[ "$expected" -ge 100 ] || fail "only $expected samples"
	for event in "${spellings[@]}"; do
		samples_of "$event"
		is_about "$expected" 2 || fail "$event: $nr samples, not $expected"
	done

	samples_of instructions/period=50000,random/u
	is_about "$expected" 5 || fail "at random: $nr samples, not $expected"
	tprof-lx script -i names.data -t sample -F period | sort -u >periods
	[ "$(wc -l <periods)" -gt 20 ] || fail "periods: $(head -n 5 periods)"
}

test_default_is_cycles()
{
	need_counters
	must tprof-lx record -o names.data -- true
	grep -q 'sampling by event cycles' out || { cat out; fail "the event is not printed"; }
	tprof-lx script -i names.data -t sample -F event | sort -u >names
	grep -qxF cycles names || fail "events: $(cat names)"
}

test_unsupported_event_is_an_error()
{
	need_counters
	if is_intel; then
		must_fail 1 "distinguish guests" tprof-lx record -e cycles:G -- true
		must_fail 2 "0x1000000c0" tprof-lx record -e cpu/event=0x1c0/ -- true
		must_fail 2 "'INST_RETIRED'" tprof-lx record -e INST_RETIERD -- true
	else
		must_fail 2 "'RETIRED_INSTRUCTIONS'" \
			tprof-lx record -e RETIRED_INSTRUCTOINS -- true
	fi
}

test_list_has_the_processors_events()
{
	need_counters
	must tprof-lx list instructions '*retired*'
	grep -q '^  instructions ' out || { cat out; fail "no generic event"; }
	grep -qiE '^  (INST_RETIRED|RETIRED_INSTRUCTIONS) ' out ||
		{ cat out; fail "not this processor's"; }
}

main "$@"
