#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A user without privileges runs the command line, with the module's parameter
# `unprivileged` set: what works has a note, what is refused has what to type.

. "$(dirname "$0")/lib.sh"

parameter=/sys/module/tprof_lx/parameters/unprivileged

# Runs a command as a user without privileges.
as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups --)

# Let users use the module, until the end of the test.
let_users()
{
	# shellcheck disable=SC2064	# expand $dir now
	trap "echo 0 >$parameter; chmod 600 /dev/tprof-lx; cd /; rm -rf '$dir'" EXIT
	echo 1 >"$parameter" || fail "no parameter unprivileged"
	chmod 666 /dev/tprof-lx
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

test_doctor_reports_who_may_observe()
{
	let_users
	must "${as_user[@]}" tprof-lx doctor
	grep -q '^users *ok .*unprivileged=1' out || { cat out; fail "unprivileged=1 is not reported"; }
	chmod 600 /dev/tprof-lx
	must_fail 1 '-> chmod 666 /dev/tprof-lx' "${as_user[@]}" tprof-lx doctor
	echo 0 >"$parameter"
	must_fail 1 "echo 1 > $parameter && chmod 666 /dev/tprof-lx" "${as_user[@]}" tprof-lx doctor
}

main "$@"
