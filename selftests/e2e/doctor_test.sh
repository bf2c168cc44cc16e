#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The doctor, on the guest itself: what is provoked here is named, and mended by the
# command that it gives. The unit test doctor_test has the machines that this is not.

. "$(dirname "$0")/lib.sh"

# What it says of one thing: ok, note or problem, or nothing.
level_of()
{
	tprof-lx doctor >diagnosis
	awk -v name="$1" '$1 == name { print $2 }' diagnosis
}

fix_of()
{
	awk -v name="$1" '/^[a-z]/ { is_it = $1 == name } is_it' diagnosis | sed -n 's/^ *-> //p'
}

# $1 is at level $2 now, and not any more when what it says was done.
must_mend()
{
	local level fix

	level=$(level_of "$1")
	[ "$level" = "$2" ] || { cat diagnosis; fail "$1 is '$level', not $2"; }
	fix=$(fix_of "$1")
	bash -c "$fix" || fail "does not work: $fix"
	level=$(level_of "$1")
	[ "$level" = ok ] || [ -z "$level" ] || { cat diagnosis; fail "$fix: $1 is '$level'"; }
}

# What was provoked is not for the next test.
finally()
{
	# shellcheck disable=SC2064	# the values of now are meant
	trap "$1; cd /; rm -rf '$dir'" EXIT
}

test_finds_the_module_and_the_device()
{
	local name

	for name in kernel module device version; do
		[ "$(level_of $name)" = ok ] || { cat diagnosis; fail "$name is well"; }
	done
}

test_says_as_much_in_words()
{
	tprof-lx doctor >words
	tprof-lx doctor --json >diagnosis
	[ "$(jq '.findings | length' diagnosis)" -eq "$(grep -c '^[a-z]' words)" ] ||
		{ cat words; fail "not as many lines as findings"; }
	[ "$(jq '[.findings[] | select(.fix)] | length' diagnosis)" -eq "$(grep -c -- '-> ' words)" ] ||
		fail "not as many commands"
	[ "$(jq '[.findings[] | select(.advice)] | length' diagnosis)" -eq "$(grep -c '^ .*)$' words)" ] ||
		{ cat words; fail "not as much advice"; }
}

# Without a problem it is 0, whatever notes there are; a device that cannot be opened
# is one.
test_status_tells_of_problems()
{
	must tprof-lx doctor
	tprof-lx doctor --json >diagnosis
	[ "$(jq .problems diagnosis)" -eq 0 ] || fail "problems with status 0"
	chmod 0755 "$TPROF_WORK"
	must_fail 1 'device +problem +no permission' \
		setpriv --reuid=65534 --regid=65534 --clear-groups tprof-lx doctor
	grep -q -- '-> sudo tprof-lx doctor' out || fail "no command"
}

test_mends_hidden_symbols()
{
	finally 'echo 0 >/proc/sys/kernel/kptr_restrict'
	echo 2 >/proc/sys/kernel/kptr_restrict
	must_mend symbols note
}

test_mends_a_cpu_that_is_off()
{
	[ "$(nproc)" -eq 2 ] || skip "needs exactly two CPUs"
	finally 'echo 1 >/sys/devices/system/cpu/cpu1/online'
	echo 0 >/sys/devices/system/cpu/cpu1/online
	must_mend nmi note
}

test_mends_the_watchdog()
{
	local before

	before=$(cat /proc/sys/kernel/nmi_watchdog)
	finally "echo $before >/proc/sys/kernel/nmi_watchdog"
	echo 1 >/proc/sys/kernel/nmi_watchdog 2>/dev/null
	[ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ] || skip "no NMI watchdog here"
	must_mend watchdog note
}

# perf with these options, as long as it is left alone. What is called perf may be a
# script that runs it.
start_perf()
{
	local try

	setsid perf stat "$@" -o /dev/null -- sh -c 'touch started; exec sleep 100' &
	perf=$!
	for ((try = 0; try < 100; try++)); do
		[ ! -e started ] || return 0
		sleep 0.1
	done
	fail "perf does not start"
}

test_blames_nobody_who_holds_no_counter()
{
	have_perf
	start_perf -e cpu-clock
	finally "kill -- -$perf 2>/dev/null"
	[ -z "$(level_of holders)" ] || { cat diagnosis; fail "it has no counter"; }
}

# Others may have events as well, and which of them has the counters nobody says.
test_names_who_holds_the_counters()
{
	local before fix

	have_perf
	need_counters
	before=$(cat /proc/sys/kernel/nmi_watchdog)
	finally "echo $before >/proc/sys/kernel/nmi_watchdog"
	echo 0 >/proc/sys/kernel/nmi_watchdog
	start_perf -a -e cycles
	finally "kill -- -$perf 2>/dev/null; echo $before >/proc/sys/kernel/nmi_watchdog"
	[ "$(level_of holders)" = note ] || { cat diagnosis; fail "nobody is named"; }
	fix=$(fix_of holders)
	grep -q ^perf "/proc/${fix#kill }/comm" || { cat diagnosis; fail "perf is not named"; }
	kill -- "-$perf"
	wait "$perf"
	[ -z "$(level_of holders)" ] || { cat diagnosis; fail "perf is still there"; }
}

main "$1"
