#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the doctor in the guest: it must report each problem that a test causes, and print
# a command that fixes it. The unit test doctor_test covers other machines.

. "$(dirname "$0")/lib.sh"

# Print the level of finding $1 (ok, note or problem), or nothing if there is none.
level_of()
{
	tprof-lx doctor >diagnosis
	awk -v name="$1" '$1 == name { print $2 }' diagnosis
}

fix_of()
{
	awk -v name="$1" '/^[a-z]/ { is_it = $1 == name } is_it' diagnosis | sed -n 's/^ *-> //p'
}

# Finding $1 must have level $2 now, and ok after running the command that the doctor
# prints.
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

# Run $1 at the end of this test, even if it fails.
finally()
{
	# shellcheck disable=SC2064	# expand $1 and $dir now
	trap "$1; cd /; rm -rf '$dir'" EXIT
}

test_finds_the_module_and_the_device()
{
	local name

	for name in kernel module device version; do
		[ "$(level_of $name)" = ok ] || { cat diagnosis; fail "$name is not ok"; }
	done
}

test_text_and_json_have_the_same_findings()
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

# Notes alone must not change the exit status. A device that cannot be opened is a
# problem.
test_status_is_1_with_a_problem()
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

test_mends_an_offline_cpu()
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

# Start `perf stat $@` for 100 seconds. Start it in a new process group, for kill: perf
# may be a script that runs the real perf as a child.
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

test_process_without_counter_is_no_holder()
{
	have_perf
	start_perf -e cpu-clock
	finally "kill -- -$perf 2>/dev/null"
	[ -z "$(level_of holders)" ] || { cat diagnosis; fail "a process without a counter is a holder"; }
}

# Disable the watchdog, since it has an event as well, and the kernel does not show which
# event has which counter.
test_process_with_counter_is_a_holder()
{
	local before fix

	have_perf
	need_counters
	before=$(cat /proc/sys/kernel/nmi_watchdog)
	finally "echo $before >/proc/sys/kernel/nmi_watchdog"
	echo 0 >/proc/sys/kernel/nmi_watchdog
	start_perf -a -e cycles
	finally "kill -- -$perf 2>/dev/null; echo $before >/proc/sys/kernel/nmi_watchdog"
	[ "$(level_of holders)" = note ] || { cat diagnosis; fail "no holder is named"; }
	fix=$(fix_of holders)
	grep -q ^perf "/proc/${fix#kill }/comm" || { cat diagnosis; fail "perf is not named"; }
	kill -- "-$perf"
	wait "$perf"
	[ -z "$(level_of holders)" ] || { cat diagnosis; fail "perf is still there"; }
}

main "$1"
