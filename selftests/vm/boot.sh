# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What vm.sh and lab.sh share: how a guest is booted, ended and judged. Sourced.
# The script brings
#
#   boot            a function that boots the guest, with its pid in vm
#   has_begun       is the command running, or did it
#   command_status  prints the command's exit status once there is one
#   guest           what the guest is called when something is said of it
#   limit, console, run   seconds it has, its console's file, our directory
#
# A guest that dies before the command has ended is a failure of its own kind:
# its status is 125 and the end of its console is shown. 124 is a time-out.

readonly DIED=125

vm='' vm_status=0 guest='' limit=0 console='' run=''

show_console()
{
	tail -n 40 "$console" | sed 's/^/console| /' >&2
}

timed_out()
{
	[ "$vm_status" -eq 124 ] || [ "$vm_status" -eq 137 ]
}

# The fault that tcg.sh tells of also strikes where the kernel patches itself
# while it boots. A guest that dies before it has run anything of ours is no
# result: try again.
boot_until_it_begins()
{
	local attempt

	for attempt in 1 2 3; do
		boot
		if has_begun || timed_out || [ "$attempt" -eq 3 ]; then
			return
		fi
		show_console
		say "$guest: died while booting, trying again" >&2
	done
}

verdict()
{
	local status

	status=$(command_status)
	[ -z "$status" ] || return "$status"
	show_console
	if timed_out; then
		say "$guest: still running after $limit s, ended" >&2
		return 124
	fi
	say "$guest: the guest died before the command had ended" >&2
	return $DIED
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
