#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A user without privileges runs the command line, with the module's parameter
# `access` set: what works has a note, what is refused has what to type.

. "$(dirname "$0")/lib.sh"

parameter=/sys/module/tprof_lx/parameters/access

# Runs a command as a user without privileges.
as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups --)

# Let users use the module as far as $1 says, until the end of the test.
let_users()
{
	# shellcheck disable=SC2064	# expand $dir now
	trap "echo 0 >$parameter; chmod 600 /dev/tprof-lx; cd /; rm -rf '$dir'" EXIT
	echo "${1:-2}" >"$parameter" || fail "no parameter access"
	chmod 666 /dev/tprof-lx
	echo "# expect-dmesg: tprof_lx: user "
	chmod 755 "$TPROF_WORK"
	chmod 777 "$dir"
}

# The command $@ must be refused, with what to type.
must_refuse()
{
	must_fail 1 'run it with sudo' "${as_user[@]}" tprof-lx "$@"
}

test_own_program_is_counted()
{
	let_users
	must "${as_user[@]}" tprof-lx stat -- "$hotcold" 0.2
	grep -q 'counting in user mode only; sudo counts all' out || { cat out; fail "no note"; }
	grep -qE '^ *[1-9][0-9,.]* +page-faults' out || { cat out; fail "no page faults"; }
}

test_own_program_is_sampled()
{
	let_users
	must "${as_user[@]}" tprof-lx record -o user.data -- "$hotcold" 0.5
	grep -q 'sampling user mode only; sudo samples all' out || { cat out; fail "no note"; }
	ledger_must_add_up user.data
	must tprof-lx report -i user.data --sort sym
	grep -q 'hot$' out || { cat out; fail "hot has no samples"; }
	must tprof-lx script -i user.data
	! grep -q '\[kernel' out || fail "the kernel has samples"
}

test_own_process_is_attached()
{
	let_users
	"${as_user[@]}" sleep 5 & sleeper=$!
	for _ in $(seq 100); do
		[ "$(cat "/proc/$sleeper/comm")" != sleep ] || break
		sleep 0.1
	done
	must "${as_user[@]}" tprof-lx stat -p "$sleeper" -e page-faults
	must_refuse stat -p $$ -e page-faults
	must_refuse record -p $$ -o refused.data
	must_refuse record -t $$ -o refused.data
	[ ! -e refused.data ] || fail "there is a recording"
}

test_what_needs_privileges_is_refused()
{
	let_users
	must_refuse stat -a -- true
	must_refuse stat -e context-switches:k -- true
	must_refuse record -a -o refused.data -- true
	must_refuse record -e timer:k -o refused.data -- true
	must_refuse record --off-cpu -o refused.data -- true
	[ ! -e refused.data ] || fail "there is a recording"
}

test_clocks_and_software_events_need_no_counters()
{
	let_users 1
	must "${as_user[@]}" tprof-lx stat -e page-faults -- "$hotcold" 0.2
	must "${as_user[@]}" tprof-lx record -e timer -o user.data -- "$hotcold" 0.2
}

test_kernel_of_own_program_is_sampled()
{
	let_users 3
	must "${as_user[@]}" tprof-lx stat -e context-switches -- sleep 0.1
	grep -qE '^ *[1-9][0-9,.]* +context-switches' out || { cat out; fail "no context switches"; }
	must "${as_user[@]}" tprof-lx record -e timer:k -o user.data -- dd if=/dev/zero of=/dev/null bs=64k count=20000
	ledger_must_add_up user.data
	must "${as_user[@]}" tprof-lx record -e nmi -o user.data -- "$hotcold" 0.2
	grep -q 'event nmi is blind while interrupts are off' out || { cat out; fail "no note"; }
	must_refuse stat -a -- true
}

test_doctor_reports_who_may_observe()
{
	let_users 1
	must "${as_user[@]}" tprof-lx doctor
	grep -q '^users *ok .*access=1' out || { cat out; fail "access=1 is not reported"; }
	echo 2 >"$parameter"
	must "${as_user[@]}" tprof-lx doctor
	grep -q '^users *note .*access=2.*the NMI watchdog get none' out || { cat out; fail "no note"; }
	chmod 600 /dev/tprof-lx
	must_fail 1 '-> chmod 666 /dev/tprof-lx' "${as_user[@]}" tprof-lx doctor
	echo 0 >"$parameter"
	must_fail 1 "echo 1 > $parameter && chmod 666 /dev/tprof-lx" "${as_user[@]}" tprof-lx doctor
}

main "$@"
