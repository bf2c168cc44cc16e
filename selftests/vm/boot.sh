# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What vm.sh and lab.sh share: how a guest is booted, ended and judged. Sourced.
# The script brings
#
#   boot            a function that boots the guest, with its pid in vm, and
#                   calls await_guest
#   has_begun       is the command running, or did it
#   command_status  prints the command's exit status once there is one
#   guest           what the guest is called when something is said of it
#   limit, console, run   seconds it has, its console's file, our directory
#
# A guest that dies before the command has ended is a failure of its own kind:
# its status is 125 and the end of its console is shown. 124 is a time-out.

readonly DIED=125
readonly BOOT_LIMIT=${TPROF_BOOT_LIMIT:-240}	# seconds until the command runs; 10 to 60 are usual

vm='' vm_status=0 guest='' limit=0 console='' run=''

show_console()
{
	tail -n 40 "$console" | sed 's/^/console| /' >&2
}

# timeout(1) hands the signal on to the guest.
# shellcheck disable=SC2317,SC2329	# called by boot()
await_guest()
{
	local deadline=$((SECONDS + BOOT_LIMIT))

	until has_begun || [ $SECONDS -ge $deadline ] || ! kill -0 "$vm" 2>/dev/null; do
		sleep 1
	done
	has_begun || kill "$vm" 2>/dev/null
	wait "$vm"
	vm_status=$?
	[ $SECONDS -lt $deadline ] || has_begun || vm_status=$DIED
	vm=
}

timed_out()
{
	[ "$vm_status" -eq 124 ] || [ "$vm_status" -eq 137 ]
}

# The fault that tcg.sh tells of also strikes where the kernel patches itself
# while it boots, and in tcg.sh itself. A guest that dies or stays there before it
# has run anything of ours is no result: try again.
boot_until_it_begins()
{
	local attempt

	for attempt in 1 2 3; do
		boot
		if has_begun || timed_out || [ "$attempt" -eq 3 ]; then
			return
		fi
		show_console
		say "$guest: did not come up, trying again" >&2
	done
}

verdict()
{
	local status

	status=$(command_status)
	[ -z "$status" ] || return "$status"
	show_console
	if timed_out; then
		say "$guest: still running after $limit s, ended in $(last_test)" >&2
		return 124
	fi
	say "$guest: the guest died in $(last_test)" >&2
	return $DIED
}

# guard.c says in the log which test begins.
last_test()
{
	local name

	name=$(tr -d '\r' <"$console" | sed -n 's/.*selftest: //p' | tail -n 1)
	echo "${name:-what comes before the tests}"
}

# timeout(1) leads a process group of its own and takes QEMU with it.
# shellcheck disable=SC2317	# called by the trap
cleanup()
{
	[ -z "$vm" ] || kill "$vm" 2>/dev/null
	rm -rf "$run"
}

run_guest()
{
	trap cleanup EXIT
	trap 'exit 130' INT TERM
	[ -n "$console" ] || console=$run/console
	boot_until_it_begins
	verdict
}
